/** Who is told of what, and how often: on a real database, with a Slack that keeps messages. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { detectTroubles, type Vitals } from '../../src/health/detect-troubles.ts';
import {
  createDirectNotifier,
  createHealthMonitor,
  createVitalSigns,
} from '../../src/health/health-monitor.ts';
import {
  createManualClock,
  HOUR,
  type Instant,
  instant,
  later,
  MINUTE,
  type MovableClock,
} from '../../src/lib/clock.ts';
import { channelId, personId } from '../../src/lib/ids.ts';
import { silentLog } from '../../src/lib/log.ts';
import { cardContent } from '../../src/slack/cards/card-content.ts';
import { createCardOutbox } from '../../src/slack/cards/card-outbox.ts';
import { createWorker, type Worker } from '../../src/store/due-work/worker.ts';
import type { Store } from '../../src/store/port/store.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { createFakeSlackWeb, type FakeSlackWeb } from '../slack/harness/fake-slack-web.ts';
import { vitals } from './fake-vitals.ts';

const ADMIN = personId('U0ADMIN');
const OTHER = personId('U0OTHER');
const START = instant(1_790_000_000_000);

let clock: MovableClock;
let web: FakeSlackWeb;
let store: Store;
let worker: Worker;
let now: Vitals;
let slackCalls: number;
let recounts: number;
/** When the event log was last read; null: just now. */
let readAt: Instant | null;
/** Slack's word for every post; null: it takes them. */
let refusal: string | null;

beforeEach(async () => {
  clock = createManualClock(START);
  const fake = createFakeSlackWeb(() => clock.now());
  web = {
    ...fake,
    post: async (channel, message) =>
      refusal === null ? fake.post(channel, message) : { kind: 'refused', error: refusal },
  };
  store = await memoryStore();
  now = vitals({}, START);
  slackCalls = 0;
  recounts = 0;
  refusal = null;
  readAt = null;
  const options = {
    linkTo: async () => null,
    groupOf: () => null,
    approverGroups: [],
    personal: false,
    clock,
  };
  const cards = createCardOutbox({
    store,
    web,
    identity: { botUserId: personId('U0BOT'), botId: null },
    clock,
    log: silentLog,
    renderCard: (key) => cardContent(store, key, options),
    onRefused: async () => undefined,
  });
  const onError = (error: unknown) => {
    throw error;
  };
  worker = createWorker({ store, clock, log: silentLog, handlers: { card: cards.handleWork }, onError });
  worker.start();
});
afterEach(async () => {
  await worker.stop();
  await store.close();
});

/** One process, as it looks after itself. */
function healthMonitor() {
  const made = createHealthMonitor({
    store,
    clock,
    log: silentLog,
    signs: {
      slackAnsweredAt: () => clock.now(),
      slackIsWell: () => now.slack.refusal === null,
      connectionsCountedAt: () => now.slack.counted?.at ?? null,
    },
    vitals: async () => ({ ...now, events: { ...now.events, readAt: readAt ?? clock.now() } }),
    pollLoop: { health: () => ({ lastSuccess: clock.now(), failures: 0 }) },
    askSlack: async () => {
      slackCalls += 1;
    },
    checkShared: async () => undefined,
    recountConnections: () => {
      recounts += 1;
    },
    admins: async () => [ADMIN, OTHER],
    directNotifier: createDirectNotifier(web, clock),
    wakeWorker: () => worker.wake(),
  });
  made.start();
  onTestFinished(made.stop);
  return made;
}

const texts = (person = ADMIN) =>
  web.messages.filter(({ channel }) => channel.endsWith(person)).map(({ text }) => text);
const late = () => vitals({ cards: { undelivered: [waiting()] } }, START);
const full = () => vitals({ database: { unwritable: { why: 'disk-full', since: clock.now() } } }, START);
const waiting = () => ({
  channel: channelId('C0ALERTS'),
  cards: 4,
  alerts: 4,
  oldestAt: later(START, -HOUR),
});

describe('those who run Patchbay', () => {
  it('are told of a trouble once, each of them, and that it is over', async () => {
    healthMonitor();
    now = late();
    await clock.advance(10 * MINUTE);
    expect(texts()).toEqual([expect.stringMatching(/^⛔ .*4 alerts waiting for Slack since/)]);
    expect(texts(OTHER)).toHaveLength(1);
    now = vitals({}, START);
    await clock.advance(10 * MINUTE);
    expect(texts()).toEqual([expect.stringMatching(/^✅ .*: Messages waited for Slack\.\nStarted /)]);
  });

  it('are not told again by a restart or by another replica', async () => {
    const one = healthMonitor();
    healthMonitor();
    now = late();
    await clock.advance(3 * MINUTE);
    await one.stop();
    healthMonitor();
    await clock.advance(5 * MINUTE);
    expect(texts()).toHaveLength(1);
  });

  it('are told again once it was over and came back', async () => {
    healthMonitor();
    now = late();
    await clock.advance(2 * MINUTE);
    now = vitals({}, START);
    await clock.advance(5 * MINUTE);
    now = late();
    await clock.advance(2 * MINUTE);
    expect(texts().map((text) => text.slice(0, 1))).toEqual(['✅', '⛔']);
  });

  it.each([
    ['if it lasted long', 20, 1],
    ['and not if it was brief', 4, 0],
  ])('are told when Slack is back, %s', async (_, minutes, told) => {
    healthMonitor();
    const since = clock.now();
    now = vitals({ slack: { refusal: { error: 'token_revoked', since } } }, START);
    refusal = 'token_revoked';
    await clock.advance(minutes * MINUTE);
    expect(web.messages).toEqual([]);
    expect(slackCalls).toBeGreaterThanOrEqual(minutes - 1);
    now = vitals({}, START);
    await clock.advance(4 * MINUTE);
    refusal = null;
    await clock.advance(10 * MINUTE);
    expect(texts()).toHaveLength(told);
    for (const text of texts()) expect(text).toMatch(/^✅ .*Slack rejected the bot token/);
  });

  it('have Slack count its connections again after ten minutes, where it counts them', async () => {
    healthMonitor();
    await clock.advance(30 * MINUTE);
    expect(recounts).toBe(0);
    now = vitals({ slack: { counted: { at: clock.now(), others: 0, since: null } } }, START);
    await clock.advance(9 * MINUTE);
    expect(recounts).toBe(0);
    await clock.advance(2 * MINUTE);
    expect(recounts).toBeGreaterThan(0);
  });

  it('are told at the end which failure of the service made the event log late', async () => {
    healthMonitor();
    const failing = { cause: 'unauthorized', failures: 3, since: START } as const;
    now = vitals({ service: { failing } }, START);
    readAt = START;
    await clock.advance(10 * MINUTE);
    // A valid key is set, and the log is not read at once.
    now = vitals({}, START);
    await clock.advance(2 * MINUTE);
    readAt = null;
    await clock.advance(10 * MINUTE);
    expect(texts()).toEqual([expect.stringMatching(/^✅ .*: The management service rejected the API key\./)]);
  });

  it('are told of a full disk, which no database can remember, once over a restart, too', async () => {
    const one = healthMonitor();
    now = full();
    await clock.advance(5 * MINUTE);
    expect(texts()).toEqual([expect.stringContaining('The database disk is full')]);
    await one.stop();
    healthMonitor();
    await clock.advance(5 * MINUTE);
    expect(texts()).toHaveLength(1);
    now = vitals({}, START);
    await clock.advance(4 * MINUTE);
    expect(texts()).toEqual([expect.stringMatching(/^✅ .*The database disk was full/)]);
    now = full();
    await clock.advance(2 * MINUTE);
    expect(texts().map((text) => text.slice(0, 1))).toEqual(['✅', '⛔']);
  });

  it('are not told again of a disk that is full, not full, and full again within moments', async () => {
    healthMonitor();
    for (let round = 0; round < 3; round += 1) {
      now = full();
      await clock.advance(2 * MINUTE);
      now = vitals({}, START);
      await clock.advance(2 * MINUTE);
    }
    expect(texts()).toEqual([expect.stringMatching(/^⛔ .*The database disk is full/)]);
  });

  it('are told once where the answer to a message about the disk was lost, also the second time', async () => {
    healthMonitor();
    for (const signs of [['⛔'], ['✅', '⛔']]) {
      web.next('post', { kind: 'lost' });
      now = full();
      await clock.advance(5 * MINUTE);
      expect(texts().map((text) => text.slice(0, 1))).toEqual(signs);
      now = vitals({}, START);
      await clock.advance(5 * MINUTE);
    }
    expect(texts().map((text) => text.slice(0, 1))).toEqual(['✅', '✅']);
  });

  it('are told that the disk is well again once Slack takes the edit', async () => {
    healthMonitor();
    now = full();
    await clock.advance(2 * MINUTE);
    web.next('update', { kind: 'unsent', detail: 'no connection' }, { kind: 'throttled', retryAfterMs: 1 });
    now = vitals({}, START);
    await clock.advance(10 * MINUTE);
    expect(texts()).toEqual([expect.stringMatching(/^✅ /)]);
  });

  it('are told that nothing is known of before, once, in the transaction of the first look', async () => {
    const one = healthMonitor();
    const tell = await one.newDatabase(null);
    await store.transaction((tables) => tell(tables, clock.now()));
    worker.wake();
    await clock.advance(5 * MINUTE);
    expect(texts()).toEqual([
      expect.stringMatching(/^New database: Patchbay doesn’t know events before .*\.$/),
    ]);
  });

  it('are told from when on events are posted where no id told old ones from new ones', async () => {
    const one = healthMonitor();
    const tell = await one.newDatabase(later(START, -3 * MINUTE));
    await store.transaction((tables) => tell(tables, clock.now()));
    worker.wake();
    await clock.advance(5 * MINUTE);
    expect(texts()).toEqual([
      expect.stringMatching(
        /^New database: .*or later are posted\. Some may have happened before Patchbay started\.$/,
      ),
    ]);
  });
});

async function startSigns() {
  const clock = createManualClock(START);
  const store = await memoryStore();
  onTestFinished(store.close);
  const signs = createVitalSigns(clock);
  const pollLoop = { health: () => ({ lastSuccess: clock.now(), failures: 0, restarted: null }) };
  const kinds = async () => {
    const read = await signs.read({
      store,
      pollLoop,
      connected: () => true,
      service: () => vitals().service,
      configuration: () => ({ refused: null, differs: false }),
    });
    return detectTroubles(read, clock.now()).map(({ trouble, notReady }) => [trouble.kind, notReady]);
  };
  /** A minute in which a write fails and a read is answered. */
  const failing = async (minutes: number) => {
    for (let count = 0; count < minutes; count += 1) {
      signs.slack.unanswered(true);
      signs.slack.answered('auth.test', false);
      await clock.advance(MINUTE);
    }
  };
  return { clock, signs, kinds, failing };
}

describe('failed writes', () => {
  it('make Patchbay not ready when they last, although reads are answered', async () => {
    const { signs, kinds, failing } = await startSigns();
    await failing(10);
    expect(await kinds()).toEqual([]);
    await failing(1);
    expect(await kinds()).toEqual([['slack-silent', true]]);
    signs.slack.answered('chat.postMessage', true);
    expect(await kinds()).toEqual([]);
  });

  it('say nothing when they are few, or long ago', async () => {
    const { clock, signs, kinds, failing } = await startSigns();
    await failing(2);
    await clock.advance(9 * MINUTE);
    signs.slack.answered('auth.test', false);
    expect(await kinds()).toEqual([]);
    await failing(3);
    await clock.advance(10 * MINUTE);
    expect(await kinds()).toEqual([]);
  });

  it('are no matter for a second client of the app token, which each count has to find', async () => {
    const { clock, signs, kinds } = await startSigns();
    signs.connectionsCounted(1);
    await clock.advance(10 * MINUTE - 1);
    signs.connectionsCounted(1);
    await clock.advance(1);
    expect(await kinds()).toEqual([]);
    signs.connectionsCounted(1);
    expect(await kinds()).toEqual([['slack-shared', true]]);
    signs.connectionsCounted(0);
    signs.connectionsCounted(1);
    expect(await kinds()).toEqual([]);
  });
});
