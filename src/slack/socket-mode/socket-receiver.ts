/**
 * Bolt's receiver for Socket Mode. It holds two connections, because Slack closes each of them every few hours and
 * sends to any open one, so one always listens. Bolt's own (socket-mode 3.1.0) opens the next connection seconds after
 * the old one is gone, ends the process where a reconnect is refused, and goes on reconnecting after its stop (all
 * measured).
 */
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App, ReceiverEvent } from '@slack/bolt';
import { type Dispatcher, ping, WebSocket } from 'undici';
import { z } from 'zod';
import { monotonicNow } from '../../lib/clock.ts';
import { tryParseJson } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { LIMIT } from '../../views/kit/limits.ts';
import { isPayload, isTooDeep } from '../receiver/request-checks.ts';
import { StartupError, tokenRejected } from '../web-api/slack-web.ts';
import {
  type ConnectionUrl,
  type ConnectionUrls,
  createConnectionUrls,
  type RequestConnectionUrl,
} from './connection-urls.ts';

type SocketReceiverOptions = {
  readonly request: RequestConnectionUrl;
  readonly dispatcher: Dispatcher;
  /** Slack refuses the app token and no connection is left; only a person can fix that. */
  readonly onFatal: (reason: string) => void;
  /** Slack counted the connections of the app, of which `own` are of this process. */
  readonly onCounted: (counted: number, own: number) => void;
  readonly log: Log;
};

export type SocketReceiver = Readonly<ReturnType<typeof createSocketReceiver>>;

const CONNECTIONS = 2;
/** Wall time, because a clock that is moved must not use up the addresses that Slack gives. */
const RECOUNT_INTERVAL_MS = 5_000;
/** Slack waits 3 s for an acknowledgement. */
const ACKNOWLEDGE_WITHIN_MS = 3_000;

export function createSocketReceiver(options: SocketReceiverOptions) {
  const { request, dispatcher, onFatal, onCounted, log } = options;
  let app: App | undefined;

  const ownCount = () => slots.reduce((total, slot) => total + slot.size(), 0);
  let recountedAt = Number.NEGATIVE_INFINITY;
  const openLinks = () => slots.flatMap((slot) => slot.openConnections());
  const envelopes = createEnvelopes({
    process: async (event) => app?.processEvent(event),
    openConnections: openLinks,
    log,
  });
  const status = createConnectionStatus({ connections: () => openLinks().length, onFatal, log });
  const connectionUrls = createConnectionUrls({
    request: async () => {
      const address = await request();
      status.requested(address);
      return address;
    },
    sleep: delay,
  });
  const slots: readonly ConnectionSlot[] = Array.from({ length: CONNECTIONS }, () =>
    createConnectionSlot({
      connectionUrls,
      dispatcher,
      onEnvelope: envelopes.accept,
      onChange: status.changed,
      onCounted: (counted) => onCounted(counted, ownCount()),
      onFailed: status.unavailable,
      log,
    }),
  );

  /** Accepts nothing more: accepted envelopes are acknowledged, then the connections are closed, so that Slack sends elsewhere. */
  const stopAccepting = async (): Promise<void> => {
    status.stop();
    envelopes.stopAccepting();
    for (const slot of slots) slot.stopOpening();
    await envelopes.settled(ACKNOWLEDGE_WITHIN_MS);
    for (const slot of slots) slot.stop();
  };
  return {
    init(bolt: App): void {
      app = bolt;
    },
    /** Resolves when Slack may send. Throws `StartupError`. */
    async start(): Promise<void> {
      for (const slot of slots) slot.start();
      await status.started;
    },
    stopAccepting,
    stop: stopAccepting,
    /** Connections that Slack may send to: two, or more while one is being replaced. */
    connections: () => openLinks().length,
    /** Has Slack count the connections again, which it does only for a new one. */
    recount(): void {
      if (monotonicNow() - recountedAt < RECOUNT_INTERVAL_MS) return;
      recountedAt = monotonicNow();
      slots[0]?.renew();
    },
  };
}

/** Wall time, because it waits for Slack. */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

type ConnectionStatusOptions = {
  readonly connections: () => number;
  readonly onFatal: (reason: string) => void;
  readonly log: Log;
};

/** A token that worked may be refused by mistake; this many refusals in a row are no mistake. */
const MAX_REFUSALS = 3;
/** Over about a minute, with the pauses between them. */
const MAX_START_TRIES = 7;

function createConnectionStatus({ connections, onFatal, log }: ConnectionStatusOptions) {
  const started = Promise.withResolvers<void>();
  // A stop may come before anybody waits for the start.
  started.promise.catch(() => undefined);
  let refusals = 0;
  let failures = 0;
  let wasOpen = false;
  let stopped = false;

  const unavailable = (reason: string): void => {
    failures += 1;
    if (stopped) return;
    if (!wasOpen && failures >= MAX_START_TRIES)
      started.reject(new StartupError(`No answer from Slack at SLACK_API_URL: ${reason}`));
    if (connections() === 0)
      log.warn({ event: 'slack.unavailable', reason, failures }, 'could not connect to Slack, retrying');
  };
  const refused = (reason: string): void => {
    refusals += 1;
    if (stopped) return;
    const words = tokenRejected('SLACK_APP_TOKEN', reason);
    if (!wasOpen) {
      started.reject(new StartupError(words));
      return;
    }
    log.error({ event: 'slack.app-token-refused', reason, refusals }, words);
    if (refusals >= MAX_REFUSALS && connections() === 0) onFatal(words);
  };

  return {
    /** Resolves at the first open connection. Rejects with a {@link StartupError} when Slack accepts none. */
    started: started.promise,
    requested(address: ConnectionUrl): void {
      if (address.kind === 'address') refusals = 0;
      if (address.kind === 'unavailable') unavailable(address.reason);
      if (address.kind === 'refused') refused(address.reason);
    },
    unavailable,
    /** A connection was opened, or one ended. */
    changed(): void {
      if (connections() > 0) {
        if (wasOpen && failures > 0) log.info({ event: 'slack.connected' }, 'reconnected to Slack');
        failures = 0;
        wasOpen = true;
        started.resolve();
      } else if (!stopped) {
        log.warn({ event: 'slack.disconnected' }, 'disconnected from Slack, reconnecting');
      }
    },
    /** From now on, a lost connection is no problem. */
    stop(): void {
      stopped = true;
      started.reject(new Error('stopped'));
    },
  };
}

type EnvelopesOptions = {
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly openConnections: () => readonly SocketConnection[];
  readonly log: Log;
};

/** More than can be in flight. */
const MAX_REMEMBERED = 1_000;

const UNACKNOWLEDGED = 'could not acknowledge a Slack envelope';

/** Envelopes of Socket Mode: each goes to Bolt once, and is acknowledged on its own connection, or on another one that is open. */
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

/** An envelope from Slack. `payload` is whatever it sent; the reader validates it. */
type SocketEnvelope = {
  readonly id: string;
  readonly payload: unknown;
  readonly retryNum?: number | undefined;
  readonly retryReason?: string | undefined;
};

type ConnectionEvents = {
  /** Slack greeted: from now on it may send envelopes here. `counted`: connections of the app, as Slack counts them. */
  readonly onHello: (counted: number | undefined) => void;
  readonly onEnvelope: (envelope: SocketEnvelope) => void;
  /** Slack will close this connection soon, or has closed it for the reason given. */
  readonly onNotice: (reason: string) => void;
  /** It is over; called once, and last. */
  readonly onEnd: (why: string) => void;
};

type ConnectionOptions = ConnectionEvents & {
  readonly url: string;
  readonly dispatcher: Dispatcher;
};

export type SocketConnection = Readonly<ReturnType<typeof openSocketConnection>>;

/** Interval of pings, in wall time. */
const PING_MS = 1_000;
/** How long Slack may take to greet, in wall time. */
const HELLO_MS = 10_000;
/** Pings without an answer. Counted instead of timed, so that a busy moment of ours does not look like a dead socket. */
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

/** One WebSocket connection (docs.slack.dev/apis/events-api/using-socket-mode). Does not throw: every failure calls `onEnd`. */
function openSocketConnection(options: ConnectionOptions) {
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

type ConnectionSlot = Readonly<ReturnType<typeof createConnectionSlot>>;

/** How long a connection is still read once the next one is needed: Slack closes it about 10 s after its announcement. */
const CLOSING_GRACE_MS = 30_000;

/** Why the slot needs a new connection: this one will be closed, is over, or was never greeted. */
type ConnectionEnd = 'leaving' | 'over' | 'never';

function createConnectionSlot(options: ConnectionSlotOptions) {
  const { connectionUrls, dispatcher, onEnvelope, onChange, onCounted, onFailed, log } = options;
  const halt = new AbortController();
  const greeted = new Set<SocketConnection>();
  /** All of them, so that a stop also closes one that was not greeted yet. */
  const links = new Set<SocketConnection>();
  let renew = (): void => undefined;

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
    stopOpening: (): void => halt.abort(),
    stop(): void {
      halt.abort();
      for (const link of links) link.close();
    },
  };
}
