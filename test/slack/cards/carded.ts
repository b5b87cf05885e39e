/** The outbox of cards before a Slack whose answers the test chooses: new before each test. */
import { createManualClock, instant, type MovableClock, SECOND } from '../../../src/clock.ts';
import { channelId, personId } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import { type Cards, createCards } from '../../../src/slack/cards/cards.ts';
import type { CardMessage } from '../../../src/slack/web.ts';
import type { CardKey } from '../../../src/store/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { createWorker, type Worker } from '../../../src/store/worker.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { perTest } from '../../harness/per-test.ts';
import { createFakeWeb, type FakeWeb } from '../fake-web.ts';

export const KEY: CardKey = 'notice:n1';
export const CHANNEL = channelId('C0ALERTS');

/** What cards show, and the time that passes on the wall. */
type Scene = {
  shown: string;
  state: string;
  wall: number;
  /** Happens once a card was drawn and before Slack has it. */
  meanwhile: (() => Promise<void>) | null;
};
type World = Scene & {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly web: FakeWeb;
  readonly worker: Worker;
  readonly cards: Cards;
  /** What was given up, with Slack’s word. */
  readonly refused: string[];
};

/** That of this test. */
export const world = perTest(createWorld, async ({ worker, store }) => {
  await worker.stop();
  await store.close();
});

async function createWorld(): Promise<World> {
  const scene: Scene = { shown: 'first', state: 'waiting', wall: 0, meanwhile: null };
  const clock = createManualClock(instant(1_700_000_000_000));
  const store = await memoryStore();
  const web = createFakeWeb(clock.now);
  const refused: string[] = [];
  const cards = createCards({
    store,
    web,
    clock,
    log: silentLog,
    content: async (key) => {
      const drawn = message(key, world());
      await world().meanwhile?.();
      return drawn;
    },
    wall: () => world().wall,
    onRefused: async (key, error) => void refused.push(`${key} ${error}`),
  });
  const done = async () => ({ kind: 'done' }) as const;
  const worker = createWorker({
    store,
    clock,
    handlers: { card: cards.deliver, click: done, act: done, follow: done, expire: done },
    log: silentLog,
    onError: (error) => {
      throw error;
    },
  });
  worker.start();
  return { ...scene, store, clock, web, worker, cards, refused };
}

function message(key: string, { shown: text, state }: Scene): CardMessage {
  const blocks = [{ type: 'section', text: { type: 'plain_text', text } }];
  return {
    text,
    blocks,
    metadata: { event_type: 'patchbay_card', event_payload: { key, state } },
  };
}

export const want = (fallbackPerson: string | null = null) =>
  world().store.cards.want({
    key: KEY,
    channel: CHANNEL,
    fallbackPerson: fallbackPerson === null ? null : personId(fallbackPerson),
    dueAt: world().clock.now(),
  });
/** Another card, without a person to fall back to. */
export const wantOther = (key: CardKey, channel = CHANNEL) =>
  world().store.cards.want({ key, channel, fallbackPerson: null, dueAt: world().clock.now() });
/** What the card shows has changed. */
export const refresh = () => world().store.cards.refresh(KEY, world().clock.now());
/** Lets what is due now, and within `ms`, happen. */
export const settle = (ms = SECOND) => world().clock.advance(ms);
export const texts = () => world().web.messages.map(({ text }) => text);
