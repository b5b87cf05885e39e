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
import { type ConnectionSlot, createConnectionSlot } from './connection-slot.ts';
import { createConnectionStatus } from './connection-status.ts';
import { createConnectionUrls, type RequestConnectionUrl } from './connection-urls.ts';
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
  /** Resolves when Slack may send. Throws `StartupError`. */
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
/** Slack waits 3 s for an acknowledgement. */
const ACKNOWLEDGE_WITHIN_MS = 3_000;

export function createSocketReceiver(options: SocketReceiverOptions): SocketReceiver {
  const { request, dispatcher, onFatal, log } = options;
  let app: App | undefined;

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
      onFailed: status.unavailable,
      log,
    }),
  );

  const stopAccepting = async (): Promise<void> => {
    status.stop();
    envelopes.stopAccepting();
    for (const slot of slots) slot.stopOpening();
    await envelopes.settled(ACKNOWLEDGE_WITHIN_MS);
    for (const slot of slots) slot.stop();
  };
  return {
    init(bolt) {
      app = bolt;
    },
    async start() {
      for (const slot of slots) slot.start();
      await status.started;
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
