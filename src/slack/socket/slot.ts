/**
 * One of the places that always have a connection. When Slack announces that it will close it, the next one opens
 * first; the old one is read until Slack closes it.
 */
import type { Dispatcher } from 'undici';
import type { Log } from '../../log.ts';
import type { Addresses } from './addresses.ts';
import { type Envelope, type Link, openLink } from './link.ts';

export type SlotOptions = {
  readonly addresses: Addresses;
  readonly dispatcher: Dispatcher;
  readonly onEnvelope: (envelope: Envelope, link: Link) => void;
  /** A connection was greeted, or one ended. */
  readonly onChange: () => void;
  /** One ended before Slack greeted it. */
  readonly onFailed: (why: string) => void;
  readonly log: Log;
};

export type Slot = {
  /** Connects, and stays connected until `stop`. */
  readonly start: () => void;
  /** Connections that Slack may send to. */
  readonly open: () => readonly Link[];
  /** Opens nothing more. */
  readonly hold: () => void;
  /** Closes what is open. */
  readonly stop: () => void;
};

/** How long a connection whose end was announced is still read: Slack closes it about 10 s after its warning. */
const LEAVING_MS = 30_000;

/** What ended the reign of a connection: it is about to be closed, or it is over. */
type Turn = 'leaving' | 'over' | 'never';

export function createSlot(options: SlotOptions): Slot {
  const { addresses, dispatcher, onEnvelope, onChange, onFailed, log } = options;
  const halt = new AbortController();
  /** Those that were greeted and have not ended. */
  const greeted = new Set<Link>();
  /** All of them, so that a stop closes one that was not greeted yet. */
  const links = new Set<Link>();

  /** Resolves when the next connection is wanted. */
  const connect = (url: string): Promise<Turn> => {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    let leaving: NodeJS.Timeout | undefined;
    const link = openLink({
      url,
      dispatcher,
      onHello() {
        greeted.add(link);
        addresses.worked();
        onChange();
      },
      onEnvelope: (envelope) => onEnvelope(envelope, link),
      onNotice(reason) {
        // Refused from the start, as one connection too many is: it ends by itself.
        if (!greeted.has(link)) return;
        log.debug(
          { event: 'slack.connection-leaving', reason },
          'Slack announced that it will close a connection',
        );
        leaving ??= setTimeout(link.close, LEAVING_MS);
        resolve('leaving');
      },
      onEnd(why) {
        clearTimeout(leaving);
        links.delete(link);
        const was = greeted.delete(link);
        log.debug({ event: 'slack.connection-ended', why }, 'Slack connection closed');
        if (was) onChange();
        else onFailed(why);
        resolve(was ? 'over' : 'never');
      },
    });
    links.add(link);
    return promise;
  };

  const keep = async (): Promise<void> => {
    while (!halt.signal.aborted) {
      const address = await addresses.next(halt.signal);
      if (halt.signal.aborted) return;
      if (address.kind === 'address' && (await connect(address.url)) === 'never') addresses.failed();
    }
  };

  return {
    start: () => void keep(),
    open: () => [...greeted],
    hold: () => halt.abort(),
    stop() {
      halt.abort();
      for (const link of links) link.close();
    },
  };
}
