/**
 * Bolt's receiver for Socket Mode. Two connections, because Slack closes each of them every few hours and sends to any
 * one that is open: so somebody always listens. The one of Bolt (socket-mode 3.1.0) opens the next connection seconds after the old one
 * is gone, ends the process where a reconnect is refused, and goes on reconnecting after its stop (all measured).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App, Receiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import type { Log } from '../../log.ts';
import { StartFailure } from '../sign-in.ts';
import { type Address, type AskAddress, createAddresses } from './addresses.ts';
import { createEnvelopes } from './envelopes.ts';
import { createSlot, type Slot } from './slot.ts';

export type SocketReceiverOptions = {
  readonly ask: AskAddress;
  /** How connections are opened. */
  readonly dispatcher: Dispatcher;
  /** Slack does not take the app token any more, and no connection is left: in vain until a person mends it. */
  readonly onFatal: (reason: string) => void;
  readonly log: Log;
};

export type SocketReceiver = Receiver & {
  /** Resolves when Slack may send. Throws {@link StartFailure}. */
  readonly start: () => Promise<void>;
  /** Takes nothing more: what was taken is acknowledged, then the connections are closed, so that Slack sends elsewhere. */
  readonly refuse: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** How many connections Slack may send to: two, or more while one takes another's place. */
  readonly connections: () => number;
};

const CONNECTIONS = 2;
/** A token that was good once may be refused by mistake; so many refusals in a row are none. */
const REFUSALS = 3;
/** Over about a minute, with the pauses between them. */
const START_TRIES = 7;
/** Slack waits 3 s for an acknowledgement. */
const ACKNOWLEDGED_WITHIN_MS = 3_000;

export function createSocketReceiver(options: SocketReceiverOptions): SocketReceiver {
  const { ask, dispatcher, onFatal, log } = options;
  const started = Promise.withResolvers<void>();
  // A stop may come before anybody waits for the start.
  started.promise.catch(() => undefined);
  let app: App | undefined;
  let refusals = 0;
  let failures = 0;
  let wasOpen = false;
  let stopped = false;

  const openLinks = () => slots.flatMap((slot) => slot.open());
  const envelopes = createEnvelopes({
    process: async (event) => app?.processEvent(event),
    open: openLinks,
    log,
  });

  const unavailable = (reason: string): void => {
    failures += 1;
    if (stopped) return;
    if (!wasOpen && failures >= START_TRIES)
      started.reject(new StartFailure(`No answer from Slack at SLACK_API_URL: ${reason}`));
    if (openLinks().length === 0)
      log.warn({ event: 'slack.unavailable', reason, failures }, 'could not connect to Slack, retrying');
  };
  const refused = (reason: string): void => {
    refusals += 1;
    if (stopped) return;
    const words = `Slack rejected SLACK_APP_TOKEN: ${reason}`;
    if (!wasOpen) {
      started.reject(new StartFailure(words));
      return;
    }
    log.error({ event: 'slack.app-token-refused', reason, refusals }, words);
    if (refusals >= REFUSALS && openLinks().length === 0) onFatal(words);
  };
  const note = (address: Address): Address => {
    if (address.kind === 'address') refusals = 0;
    if (address.kind === 'unavailable') unavailable(address.reason);
    if (address.kind === 'refused') refused(address.reason);
    return address;
  };
  const addresses = createAddresses({ ask: async () => note(await ask()), wait: pause });

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
  const slots: readonly Slot[] = Array.from({ length: CONNECTIONS }, () =>
    createSlot({
      addresses,
      dispatcher,
      onEnvelope: envelopes.take,
      onChange: changed,
      onFailed: unavailable,
      log,
    }),
  );

  const refuse = async (): Promise<void> => {
    stopped = true;
    envelopes.refuse();
    for (const slot of slots) slot.hold();
    await envelopes.settled(ACKNOWLEDGED_WITHIN_MS);
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
    refuse,
    stop: refuse,
    connections: () => openLinks().length,
  };
}

/** Wall time: it is Slack that is waited for. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
