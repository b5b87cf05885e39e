/**
 * Envelopes of Socket Mode: each goes to Bolt once, and is acknowledged on its own connection, or on another one that
 * is open.
 */
import type { ReceiverEvent } from '@slack/bolt';
import type { Log } from '../../lib/log.ts';
import { LIMIT } from '../../views/kit/limits.ts';
import { isPayload } from '../receiver/request-body.ts';
import type { SocketConnection, SocketEnvelope } from './connection.ts';

export type EnvelopesOptions = {
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly openConnections: () => readonly SocketConnection[];
  readonly log: Log;
};

export type Envelopes = Readonly<ReturnType<typeof createEnvelopes>>;

/** More than can be in flight. */
const MAX_REMEMBERED = 1_000;

const UNACKNOWLEDGED = 'could not acknowledge a Slack envelope';

export function createEnvelopes({ process, openConnections, log }: EnvelopesOptions) {
  /** The latest, with their acknowledgements; null: in flight. */
  const known = new Map<string, string | null>();
  const waiting = new Set<string>();
  let refusing = false;
  let onSettled = (): void => undefined;

  const answer = (id: string, link: SocketConnection, text: string): void => {
    // Assumption: Slack takes an acknowledgement on any connection of the app, as its SDK for Python sends it.
    const sent = link.send(text) || openConnections().some((other) => other.send(text));
    if (!sent) log.warn({ event: 'slack.unacknowledged', envelope: id }, UNACKNOWLEDGED);
  };

  const acknowledge = (id: string, link: SocketConnection, body?: unknown): void => {
    // Bolt's listeners acknowledge once; a later answer changes nothing.
    if (!waiting.delete(id)) return;
    const text = frameOf(id, body);
    if (text === null) log.error({ event: 'slack.too-large', envelope: id }, UNACKNOWLEDGED);
    else {
      known.set(id, text);
      answer(id, link, text);
    }
    done(id);
  };

  /** An envelope that no listener handled is never acknowledged. */
  const done = (id: string): void => {
    waiting.delete(id);
    if (waiting.size === 0) onSettled();
  };

  const remember = (id: string): void => {
    known.set(id, null);
    waiting.add(id);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) {
      known.delete(oldest);
      waiting.delete(oldest);
    }
  };

  return {
    accept({ id, payload, retryNum, retryReason }: SocketEnvelope, link: SocketConnection) {
      if (refusing) return;
      const before = known.get(id);
      if (before !== undefined) {
        if (before !== null) answer(id, link, before);
        return;
      }
      remember(id);
      if (!isPayload(payload)) {
        log.warn(
          { event: 'slack.unreadable', envelope: id },
          'could not read the payload of a Slack envelope',
        );
        return acknowledge(id, link);
      }
      const event: ReceiverEvent = {
        body: payload,
        customProperties: {},
        ...(retryNum === undefined ? {} : { retryNum }),
        ...(retryReason === undefined ? {} : { retryReason }),
        ack: async (body) => acknowledge(id, link, body),
      };
      process(event)
        .catch((error: unknown) => {
          log.error({ event: 'slack.listener-failed', err: error }, 'could not process a Slack envelope');
        })
        .finally(() => done(id));
    },
    /** Accepts nothing more and acknowledges nothing new: Slack shows its error, or sends an event again. */
    stopAccepting(): void {
      refusing = true;
    },
    /** Resolves when every accepted envelope was acknowledged, or after this long (wall time). */
    async settled(ms: number): Promise<void> {
      if (waiting.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      onSettled = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** Null when it is longer than Slack takes: it would close the connection, and show the person the same error. */
function frameOf(id: string, body: unknown): string | null {
  const payload = typeof body === 'string' ? { text: body } : (body ?? {});
  const text = JSON.stringify({ envelope_id: id, payload });
  return Buffer.byteLength(text) > LIMIT.acknowledgement ? null : text;
}
