/**
 * Bolt's receiver for Socket Mode. It holds two connections, because Slack closes each of them every few hours and
 * sends to any open one, so one always listens. Bolt's own (socket-mode 3.1.0) opens the next connection seconds after
 * the old one is gone, ends the process where a reconnect is refused, and goes on reconnecting after its stop (all
 * measured).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { monotonicNow } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { StartupError, tokenRejected } from '../web-api/sign-in.ts';
import { type ConnectionSlot, createConnectionSlot } from './connection.ts';
import { type ConnectionUrl, createConnectionUrls, type RequestConnectionUrl } from './connection-urls.ts';
import { createEnvelopes } from './envelopes.ts';

export type SocketReceiverOptions = {
  readonly request: RequestConnectionUrl;
  /** How connections are opened. */
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

  /**
   * Accepts nothing more: accepted envelopes are acknowledged, then the connections are closed, so that Slack sends
   * elsewhere.
   */
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
  /** Connections that Slack may send to. */
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
    /** Slack answered a request for an address. */
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
