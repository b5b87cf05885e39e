/**
 * Bolt's receiver for Socket Mode. It holds two connections, because Slack closes each of them every few hours and
 * sends to any open one, so one always listens. Bolt's own (socket-mode 3.1.0) opens the next connection seconds after
 * the old one is gone, ends the process where a reconnect is refused, and goes on reconnecting after its stop (all
 * measured).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App, Receiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import type { Log } from '../../lib/log.ts';
import { StartupError } from '../web-api/sign-in.ts';
import { type ConnectionSlot, createConnectionSlot } from './connection-slot.ts';
import { type ConnectionUrl, createConnectionUrls, type RequestConnectionUrl } from './connection-urls.ts';
import { createEnvelopes } from './envelopes.ts';

export type SocketReceiverOptions = {
  readonly request: RequestConnectionUrl;
  /** How connections are opened. */
  readonly dispatcher: Dispatcher;
  /** Slack refuses the app token and no connection is left; only a person can fix that. */
  readonly onFatal: (reason: string) => void;
  readonly log: Log;
};

export type SocketReceiver = Receiver & {
  /** Resolves when Slack may send. Throws {@link StartupError}. */
  readonly start: () => Promise<void>;
  /**
   * Accepts nothing more: accepted envelopes are acknowledged, then the connections are closed, so that Slack sends
   * elsewhere.
   */
  readonly stopAccepting: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Connections that Slack may send to: two, or more while one is being replaced. */
  readonly connections: () => number;
};

const CONNECTIONS = 2;
/** A token that worked may be refused by mistake; this many refusals in a row are no mistake. */
const MAX_REFUSALS = 3;
/** Over about a minute, with the pauses between them. */
const MAX_START_TRIES = 7;
/** Slack waits 3 s for an acknowledgement. */
const ACKNOWLEDGE_WITHIN_MS = 3_000;

export function createSocketReceiver(options: SocketReceiverOptions): SocketReceiver {
  const { request, dispatcher, onFatal, log } = options;
  const started = Promise.withResolvers<void>();
  // A stop may come before anybody waits for the start.
  started.promise.catch(() => undefined);
  let app: App | undefined;
  let refusals = 0;
  let failures = 0;
  let wasOpen = false;
  let stopped = false;

  const openLinks = () => slots.flatMap((slot) => slot.openConnections());
  const envelopes = createEnvelopes({
    process: async (event) => app?.processEvent(event),
    openConnections: openLinks,
    log,
  });

  const unavailable = (reason: string): void => {
    failures += 1;
    if (stopped) return;
    if (!wasOpen && failures >= MAX_START_TRIES)
      started.reject(new StartupError(`No answer from Slack at SLACK_API_URL: ${reason}`));
    if (openLinks().length === 0)
      log.warn({ event: 'slack.unavailable', reason, failures }, 'could not connect to Slack, retrying');
  };
  const refused = (reason: string): void => {
    refusals += 1;
    if (stopped) return;
    const words = `Slack rejected SLACK_APP_TOKEN: ${reason}`;
    if (!wasOpen) {
      started.reject(new StartupError(words));
      return;
    }
    log.error({ event: 'slack.app-token-refused', reason, refusals }, words);
    if (refusals >= MAX_REFUSALS && openLinks().length === 0) onFatal(words);
  };
  const logUnavailable = (address: ConnectionUrl): ConnectionUrl => {
    if (address.kind === 'address') refusals = 0;
    if (address.kind === 'unavailable') unavailable(address.reason);
    if (address.kind === 'refused') refused(address.reason);
    return address;
  };
  const connectionUrls = createConnectionUrls({
    request: async () => logUnavailable(await request()),
    sleep: delay,
  });

  const changed = (): void => {
    const open = openLinks().length;
    if (open > 0) {
      if (wasOpen && failures > 0) log.info({ event: 'slack.connected' }, 'reconnected to Slack');
      failures = 0;
      wasOpen = true;
      started.resolve();
    } else if (!stopped) {
      log.warn({ event: 'slack.disconnected' }, 'disconnected from Slack, reconnecting');
    }
  };
  const slots: readonly ConnectionSlot[] = Array.from({ length: CONNECTIONS }, () =>
    createConnectionSlot({
      connectionUrls,
      dispatcher,
      onEnvelope: envelopes.accept,
      onChange: changed,
      onFailed: unavailable,
      log,
    }),
  );

  const stopAccepting = async (): Promise<void> => {
    stopped = true;
    envelopes.stopAccepting();
    for (const slot of slots) slot.stopOpening();
    await envelopes.settled(ACKNOWLEDGE_WITHIN_MS);
    for (const slot of slots) slot.stop();
    started.reject(new Error('stopped'));
  };
  return {
    init(bolt) {
      app = bolt;
    },
    async start() {
      for (const slot of slots) slot.start();
      await started.promise;
    },
    stopAccepting,
    stop: stopAccepting,
    connections: () => openLinks().length,
  };
}

/** Wall time, because it waits for Slack. */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
