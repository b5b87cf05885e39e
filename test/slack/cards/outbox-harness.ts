/** The card outbox with a fake Slack whose outcomes the test chooses; new for each test. */
import {
  createManualClock,
  instant,
  type MovableClock,
  monotonicNow,
  SECOND,
} from '../../../src/lib/clock.ts';
import { type CardKey, channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { type CardOutbox, createCardOutbox } from '../../../src/slack/cards/card-outbox.ts';
import type { CardMessage } from '../../../src/slack/web-api/slack-web.ts';
import { createWorker, type Worker } from '../../../src/store/due-work/worker.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { perTest } from '../../harness/per-test.ts';
import { createFakeSlackWeb, type FakeSlackWeb } from '../harness/fake-slack-web.ts';

export const KEY: CardKey = 'notice:n1';
export const CHANNEL = channelId('C0ALERTS');

/** What cards show, and the real time that passes in addition. */
type SceneOptions = {
  shown: string;
  state: string;
  passed: number;
  /** Runs after a card was rendered and before Slack gets it. */
  meanwhile: (() => Promise<void>) | null;
};
type CardDelivery = { readonly worker: Worker; readonly cards: CardOutbox };
type OutboxWorld = SceneOptions &
  CardDelivery & {
    readonly store: Store;
    readonly clock: MovableClock;
    readonly web: FakeSlackWeb;
    /** The current content of the card. */
    readonly drawn: () => CardMessage;
    /** Another holder takes the card's work for this long. */
    readonly loseLease: (leaseMs?: number) => Promise<void>;
    /** The process ends, and another one continues with the same database. */
    readonly restart: () => Promise<void>;
    /** Cards given up, with Slack’s error code. */
    readonly refused: string[];
  };

export const world = perTest(createOutboxWorld, async ({ worker, store }) => {
  await worker.stop();
  await store.close();
});

async function createOutboxWorld(): Promise<OutboxWorld> {
  const scene: SceneOptions = { shown: 'first', state: 'waiting', passed: 0, meanwhile: null };
  const clock = createManualClock(instant(1_700_000_000_000));
  let scenery: SceneOptions = scene;
  const time = () => monotonicNow() + scenery.passed;
  const store = await memoryStore(undefined, time);
  const web = createFakeSlackWeb(clock.now);
  const refused: string[] = [];
  const begin = () => startDelivery({ store, web, clock, time, refused });
  const made = {
    ...scene,
    ...begin(),
    ...{ store, clock, web, refused },
    drawn: () => message(KEY, made),
    async loseLease(leaseMs = 0) {
      made.passed += 31 * SECOND;
      await store.work.claim({ now: clock.now(), leaseMs, limit: 1 });
    },
    async restart() {
      await made.worker.stop();
      Object.assign(made, begin());
    },
  };
  scenery = made;
  return made;
}

type Parts = Pick<OutboxWorld, 'store' | 'web' | 'clock' | 'refused'> & { readonly time: () => number };

/** One process: its outbox, and its worker. */
function startDelivery({ store, web, clock, time, refused }: Parts): CardDelivery {
  const cards = createCardOutbox({
    store,
    web,
    clock,
    log: silentLog,
    renderCard: async (key) => {
      const drawn = message(key, world());
      await world().meanwhile?.();
      return drawn;
    },
    identity: { botUserId: personId('U0BOT'), botId: null },
    time,
    onRefused: async (key, error) => void refused.push(`${key} ${error}`),
  });
  const done = async () => ({ kind: 'done' }) as const;
  const worker = createWorker({
    store,
    clock,
    handlers: { card: cards.handleWork, inbox: done, run: done, follow: done, expire: done },
    log: silentLog,
    onError: (error) => {
      throw error;
    },
  });
  worker.start();
  return { cards, worker };
}

function message(key: string, { shown: text, state }: SceneOptions): CardMessage {
  const blocks = [{ type: 'section', text: { type: 'plain_text', text } }];
  return {
    text,
    blocks,
    metadata: { event_type: 'patchbay_card', event_payload: { key, state } },
  };
}

export const enqueueCard = (fallbackPerson: string | null = null) =>
  world().store.cards.enqueue({
    key: KEY,
    channel: CHANNEL,
    fallbackPerson: fallbackPerson === null ? null : personId(fallbackPerson),
    dueAt: world().clock.now(),
  });
/** Another card, without a person to fall back to. */
export const enqueueOtherCard = (key: CardKey, channel = CHANNEL) =>
  world().store.cards.enqueue({ key, channel, fallbackPerson: null, dueAt: world().clock.now() });
export const enqueueUpdate = () => world().store.cards.enqueueUpdate(KEY, world().clock.now());
/** Lets everything due now, and within `ms`, happen. */
export const settleCalls = (ms = SECOND) => world().clock.advance(ms);
export async function postCard(ms = SECOND): Promise<void> {
  await enqueueCard();
  await settleCalls(ms);
}
export async function postOther(key: CardKey, ms = SECOND): Promise<void> {
  await enqueueOtherCard(key);
  await settleCalls(ms);
}
/** The card is to show this, or what it showed already. */
export async function editCard(ms = SECOND, shown = world().shown): Promise<void> {
  world().shown = shown;
  await enqueueUpdate();
  await settleCalls(ms);
}
export const storedCard = (key: CardKey = KEY) => world().store.cards.get(key);
/** Slack refuses so many calls. */
export const refusals = (error: string, times = 1) =>
  Array.from({ length: times }, () => ({ kind: 'refused', error }) as const);
export const texts = () => world().web.messages.map(({ text }) => text);

/** The process dies, and another one starts on the same database. */
export const restart = () => world().restart();
