/** Envelopes of Socket Mode: each is given to Bolt once, and acknowledged where it came from, or else where that is still possible. */
import type { ReceiverEvent } from '@slack/bolt';
import type { Log } from '../../lib/log.ts';
import type { SocketConnection, SocketEnvelope } from './connection.ts';

export type EnvelopesOptions = {
  readonly process: (event: ReceiverEvent) => Promise<void>;
  /** Connections that stand. */
  readonly openConnections: () => readonly SocketConnection[];
  readonly log: Log;
};

export type Envelopes = {
  readonly accept: (envelope: SocketEnvelope, link: SocketConnection) => void;
  /** Nothing is taken any more, so nothing is acknowledged: Slack shows its error, or sends an event again. */
  readonly stopAccepting: () => void;
  /** Resolves when nothing that was taken waits for its acknowledgement, or after so long (wall time). */
  readonly settled: (ms: number) => Promise<void>;
};

/** More than can be under way. */
const MAX_REMEMBERED = 1_000;

export function createEnvelopes({ process, openConnections, log }: EnvelopesOptions): Envelopes {
  /** The latest, with their acknowledgements; null: it is under way. */
  const known = new Map<string, string | null>();
  const waiting = new Set<string>();
  let refusing = false;
  let onSettled = (): void => undefined;

  const answer = (id: string, link: SocketConnection, text: string): void => {
    // Assumption: Slack takes an acknowledgement on any connection of the app, as its SDK for Python gives it.
    const sent = link.send(text) || openConnections().some((other) => other.send(text));
    if (!sent)
      log.warn({ event: 'slack.unacknowledged', envelope: id }, 'could not acknowledge a Slack envelope');
  };

  const acknowledge = (id: string, link: SocketConnection, body?: unknown): void => {
    // Bolt's listeners acknowledge once; what comes later is not theirs to change.
    if (!waiting.delete(id)) return;
    const payload = typeof body === 'string' ? { text: body } : (body ?? {});
    const text = JSON.stringify({ envelope_id: id, payload });
    known.set(id, text);
    answer(id, link, text);
    done(id);
  };

  /** What no listener wanted is never acknowledged. */
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
    accept({ id, payload, retryNum, retryReason }, link) {
      if (refusing) return;
      const before = known.get(id);
      if (before !== undefined) {
        if (before !== null) answer(id, link, before);
        return;
      }
      remember(id);
      if (!isFields(payload)) {
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
    stopAccepting() {
      refusing = true;
    },
    async settled(ms) {
      if (waiting.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      onSettled = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
  };
}

function isFields(payload: unknown): payload is Record<string, unknown> {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload);
}
