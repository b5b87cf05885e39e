/**
 * A slot that always holds one connection. When Slack announces that it will close it, the next one opens first; the
 * old one is read until Slack closes it.
 */
import type { Dispatcher } from 'undici';
import type { Log } from '../../lib/log.ts';
import { openSocketConnection, type SocketConnection, type SocketEnvelope } from './connection.ts';
import type { ConnectionUrls } from './connection-urls.ts';

export type ConnectionSlotOptions = {
  readonly connectionUrls: ConnectionUrls;
  readonly dispatcher: Dispatcher;
  readonly onEnvelope: (envelope: SocketEnvelope, link: SocketConnection) => void;
  /** A connection was greeted, or one ended. */
  readonly onChange: () => void;
  readonly onCounted: (counted: number) => void;
  /** One ended before Slack greeted it. */
  readonly onFailed: (why: string) => void;
  readonly log: Log;
};

export type ConnectionSlot = {
  /** Connects, and stays connected until `stop`. */
  readonly start: () => void;
  /** Connections that Slack may send to. */
  readonly openConnections: () => readonly SocketConnection[];
  /** All of them, also those that Slack has not greeted. */
  readonly size: () => number;
  /** Opens another connection, as if Slack had announced that it will close this one. */
  readonly renew: () => void;
  /** Opens no further connection. */
  readonly stopOpening: () => void;
  /** Closes all connections. */
  readonly stop: () => void;
};

/** How long a connection is still read once the next one is needed: Slack closes it about 10 s after its announcement. */
const CLOSING_GRACE_MS = 30_000;

/** Why the slot needs a new connection: this one will be closed, is over, or was never greeted. */
type ConnectionEnd = 'leaving' | 'over' | 'never';

export function createConnectionSlot(options: ConnectionSlotOptions): ConnectionSlot {
  const { connectionUrls, dispatcher, onEnvelope, onChange, onCounted, onFailed, log } = options;
  const halt = new AbortController();
  /** Connections that were greeted and have not ended. */
  const greeted = new Set<SocketConnection>();
  /** All of them, so that a stop also closes one that was not greeted yet. */
  const links = new Set<SocketConnection>();
  let renew = (): void => undefined;

  /** Resolves when the next connection is needed. */
  const connect = (url: string): Promise<ConnectionEnd> => {
    const { promise, resolve } = Promise.withResolvers<ConnectionEnd>();
    let leaving: NodeJS.Timeout | undefined;
    const leave = (): void => {
      leaving ??= setTimeout(link.close, CLOSING_GRACE_MS);
      resolve('leaving');
    };
    const link = openSocketConnection({
      url,
      dispatcher,
      onHello(counted) {
        greeted.add(link);
        connectionUrls.worked();
        onChange();
        if (counted !== undefined) onCounted(counted);
        renew = leave;
      },
      onEnvelope: (envelope) => onEnvelope(envelope, link),
      onNotice(reason) {
        // Refused from the start, like one connection too many: it ends without our close.
        if (!greeted.has(link)) return;
        log.debug(
          { event: 'slack.connection-leaving', reason },
          'Slack announced that it will close a connection',
        );
        leave();
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
      const address = await connectionUrls.next(halt.signal);
      if (halt.signal.aborted) return;
      if (address.kind === 'address' && (await connect(address.url)) === 'never') connectionUrls.failed();
    }
  };

  return {
    start: () => void keep(),
    openConnections: () => [...greeted],
    size: () => links.size,
    renew: () => renew(),
    stopOpening: () => halt.abort(),
    stop() {
      halt.abort();
      for (const link of links) link.close();
    },
  };
}
