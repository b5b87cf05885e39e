/** What a card shows of its record and related facts. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createManualClock,
  DAY,
  type Instant,
  instant,
  later,
  MINUTE,
  SECOND,
  wallNow,
} from '../../../src/lib/clock.ts';
import {
  alertCardKey,
  type CardKey,
  cardKey,
  channelId,
  deviceId,
  eventId,
  messageTs,
  organizationId,
  personId,
} from '../../../src/lib/ids.ts';
import { announceChange } from '../../../src/requests/notifications.ts';
import { writeLineId } from '../../../src/rollout/incidents.ts';
import { cardContent, rolloutDetails } from '../../../src/slack/cards/card-content.ts';
import {
  createRolloutPacing,
  createRolloutTurns,
  DECISION_EDITS,
  EDIT_INTERVAL_MS,
  PROGRESS_EDITS,
} from '../../../src/slack/cards/card-edit.ts';
import { createCardFinder, createChannelPacing } from '../../../src/slack/cards/card-outbox.ts';
import { windowsOfAttempts } from '../../../src/slack/cards/history-reader.ts';
import type { HistoryPage } from '../../../src/slack/web-api/paged-reads.ts';
import type { AlertMember, AlertRecord } from '../../../src/store/port/alert-records.ts';
import type { CardCall } from '../../../src/store/port/card-records.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { requestWithTargets } from '../../../src/store/requests-with-targets.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { aMember, anAlertRecord } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, rolloutTargets } from '../../harness/rollouts.ts';

const clock = createManualClock(START);
const around = {
  linkTo: async () => null,
  approverGroups: [],
  groupOf: (_: number): string | null => null,
  personal: false,
  clock,
};

const BOB = personId('U0BOB');
const HOME = channelId('C0ALERTS');

/** An alert with these members, all on its card. */
async function anAlertWith(members: readonly AlertMember[], over: Partial<AlertRecord> = {}) {
  const store = await memoryStore(organizationId(7));
  onTestFinished(store.close);
  const alert = anAlertRecord({ home: HOME, ...over });
  const key = alertCardKey({ alert: alert.id, generation: 0, channel: HOME }, HOME);
  const put = async (all: readonly AlertMember[]) => {
    await store.members.put(all);
    const delivery = { alert: alert.id, channel: HOME, silence: null, onCard: true };
    await store.deliveries.put(all.map(({ id: member }) => ({ ...delivery, member })));
  };
  await store.alerts.put([alert]);
  await put(members);
  await store.cards.enqueue({ key, channel: HOME, fallbackPerson: null, dueAt: START });
  return {
    store,
    alert,
    key,
    put,
    shown: (card = key, over = {}) => cardContent(store, card, { ...around, ...over }),
  };
}

const FIXED = { state: 'fixed', fixedAt: START, fixedEvent: eventId(80_000) } as const;
const POSTED = { channel: HOME, ts: messageTs('7.1'), revision: 1 };

describe('the card of an alert', () => {
  it('names the group of its device, as far as that is known', async () => {
    const { shown, key } = await anAlertWith([aMember({ deviceId: deviceId(7) })]);
    const groupOf = (id: number) => (id === 7 ? 'Linux servers' : null);
    expect((await shown(key, { groupOf }))?.text).toContain('*Group*: Linux servers');
    expect((await shown())?.text).not.toContain('Group');
  });

  it('has the version of its patch, as it was stored', async () => {
    const packages = [{ name: 'openssl', displayName: 'OpenSSL', version: '3.0.2' }];
    const { shown } = await anAlertWith([aMember({ packages })]);
    expect((await shown())?.text).toMatch(/^⛔ \*Patch failed on web-01\*: OpenSSL 3\.0\.2\n/);
  });

  const payloadOf = async (members: readonly AlertMember[], over: Partial<AlertRecord> = {}) => {
    const { store, key, shown } = await anAlertWith(members, over);
    await store.cards.recordPosted(key, POSTED);
    return (await shown())?.metadata.event_payload;
  };
  const on = (device: number, over: Partial<AlertMember> = {}) =>
    aMember({ deviceId: deviceId(device), ...over });
  const closed = { state: 'closed', closedAt: START, closedEvent: eventId(80_000) } as const;

  it.each<[string, readonly AlertMember[], Partial<AlertRecord>, object]>([
    ['firing', [on(1), on(2, FIXED)], {}, { state: 'firing', devices: 2, fixed: 1 }],
    ['acknowledged', [on(1)], { acknowledgedBy: BOB }, { state: 'acknowledged', devices: 1, fixed: 0 }],
    ['resolved', [on(1, FIXED), on(2, closed)], {}, { state: 'resolved', devices: 2, fixed: 1 }],
    ['closed', [on(1, closed)], {}, { state: 'closed', devices: 1, fixed: 0 }],
  ])('states in its metadata that it is %s', async (_, members, over, payload) => {
    expect(await payloadOf(members, over)).toMatchObject(payload);
  });

  it('of an event that is no problem has no state', async () => {
    const noted = await payloadOf([on(1, { kind: 'device-added', state: 'noted' })], {
      kind: 'device-added',
    });
    expect(noted).toEqual({ key: 'notice:patch-failed-70001', state: 'posted' });
  });

  it('that ended before it was posted is not posted, and is edited where it was', async () => {
    const { store, key, shown, put } = await anAlertWith([on(1)]);
    await put([on(1, FIXED)]);
    expect(await shown()).toBeNull();
    await store.cards.recordPosted(key, POSTED);
    expect((await shown())?.text).toMatch(/^✅ \*Fixed on web-01\*/);
  });

  it('that a newer one replaces waits until that is posted, and leads to it then', async () => {
    const { store, key, alert, shown } = await anAlertWith([on(1)]);
    await store.cards.recordPosted(key, POSTED);
    const drawn = { open: 1, drawnOpen: 1, drawnAt: START, dueAt: START, startedAt: START };
    await store.alerts.putCards([{ alert: alert.id, channel: HOME, generation: 1, ...drawn }]);
    const newer: CardKey = 'notice:patch-failed-70001.1';
    await store.cards.enqueue({ key: newer, channel: HOME, fallbackPerson: null, dueAt: START });
    expect(await shown()).toMatchObject({ text: expect.stringMatching(/^⛔/), thread: null });
    expect(await shown(newer)).not.toHaveProperty('thread');
    await store.cards.recordPosted(newer, { ...POSTED, ts: messageTs('9.1') });
    const linkTo = async ({ ts }: { readonly ts: string }) => `https://slack/${ts}`;
    const moved = await shown(key, { linkTo });
    expect(moved?.text).toMatch(/^▫️ \*Moved\*: a newer card shows OpenSSL\.\n/);
    expect(JSON.stringify(moved?.blocks)).toContain('https://slack/9.1');
    expect((await shown(newer))?.text).toMatch(/^⛔/);
  });

  it('of which nothing is left is not shown', async () => {
    const { shown } = await anAlertWith([]);
    expect(await shown()).toBeNull();
  });
});

const CHANNEL = channelId('C0APPROVALS');

async function stored(over: Parameters<typeof aRolloutRequest>[0]) {
  const { targets, counts: _, ...request } = aRolloutRequest(over);
  const store = await memoryStore(request.organizationId);
  await store.requests.insert(request, targets);
  return { store, request };
}

async function aScene() {
  const { store, request } = await stored({ state: 'approved', targets: rolloutTargets(40) });
  const parent = cardKey('approval', request.id);
  await store.cards.enqueue({ key: parent, channel: CHANNEL, fallbackPerson: null, dueAt: START });
  const incident = { kind: 'paused', by: BOB } as const;
  const key = cardKey('line', writeLineId({ request: request.id, at: START, incident }));
  return { store, parent, key, request };
}

describe('a line in the thread of a rollout', () => {
  it('waits for the card, and is posted in its thread wherever that is', async () => {
    const { store, parent, key } = await aScene();
    expect(await cardContent(store, key, around)).toMatchObject({ thread: null });
    const place = { channel: channelId('D0BOB'), ts: messageTs('7.000001') };
    await store.cards.recordPosted(parent, { ...place, revision: 1 });
    const expected = { text: '⚠️ Paused by <@U0BOB>.', thread: place };
    expect(await cardContent(store, key, around)).toMatchObject(expected);
    await store.close();
  });

  it('is enqueued once for each incident, in the channel of the card', async () => {
    const { store, request } = await aScene();
    const before = { ...request, counts: {} };
    const hold = { kind: 'paused', by: BOB, at: START } as const;
    const after = { ...before, rollout: aRollout(40, { hold }) };
    const change = { before, after, now: instant(START + MINUTE) };
    await announceChange(store, change);
    await announceChange(store, change);
    await announceChange(store, { before, after: before, now: START });
    const due = await store.work.claim({ now: instant(START + 2 * MINUTE), leaseMs: SECOND, limit: 9 });
    const lines = due.map(({ key }) => key).filter((key) => key.startsWith('line:'));
    expect(lines).toEqual([`line:r_1.${START + MINUTE}.{"kind":"paused","by":"U0BOB"}`]);
    await store.close();
  });

  it('is forgotten where its card was given up', async () => {
    const { store, parent, key } = await aScene();
    const card = await store.cards.get(parent);
    if (card === null) throw new Error('no card');
    await store.cards.giveUp(card, 'is_archived');
    expect(await cardContent(store, key, around)).toBeNull();
    await store.close();
  });
});

const soon = later(START, 20 * MINUTE);
const nextWeek = later(START, 7 * DAY);

const STATES: readonly Partial<RequestTarget>[] = [
  { state: 'verified', endedAt: START },
  { state: 'not_sent', endedAt: START, evidence: [{ kind: 'offline', since: null }] },
  { state: 'not_verified', endedAt: START },
  { state: 'queued', deadlineAt: soon },
  { state: 'queued', deadlineAt: nextWeek },
  { state: 'accepted', deadlineAt: nextWeek },
];

async function detailsOf(over: Parameters<typeof aRolloutRequest>[0] = {}) {
  const all = rolloutTargets(STATES.length).map((target, position) => {
    return { ...target, position, ...STATES[position] };
  });
  const rollout = aRollout(all.length);
  const { store, request } = await stored({ state: 'running', targets: all, rollout, ...over });
  const found = await requestWithTargets(store, request.id);
  if (found === null) throw new Error('no request');
  const { details } = await rolloutDetails(store, found, clock);
  await store.close();
  if (details === undefined) throw new Error('no details');
  const names = (found: readonly RequestTarget[]) => found.map(({ displayName }) => displayName);
  return { problems: names(details.problems), offline: names(details.offline) };
}

it('reads the devices on which it failed first, then those that got nothing', async () => {
  expect((await detailsOf()).problems).toEqual(['web-3', 'web-2']);
});

it('takes devices for offline that are followed for longer than an online one', async () => {
  expect((await detailsOf()).offline).toEqual(['web-5', 'web-6']);
});

it('waits for no device where only its record changes', async () => {
  const action = { kind: 'device-edit', change: { tags: ['blue'] } } as const;
  expect((await detailsOf({ action })).offline).toEqual([]);
});

describe('cards that share one read of their channel or thread', () => {
  const CHANNEL = channelId('C0ALERTS');
  const clock = createManualClock(instant(1_700_000_000_000));

  const lostPost = (card: CardKey): CardCall => ({
    id: `call of ${card}`,
    card,
    kind: 'post',
    channel: CHANNEL,
    attemptedAt: later(clock.now(), -60_000),
    settledAt: clock.now(),
    settlesInMs: 0,
    watched: false,
  });

  it('are looked for in their own thread, of which a read of the channel says nothing', async () => {
    const card: CardKey = 'line:r_1';
    const thread = messageTs('5.000001');
    const read: (string | undefined)[] = [];
    const found = { user: personId('U0BOT'), botId: null, hasRepliesOrReactions: false };
    const finder = createCardFinder({
      web: {
        cardsInHistory: async (_channel, part) => {
          read.push(part.thread);
          const cards = part.thread === thread ? [{ ...found, key: card, ts: messageTs('6.000001') }] : [];
          return { kind: 'ok', value: { cards, cursor: null } };
        },
        openDirect: async () => ({ kind: 'ok', value: CHANNEL }),
      },
      calls: { postsIn: async () => [lostPost(card)] },
      clock,
      identity: { botUserId: personId('U0BOT'), botId: null },
    });
    expect(await finder.find(card, [lostPost(card)], null)).toMatchObject({ copies: [] });
    const expected = { copies: [{ channel: CHANNEL, ts: '6.000001' }] };
    expect(await finder.find(card, [lostPost(card)], thread)).toMatchObject(expected);
    expect(read).toEqual([undefined, thread]);
  });

  it('block no more than three deliveries while it takes long, and the others retry', async () => {
    const page = Promise.withResolvers<HistoryPage>();
    const cards: readonly CardKey[] = ['notice:n1', 'notice:n2', 'notice:n3', 'notice:n4'];
    const posts = cards.map(lostPost);
    const finder = createCardFinder({
      web: {
        cardsInHistory: async () => ({ kind: 'ok', value: await page.promise }),
        openDirect: async () => ({ kind: 'ok', value: CHANNEL }),
      },
      calls: { postsIn: async () => posts },
      clock,
      identity: { botUserId: personId('U0BOT'), botId: null },
    });
    const [first, second, third, fourth] = posts.map((call) => finder.find(call.card, [call], null));
    expect(await fourth).toEqual({ kind: 'pending' });
    page.resolve({ cards: [], cursor: null });
    expect(await Promise.all([first, second, third])).toMatchObject([
      { kind: 'read' },
      { kind: 'read' },
      { kind: 'read' },
    ]);
  });

  const NOW = instant(1_000 * MINUTE);
  const at = (minutes: number): Instant => instant(minutes * MINUTE);
  const attempt = (from: number, to: number | null) => ({
    attemptedAt: at(from),
    settledAt: to === null ? null : at(to),
  });

  describe('the windows around attempts', () => {
    it('leave room for two clocks that are apart', () => {
      expect(windowsOfAttempts([attempt(100, 101)], NOW)).toEqual([{ oldest: at(90), latest: at(111) }]);
    });

    it('reach until now where a call has not settled', () => {
      expect(windowsOfAttempts([attempt(100, null)], NOW)).toEqual([{ oldest: at(90), latest: at(1_010) }]);
    });

    it('are one where they meet and several where they do not, the newest first', () => {
      const attempts = [attempt(100, 101), attempt(500, 501), attempt(115, 116), attempt(99, 130)];
      expect(windowsOfAttempts(attempts, NOW)).toEqual([
        { oldest: at(490), latest: at(511) },
        { oldest: at(89), latest: at(140) },
      ]);
    });

    it('are none without attempts', () => {
      expect(windowsOfAttempts([], NOW)).toEqual([]);
    });
  });
});

const ALERTS = channelId('C0ALERTS');
const OTHER = channelId('C0OTHER');

function paced() {
  const clock = createManualClock(instant(0));
  return { clock, pace: createChannelPacing(clock) };
}

describe('the pace of a channel', () => {
  it('is free until Slack asks to wait', () => {
    const { pace } = paced();
    expect(pace.nextTurn(ALERTS, 'notice:1')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBeNull();
  });

  it('gives each waiting card a second of its own after a 429, and keeps it', async () => {
    const { clock, pace } = paced();
    expect(pace.throttled(ALERTS, 'notice:1', 5 * SECOND)).toBe(5_000);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBe(6_100);
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBe(7_200);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBe(6_100);
    await clock.advance(6_100);
    expect(pace.nextTurn(ALERTS, 'notice:1')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBe(7_200);
  });

  it('moves those who wait behind a second pause, in their order', () => {
    const { pace } = paced();
    pace.throttled(ALERTS, 'notice:1', SECOND);
    pace.nextTurn(ALERTS, 'notice:2');
    pace.nextTurn(ALERTS, 'notice:3');
    expect(pace.throttled(ALERTS, 'notice:1', 30 * SECOND)).toBe(30_000);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBe(31_100);
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBe(32_200);
  });

  it('does not touch other channels', () => {
    const { pace } = paced();
    pace.throttled(ALERTS, 'notice:1', MINUTE);
    expect(pace.nextTurn(OTHER, 'approval:1')).toBeNull();
  });

  it('is free again ten minutes after the last 429', async () => {
    const { clock, pace } = paced();
    pace.throttled(ALERTS, 'notice:1', SECOND);
    await clock.advance(SECOND);
    expect(pace.nextTurn(ALERTS, 'notice:1')).toBeNull();
    await clock.advance(11 * MINUTE);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBeNull();
  });
});

describe('paces of rollouts', () => {
  /** Cards on a clock: a card that has to wait comes again when its turn is, like its work. */
  function aScene() {
    let now = START;
    const clock = {
      now: () => now,
      advance: (ms: number) => {
        now = later(now, ms);
      },
    };
    const pacing = createRolloutPacing(clock);
    const shown = new Map<string, number>();
    const edits: { readonly card: string; readonly at: Instant; readonly content: string }[] = [];
    const waits = new Map<string, Instant>();
    let revision = 0;

    /** The card wants to show this now; gives when it may, null for at once. */
    const want = (name: string, content: string, stage = 'running') => {
      const card = cardKey('approval', name);
      revision += 1;
      const wanted = { card, revision, content, stage };
      const turn = pacing.turnOf(wanted, shown.get(name) ?? 0);
      if (turn.kind === 'now') {
        pacing.edited(wanted);
        shown.set(name, revision);
        edits.push({ card: name, at: clock.now(), content });
        waits.delete(name);
      }
      if (turn.kind === 'at') waits.set(name, turn.at);
      return turn;
    };
    return { clock, want, edits, waits, shown };
  }

  describe('the pace of edits of rollouts', () => {
    it('leaves three seconds between two edits of a card', () => {
      const { clock, want, edits } = aScene();
      expect(want('r_1', '1').kind).toBe('now');
      clock.advance(SECOND);
      expect(want('r_1', '2')).toEqual({ kind: 'at', at: later(START, EDIT_INTERVAL_MS) });
      clock.advance(2 * SECOND);
      expect(want('r_1', '3').kind).toBe('now');
      expect(edits.map(({ content }) => content)).toEqual(['1', '3']);
    });

    it('never puts a turn off because more has changed', () => {
      const { clock, want } = aScene();
      want('r_1', 'first');
      const ats = new Set<unknown>();
      for (let ms = 0; ms < EDIT_INTERVAL_MS; ms += 100) {
        const turn = want('r_1', `change ${ms}`);
        if (turn.kind === 'at') ats.add(turn.at);
        clock.advance(100);
      }
      expect([...ats]).toEqual([later(START, EDIT_INTERVAL_MS)]);
      expect(want('r_1', 'last').kind).toBe('now');
    });

    it('edits nothing that looks the same', () => {
      const { clock, want, shown } = aScene();
      want('r_1', 'same');
      clock.advance(MINUTE);
      expect(want('r_1', 'same').kind).toBe('shown');
      // Another replica drew something else in between.
      shown.set('r_1', 99);
      expect(want('r_1', 'same').kind).toBe('now');
    });

    it('lets a decision go before the progress of others', () => {
      const { clock, want } = aScene();
      for (let at = 0; at < PROGRESS_EDITS; at += 1) {
        want(`r_${at}`, 'begins');
        clock.advance(EDIT_INTERVAL_MS / 10);
      }
      clock.advance(MINUTE);
      for (let at = 0; at < PROGRESS_EDITS; at += 1) want(`r_${at}`, 'goes on');
      expect(want('r_0', 'goes on still').kind).toBe('at');
      clock.advance(EDIT_INTERVAL_MS);
      expect(want('r_0', 'paused', 'paused').kind).toBe('now');
    });

    it('makes at most 25 edits in any minute, whatever is wanted and when, and forgets no card', () => {
      const step = fc.record({
        name: fc.integer({ min: 0, max: 40 }).map((id) => `r_${id}`),
        stage: fc.constantFrom('running', 'running', 'running', 'paused'),
        afterMs: fc.integer({ min: 0, max: 1_500 }),
      });
      fc.assert(
        fc.property(fc.array(step, { minLength: 50, maxLength: 300 }), (steps) => {
          const { clock, want, edits, waits } = aScene();
          let wanted = 0;
          const last = new Map<string, string>();
          for (const { name, stage, afterMs } of steps) {
            clock.advance(afterMs);
            for (const [card, at] of [...waits]) if (at <= clock.now()) want(card, last.get(card) ?? '');
            wanted += 1;
            last.set(name, `${wanted} ${stage}`);
            want(name, `${wanted} ${stage}`, stage);
          }
          for (let ms = 0; ms < 10 * MINUTE && waits.size > 0; ms += SECOND) {
            clock.advance(SECOND);
            for (const [card, at] of [...waits]) if (at <= clock.now()) want(card, last.get(card) ?? '');
          }
          expect(waits.size).toBe(0);
          for (const [name, content] of last)
            expect(edits.findLast(({ card }) => card === name)?.content).toBe(content);
          for (const [at, edit] of edits.entries()) {
            const inMinute = edits.slice(at).filter((one) => one.at < later(edit.at, MINUTE));
            expect(inMinute.length).toBeLessThanOrEqual(PROGRESS_EDITS + DECISION_EDITS);
            const next = edits.slice(at + 1).find(({ card }) => card === edit.card);
            if (next !== undefined) expect(next.at - edit.at).toBeGreaterThanOrEqual(EDIT_INTERVAL_MS);
          }
        }),
        { numRuns: 30 },
      );
    }, 60_000);
  });

  async function twoReplicas() {
    const clock = createManualClock(START);
    // The store tells its own time, which stands still here.
    const store = await memoryStore(undefined, () => 0);
    onTestFinished(store.close);
    // A service that takes no requests for a while keeps no card from being edited.
    await store.replicas.pause(10 * MINUTE, clock.now() - wallNow());
    const replicas = [0, 1].map(() => createRolloutTurns(clock, store.replicas));
    let revision = 0;
    /** Each replica edits this many other cards as often as it may. */
    const edits = async (cards: number, stage: string) => {
      let made = 0;
      for (const [at, replica] of replicas.entries()) {
        for (let card = 0; card < cards; card += 1) {
          revision += 1;
          const wanted = {
            card: cardKey('approval', `r_${at}_${card}`),
            revision,
            content: `${revision}`,
            stage,
          };
          const turn = await replica.turnOf(wanted, 0);
          if (turn.kind !== 'now') continue;
          replica.edited(wanted);
          made += 1;
        }
      }
      return made;
    };
    return { clock, edits };
  }

  it('are no more than one process may make, and decisions have a part of their own', async () => {
    const { clock, edits } = await twoReplicas();
    expect(await edits(4, 'waits')).toBe(8);
    await clock.advance(2 * MINUTE);
    let progress = 0;
    for (let times = 0; times < 12; times += 1) {
      progress += await edits(4, 'waits');
      await clock.advance(4 * SECOND);
    }
    expect(progress).toBe(PROGRESS_EDITS);
    expect(await edits(4, 'decided')).toBe(DECISION_EDITS);
  });
});
