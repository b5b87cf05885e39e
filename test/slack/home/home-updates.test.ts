import { beforeEach, describe, expect, it } from 'vitest';
import {
  createManualClock,
  HOUR,
  type Instant,
  MINUTE,
  type MovableClock,
  SECOND,
} from '../../../src/lib/clock.ts';
import { alertId, cardKey, channelId, messageTs, type PersonId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import {
  CALL_TIMEOUT_MS,
  CHECK_INTERVAL_MS,
  createCardLinkCache,
  createHomeUpdates,
  createPublishHome,
  type HomeUpdates,
  MAX_FAILURES,
  MAX_WATCHED,
  PUBLISH_INTERVAL_MS,
  SPREAD_MS,
  WATCHED_MS,
} from '../../../src/slack/home/app-home.ts';
import type { SlackError, SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { HomeTab } from '../../../src/views/home/home-tab.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { renderedHome, wordsOf } from '../../views/home/home-facts.ts';

describe('updates of the Home', () => {
  const ANN = personId('U0ANN');
  const BOB = personId('U0BOB');
  const OK: SlackResult<null> = { kind: 'ok', value: null };

  type Publish = { readonly person: PersonId; readonly asked: boolean; readonly at: Instant };

  let clock: MovableClock;
  let published: Publish[];
  let endings: SlackResult<null>[];
  let updates: HomeUpdates;

  beforeEach(() => {
    clock = createManualClock(START);
    published = [];
    endings = [];
    updates = createHomeUpdates({
      clock,
      log: silentLog,
      publish: async (person, asked) => {
        published.push({ person, asked, at: clock.now() });
        return endings.shift() ?? OK;
      },
    });
  });

  describe('a Home that is opened', () => {
    it('is published at once', async () => {
      await updates.open(ANN);
      expect(published).toEqual([{ person: ANN, asked: true, at: START }]);
    });

    it('is published once more for everybody who opened it meanwhile', async () => {
      const gate = Promise.withResolvers<void>();
      let running = 0;
      const most: number[] = [];
      const slow = createHomeUpdates({
        clock,
        log: silentLog,
        publish: async () => {
          running += 1;
          most.push(running);
          await gate.promise;
          running -= 1;
          return OK;
        },
      });
      const opened = [slow.open(ANN), slow.open(ANN), slow.open(ANN), slow.open(ANN)];
      gate.resolve();
      await Promise.all(opened);
      await slow.stop();
      expect(most).toEqual([1, 1]);
    });
  });

  describe('a change', () => {
    it('updates the Homes that were opened lately, and no others', async () => {
      await updates.open(ANN);
      await updates.open(BOB);
      await clock.advance(MINUTE);
      published = [];
      updates.changed();
      await clock.advance(10 * SECOND);
      expect(published.map(({ person, asked }) => ({ person, asked }))).toEqual([
        { person: ANN, asked: false },
        { person: BOB, asked: false },
      ]);
      await clock.advance(WATCHED_MS + CHECK_INTERVAL_MS);
      published = [];
      updates.changed();
      await clock.advance(HOUR);
      expect(published).toEqual([]);
    });

    it('waits for the rest of a burst', async () => {
      await updates.open(ANN);
      await clock.advance(MINUTE);
      published = [];
      const first = clock.now();
      for (let n = 0; n < 500; n += 1) updates.changed();
      await clock.advance(MINUTE);
      expect(published.map(({ at }) => at - first)).toEqual([CALL_TIMEOUT_MS]);
    });

    it('that goes on for a minute is not told more often than every few seconds', async () => {
      await updates.open(ANN);
      for (let n = 0; n < 600; n += 1) {
        updates.changed();
        await clock.advance(100);
      }
      const times = published.map(({ at }) => at);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(PUBLISH_INTERVAL_MS);
      expect(times.length).toBeGreaterThan(5);
    });

    it('that concerns many people is told one after the other', async () => {
      for (let n = 0; n < 20; n += 1) await updates.open(personId(`U${n}`));
      await clock.advance(MINUTE);
      published = [];
      updates.changed();
      await clock.advance(MINUTE);
      const times = published.map(({ at }) => at);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(times).toHaveLength(20);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SPREAD_MS);
    });

    it('while a Home is being published is told after it', async () => {
      const gate = Promise.withResolvers<void>();
      let count = 0;
      const slow = createHomeUpdates({
        clock,
        log: silentLog,
        publish: async () => {
          count += 1;
          if (count === 1) await gate.promise;
          return OK;
        },
      });
      const opened = slow.open(ANN);
      slow.changed();
      gate.resolve();
      await opened;
      await clock.advance(MINUTE);
      await slow.stop();
      expect(count).toBe(2);
    });
  });

  describe('a change without a notification', () => {
    it('is checked for now and then, as long as the person may read', async () => {
      await updates.open(ANN);
      await clock.advance(10 * CHECK_INTERVAL_MS);
      expect(published).toHaveLength(11);
      await clock.advance(24 * HOUR);
      expect(published.length).toBeLessThanOrEqual(WATCHED_MS / CHECK_INTERVAL_MS + 2);
    });

    it('is checked for a limited number of people', async () => {
      for (let n = 0; n < MAX_WATCHED + 30; n += 1) await updates.open(personId(`U${n}`));
      published = [];
      await clock.advance(2 * CHECK_INTERVAL_MS);
      expect(new Set(published.map(({ person }) => person)).size).toBe(MAX_WATCHED);
      expect(published.some(({ person }) => person === 'U0')).toBe(false);
    });
  });

  describe('a publish that failed', () => {
    const refused: SlackResult<null> = { kind: 'refused', error: 'internal_error' };

    it('is tried again ever more seldom, and not for ever', async () => {
      endings = Array.from({ length: 50 }, () => refused);
      await updates.open(ANN);
      for (let n = 0; n < 360; n += 1) {
        updates.changed();
        await clock.advance(10 * SECOND);
      }
      expect(published).toHaveLength(MAX_FAILURES);
      const gaps = published.slice(1).map(({ at }, index) => at - (published[index]?.at ?? 0));
      expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
    });

    it('still counts as requested when it is retried', async () => {
      endings = [refused];
      await updates.open(ANN);
      await clock.advance(MINUTE);
      expect(published.map(({ asked }) => asked)).toEqual([true, true]);
    });

    it('because Slack asks to wait keeps everybody waiting that long', async () => {
      await updates.open(BOB);
      endings = [{ kind: 'throttled', retryAfterMs: 40 * SECOND }];
      await updates.open(ANN);
      published = [];
      updates.changed();
      await clock.advance(39 * SECOND);
      expect(published).toEqual([]);
      await clock.advance(10 * SECOND);
      expect(new Set(published.map(({ person }) => person))).toEqual(new Set([ANN, BOB]));
    });

    it('because Slack asks to wait is not tried by opening it again, and comes by itself', async () => {
      endings = [{ kind: 'throttled', retryAfterMs: 40 * SECOND }];
      await updates.open(ANN);
      await updates.open(BOB);
      await updates.open(ANN);
      expect(published).toHaveLength(1);
      await clock.advance(42 * SECOND);
      expect(published.slice(1).map(({ person, asked }) => ({ person, asked }))).toEqual([
        { person: BOB, asked: true },
        { person: ANN, asked: true },
      ]);
    });

    it('and may still be carried out is followed by one that cannot be overtaken', async () => {
      endings = [{ kind: 'uncertain', detail: 'TimeoutError', inFlight: true }];
      await updates.open(ANN);
      await clock.advance(MINUTE + SECOND);
      const last = published.at(-1);
      expect(last?.asked).toBe(true);
      expect((last?.at ?? START) - START).toBeGreaterThanOrEqual(MINUTE);
    });

    it('because something was thrown ends no more than that try', async () => {
      let count = 0;
      const broken = createHomeUpdates({
        clock,
        log: silentLog,
        publish: async () => {
          count += 1;
          if (count === 1) throw new Error('the database is away');
          return OK;
        },
      });
      await broken.open(ANN);
      await clock.advance(MINUTE);
      await broken.stop();
      expect(count).toBe(2);
    });
  });

  it('after the end nothing is published', async () => {
    await updates.open(ANN);
    await updates.stop();
    published = [];
    updates.changed();
    await updates.open(BOB);
    await clock.advance(HOUR);
    expect(published).toEqual([]);
  });
});

const ANN = personId('U0ANN');
const OK = { kind: 'ok', value: null } as const;
const refusal = (error: string): SlackError => ({ kind: 'refused', error });

async function publish(...endings: SlackResult<null>[]) {
  const tabs: HomeTab[] = [];
  const web = {
    publishHome: async (_person: typeof ANN, tab: HomeTab) => {
      tabs.push(tab);
      return endings.shift() ?? OK;
    },
  };
  return { ended: await createPublishHome(web, silentLog)(ANN, renderedHome()), tabs };
}

describe('a Home that Slack takes', () => {
  it('is published once, as it is drawn', async () => {
    expect(await publish()).toEqual({ ended: OK, tabs: [renderedHome()] });
  });
});

describe('a Home whose blocks Slack refuses', () => {
  it.each(['invalid_blocks', 'invalid_arguments', 'view_too_large'])(
    'comes as sections of text alone after %s',
    async (word) => {
      const { ended, tabs } = await publish(refusal(word));
      expect(ended).toEqual(OK);
      const [, plain] = tabs;
      expect(plain?.blocks.map(({ type, accessory }) => [type, accessory])).toEqual(
        plain?.blocks.map(() => ['section', undefined]),
      );
      expect(checkView(plain, 'home')).toEqual([]);
    },
  );

  it('contains all its texts, without buttons', async () => {
    const { tabs } = await publish(refusal('invalid_blocks'));
    const shown = JSON.stringify(tabs[1]?.blocks);
    expect(shown).toContain('Patchbay is healthy');
    expect(shown).toContain('All changes are paused');
    expect(shown).toContain('shown without buttons');
    expect(wordsOf()).not.toContain('shown without buttons');
  });

  it('ends as the second attempt ends', async () => {
    const { ended, tabs } = await publish(refusal('invalid_blocks'), refusal('invalid_blocks'));
    expect(ended).toEqual(refusal('invalid_blocks'));
    expect(tabs).toHaveLength(2);
  });
});

it.each<SlackError>([
  refusal('not_enabled'),
  { kind: 'throttled', retryAfterMs: 1_000 },
  { kind: 'uncertain', detail: 'timeout', inFlight: true },
])('keeps its form after %o, which is not about its blocks', async (fault) => {
  const { ended, tabs } = await publish(fault);
  expect(ended).toEqual(fault);
  expect(tabs).toHaveLength(1);
});

const ALERTS = channelId('C0ALERTS');
const first = alertId('first');

it('links the cards that are posted', async () => {
  const store = await memoryStore();
  const key = cardKey('alert', first);
  await store.cards.enqueue({ key, channel: ALERTS, fallbackPerson: null, dueAt: START });
  await store.cards.recordPosted(key, { channel: ALERTS, ts: messageTs('1.2'), revision: 1 });
  const linksTo = createCardLinkCache(store, { permalink: async ({ ts }) => `https://slack/${ts}` });
  const keys = [first, alertId('held')].map((id) => cardKey('alert', id));
  expect([...(await linksTo(keys))]).toEqual([[keys[0], 'https://slack/1.2']]);
});
