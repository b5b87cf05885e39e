/** One WebSocket connection of Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode), from its address to its end. */
import { channel } from 'node:diagnostics_channel';
import { type Dispatcher, ping, WebSocket } from 'undici';
import { z } from 'zod';
import { tryParseJson } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { isTooDeep } from '../receiver/request-body.ts';
import type { ConnectionUrls } from './connection-urls.ts';

/** An envelope from Slack. `payload` is whatever it sent; the reader validates it. */
export type SocketEnvelope = {
  readonly id: string;
  readonly payload: unknown;
  readonly retryNum?: number | undefined;
  readonly retryReason?: string | undefined;
};

export type ConnectionEvents = {
  /** Slack greeted: from now on it may send envelopes here. `counted`: connections of the app, as Slack counts them. */
  readonly onHello: (counted: number | undefined) => void;
  readonly onEnvelope: (envelope: SocketEnvelope) => void;
  /** Slack will close this connection soon, or has closed it for the reason given. */
  readonly onNotice: (reason: string) => void;
  /** It is over; called once, and last. */
  readonly onEnd: (why: string) => void;
};

export type ConnectionOptions = ConnectionEvents & {
  readonly url: string;
  readonly dispatcher: Dispatcher;
};

export type SocketConnection = Readonly<ReturnType<typeof openSocketConnection>>;

/** Interval of pings, in wall time. */
const PING_MS = 1_000;
/** How long Slack may take to greet, in wall time. */
const HELLO_MS = 10_000;
/**
 * Pings without an answer. Counted instead of timed, so that a busy moment of ours does not look like a dead socket.
 */
const MAX_UNANSWERED_PINGS = 3;

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), num_connections: z.number().optional().catch(undefined) }),
  z.object({ type: z.literal('disconnect'), reason: z.string().default('unknown') }),
]);
const envelopeSchema = z.object({
  envelope_id: z.string().min(1),
  payload: z.unknown().optional(),
  retry_attempt: z.number().optional().catch(undefined),
  retry_reason: z.string().optional().catch(undefined),
});

const pongs = channel('undici:websocket:pong');

/** Connects at once. Does not throw: every failure calls `onEnd`. */
export function openSocketConnection(options: ConnectionOptions) {
  const { url, dispatcher } = options;
  const socket = new WebSocket(url, { dispatcher });
  let ended = false;
  let unanswered = 0;

  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    clearTimeout(greeting);
    clearInterval(pings);
    pongs.unsubscribe(onPong);
    // A dead peer never answers the close; the operating system drops the socket then.
    if (socket.readyState !== WebSocket.CLOSED) socket.close();
    options.onEnd(why);
  };
  const onPong = (frame: unknown): void => {
    if (typeof frame === 'object' && frame !== null && 'websocket' in frame && frame.websocket === socket)
      unanswered = 0;
  };
  const greeted = (counted: number | undefined): void => {
    clearTimeout(greeting);
    options.onHello(counted);
  };
  const greeting = setTimeout(() => end('no hello from Slack in time'), HELLO_MS);
  const pings = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (unanswered >= MAX_UNANSWERED_PINGS) return end('no answer to pings');
    unanswered += 1;
    ping(socket);
  }, PING_MS);
  pongs.subscribe(onPong);

  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    unanswered = 0;
    // Nothing counts after its end.
    if (!ended) handleMessage(data, { ...options, onHello: greeted });
  });
  socket.addEventListener('error', () => end('the connection broke'));
  socket.addEventListener('close', ({ code }: { readonly code: number }) => end(`closed with ${code}`));

  return {
    /** False where it cannot be sent any more. */
    send(text: string): boolean {
      if (ended || socket.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    close: (): void => end('closed by us'),
  };
}

/** Any other message is ignored. */
function handleMessage(
  data: unknown,
  { onHello, onNotice, onEnvelope }: Omit<ConnectionEvents, 'onEnd'>,
): void {
  const json = typeof data === 'string' ? tryParseJson(data) : undefined;
  const known = message.safeParse(json);
  if (known.success) {
    if (known.data.type === 'hello') onHello(known.data.num_connections);
    else onNotice(known.data.reason);
    return;
  }
  const read = envelopeSchema.safeParse(json);
  if (!read.success) return;
  const {
    envelope_id: id,
    payload: payloadValue,
    retry_attempt: retryNum,
    retry_reason: retryReason,
  } = read.data;
  // An envelope nested too deep is acknowledged without reading it.
  const payload = typeof data === 'string' && isTooDeep(data) ? null : payloadValue;
  onEnvelope({ id, payload, retryNum, retryReason });
}

type ConnectionSlotOptions = {
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

export type ConnectionSlot = Readonly<ReturnType<typeof createConnectionSlot>>;

/** How long a connection is still read once the next one is needed: Slack closes it about 10 s after its announcement. */
const CLOSING_GRACE_MS = 30_000;

/** Why the slot needs a new connection: this one will be closed, is over, or was never greeted. */
type ConnectionEnd = 'leaving' | 'over' | 'never';

export function createConnectionSlot(options: ConnectionSlotOptions) {
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
    /** Connects, and stays connected until `stop`. */
    start: (): void => void keep(),
    /** Connections that Slack may send to. */
    openConnections: (): readonly SocketConnection[] => [...greeted],
    /** All of them, also those that Slack has not greeted. */
    size: (): number => links.size,
    /** Opens another connection, as if Slack had announced that it will close this one. */
    renew: (): void => renew(),
    /** Opens no further connection. */
    stopOpening: (): void => halt.abort(),
    /** Closes all connections. */
    stop(): void {
      halt.abort();
      for (const link of links) link.close();
    },
  };
}
