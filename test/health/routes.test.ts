import { describe, expect, it } from 'vitest';
import { detectTroubles, type Vitals } from '../../src/health/detect-troubles.ts';
import { createVitalSigns, type VitalSources } from '../../src/health/health-monitor.ts';
import { createHealthRoutes, createProcessHealth, VERSION } from '../../src/health/http-server.ts';
import { createManualClock, type Instant, instant, later, MINUTE } from '../../src/lib/clock.ts';
import { alertId, channelId, eventId, troubleId } from '../../src/lib/ids.ts';
import type { EventGap } from '../../src/store/port/store.ts';
import { HEALTHY } from '../commands/harness/fake-records.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { NOW, vitals, vitals as wellVitals } from './fake-vitals.ts';

async function product() {
  const clock = createManualClock(instant(0));
  const signs = createVitalSigns(clock);
  const store = await memoryStore();
  const state = {
    ...{ lastSuccess: clock.now() as Instant | null, failures: 0, connected: true, database: true },
    service: wellVitals().service,
  };
  const sources: VitalSources = {
    connected: () => state.connected,
    service: () => state.service,
    configuration: () => ({ refused: null, differs: false }),
    store: {
      health: store.health,
      events: store.events,
      ping: () => (state.database ? Promise.resolve() : Promise.reject(new Error('down'))),
    },
    pollLoop: { health: () => ({ lastSuccess: state.lastSuccess, failures: state.failures }) },
  };
  const vitals = () => signs.read(sources);
  const routes = createHealthRoutes({ clock, vitals });
  const answer = async (path: string) => routes.find((route) => route.path === path)?.answer();
  return { clock, signs, state, store, answer, vitals };
}

describe('whether the product is ready', () => {
  it('depends on Slack, the database and the event log', async () => {
    const { state, answer } = await product();
    expect(await answer('/readyz')).toMatchObject({ status: 200, body: { problems: [] } });
    state.connected = false;
    expect(await answer('/readyz')).toMatchObject({ status: 503, body: { slack: false, database: true } });
    state.connected = true;
    state.database = false;
    expect(await answer('/readyz')).toMatchObject({ status: 503, body: { slack: true, database: false } });
  });

  it('ends when the event log was not read for five minutes, and comes back', async () => {
    const { clock, state, answer } = await product();
    await clock.advance(5 * MINUTE);
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
    await clock.advance(1);
    expect(await answer('/readyz')).toMatchObject({
      status: 503,
      body: { events: { ageMs: 5 * MINUTE + 1 }, problems: [{ kind: 'events-unread', red: true }] },
    });
    expect(await answer('/healthz')).toMatchObject({ status: 200 });
    state.lastSuccess = clock.now();
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
  });

  it('says at once that the key was rejected, by the words that people read in Slack', async () => {
    const { clock, state, store, answer, vitals } = await product();
    const failing = { cause: 'unauthorized', since: clock.now(), failures: 1 } as const;
    state.service = { ...state.service, failing };
    const text =
      'The management service has rejected the API key since 1970-01-01 at 00:00 UTC (401). ' +
      'Set a valid FLEET_API_KEY and restart Patchbay.';
    expect(await answer('/readyz')).toMatchObject({ status: 503, body: { problems: [{ text }] } });
    const health = createProcessHealth({ vitals, clock, calls: () => HEALTHY.calls, store });
    expect((await health()).troubles).toEqual([
      { trouble: { kind: 'service-failing', cause: 'unauthorized', failures: 1 }, since: clock.now() },
    ]);
  });

  it('is said before anything else is known', async () => {
    const clock = createManualClock(instant(0));
    const routes = createHealthRoutes({ clock, vitals: async () => null });
    const answers = await Promise.all(routes.map((route) => route.answer()));
    expect(answers).toMatchObject([
      { status: 200, body: { alive: true } },
      { status: 503, body: { problems: [{ kind: 'starting', text: 'Patchbay is starting.' }] } },
    ]);
  });

  it('ends with the token, and comes back with the next call that Slack takes', async () => {
    const { signs, answer } = await product();
    signs.slack.refused('chat.postMessage', 'token_revoked', true);
    expect(await answer('/readyz')).toMatchObject({
      status: 503,
      body: {
        problems: [
          {
            kind: 'slack-refuses',
            text: 'Slack rejects the bot token (token_revoked). Reinstall the app, set SLACK_BOT_TOKEN to its token, and restart Patchbay.',
          },
        ],
      },
    });
    signs.slack.answered('auth.test', false);
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
  });

  it('ends with a right that is missing until that very call is taken', async () => {
    const { signs, answer } = await product();
    signs.slack.refused('users.info', 'missing_scope', false);
    signs.slack.answered('chat.postMessage', true);
    expect(await answer('/readyz')).toMatchObject({
      status: 503,
      body: { problems: [{ text: expect.stringContaining('is missing a permission (missing_scope)') }] },
    });
    signs.slack.answered('users.info', false);
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
  });

  it('comes back when the app was reinstalled with other scopes, though nobody made that call since', async () => {
    const { signs, answer } = await product();
    signs.slack.granted(['chat:write']);
    signs.slack.refused('users.info', 'missing_scope', false);
    signs.slack.granted(['chat:write']);
    expect(await answer('/readyz')).toMatchObject({ status: 503 });
    signs.slack.granted(['users:read', 'chat:write']);
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
  });

  it('counts what the process before read of the event log, until it has read itself', async () => {
    const { clock, state, store, answer } = await product();
    await clock.advance(10 * MINUTE);
    await store.health.recordCheck(clock.now(), later(clock.now(), -2 * MINUTE));
    state.lastSuccess = null;
    expect(await answer('/readyz')).toMatchObject({ status: 200, body: { events: { ageMs: 2 * MINUTE } } });
    await clock.advance(4 * MINUTE);
    expect(await answer('/readyz')).toMatchObject({ status: 503, body: { events: { ageMs: 6 * MINUTE } } });
    state.lastSuccess = clock.now();
    expect(await answer('/readyz')).toMatchObject({ status: 200, body: { events: { ageMs: 0 } } });
  });

  it('ends on a follower, too, where the leader says that ids are counted anew, for as long as it does', async () => {
    const { clock, state, store, answer, vitals } = await product();
    const trouble = { kind: 'ids-restarted', newestId: eventId(5), floorId: eventId(900) } as const;
    const [since, id] = [clock.now(), troubleId('t_1')];
    await store.health.begin({ id, key: trouble.kind, trouble, since, seenAt: since, endedAt: null });
    await clock.advance(2 * MINUTE);
    expect(await answer('/readyz')).toMatchObject({
      status: 503,
      body: { problems: [{ kind: 'ids-restarted' }] },
    });
    // It is the leader's to tell of it: otherwise followers would keep it alive among themselves.
    expect(detectTroubles(await vitals(), clock.now())).toMatchObject([{ notifiesAdmins: false }]);
    await clock.advance(MINUTE);
    state.lastSuccess = clock.now();
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
  });

  it('ends with a full disk, and comes back with the next write', async () => {
    const { signs, answer } = await product();
    signs.writes.failed('disk-full');
    expect(await answer('/readyz')).toMatchObject({
      status: 503,
      body: {
        problems: [{ kind: 'database-unwritable', text: expect.stringContaining('database disk is full') }],
      },
    });
    signs.writes.wrote();
    expect(await answer('/readyz')).toMatchObject({
      status: 200,
      body: { lastWrite: { database: '1970-01-01T00:00:00.000Z', slack: null } },
    });
  });
});

describe('the health that people ask for', () => {
  it('is read when it is asked for, and a database that is down is no failure', async () => {
    const { clock, state, store, vitals } = await product();
    state.lastSuccess = instant(5);
    state.failures = 2;
    const health = createProcessHealth({ vitals, clock, calls: () => HEALTHY.calls, store });
    const all = {
      ...HEALTHY,
      events: { lastSuccess: instant(5), failures: 2 },
      version: VERSION,
      wroteAt: { slack: null, database: null },
    };
    expect(await health()).toEqual(all);
    state.connected = false;
    state.database = false;
    expect(await health()).toEqual({
      ...all,
      slack: false,
      database: false,
      outbox: null,
      troubles: [
        { trouble: { kind: 'database-down' }, since: clock.now() },
        { trouble: { kind: 'slack-disconnected' }, since: clock.now() },
      ],
    });
    expect(VERSION).toMatch(/^\d+\.\d+\.\d+/);
  });
});

const ago = (minutes: number): Instant => later(NOW, -minutes * MINUTE);
const ALERTS = channelId('C0ALERTS');
const waiting = (minutes: number, channel = ALERTS) => ({
  channel,
  cards: 4,
  alerts: 3,
  oldestAt: ago(minutes),
});

const aGap = (endsAt: Instant): EventGap => ({
  afterId: eventId(1),
  happenedFrom: ago(9),
  happenedUntil: ago(8),
  readAt: NOW,
  endsAt,
});

/** Kind, whether `/readyz` is red, and whether somebody is told. */
function troubles(given: Vitals) {
  return detectTroubles(given, NOW).map(({ trouble: { kind }, notReady, notifiesAdmins }) => [
    kind,
    notReady,
    notifiesAdmins,
  ]);
}

/** One that makes it not ready, and that somebody is told of. */
const red = (kind: string) => [[kind, true, true]];

describe('what is wrong', () => {
  it('is nothing where all is as it should be', () => {
    expect(detectTroubles(vitals(), NOW)).toEqual([]);
  });

  it.each<[string, Vitals, unknown]>([
    [
      'a shared channel in which requests are shortened',
      vitals({
        slack: { refusing: new Map([[channelId('C0'), { error: 'requests_shortened', since: NOW }]]) },
      }),
      [['channel-refuses', false, true]],
    ],
    [
      'a token that Slack knows no more',
      vitals({ slack: { refusal: { error: 'token_revoked', since: NOW } } }),
      red('slack-refuses'),
    ],
    [
      'a connection lost just now',
      vitals({ slack: { disconnectedSince: ago(10) } }),
      [['slack-disconnected', true, false]],
    ],
    ['one lost long ago', vitals({ slack: { disconnectedSince: ago(11) } }), red('slack-disconnected')],
    ['a Slack that is silent for a moment', vitals({ slack: { silentSince: ago(10) } }), []],
    ['one that stays silent', vitals({ slack: { silentSince: ago(11) } }), red('slack-silent')],
    [
      'a database that is down just now',
      vitals({ database: { downSince: ago(1) } }),
      [['database-down', true, false]],
    ],
    ['one that stays down', vitals({ database: { downSince: ago(11) } }), red('database-down')],
    [
      'a full disk',
      vitals({ database: { unwritable: { why: 'disk-full', since: NOW } } }),
      red('database-unwritable'),
    ],
    ['an event log read five minutes ago', vitals({ events: { readAt: ago(5) } }), []],
    ['one read before that', vitals({ events: { readAt: ago(6) } }), red('events-unread')],
    ['one never read since a start long ago', vitals({ events: { readAt: null } }), red('events-unread')],
    [
      'one not read yet after a start',
      { ...vitals({ events: { readAt: null } }), startedAt: ago(1) },
      [['events-unread', true, false]],
    ],
    [
      'a service that does not answer for a moment',
      vitals({ service: { failing: { cause: 'timeout', since: ago(5), failures: 8 } } }),
      [['service-failing', false, false]],
    ],
    [
      'a service that is down, which is why its events are not read',
      vitals({
        service: { failing: { cause: 'timeout', since: ago(6), failures: 40 } },
        events: { readAt: ago(7) },
      }),
      red('service-failing'),
    ],
    [
      'a key that is rejected, as soon as that is certain',
      vitals({ service: { failing: { cause: 'unauthorized', since: NOW, failures: 3 } } }),
      red('service-failing'),
    ],
    [
      'a list that is doubted for long, and no devices',
      vitals({ service: { doubts: [{ list: 'groups', since: ago(11), missing: 3 }], isEmpty: true } }),
      [
        ['list-doubted', false, true],
        ['no-devices', false, false],
      ],
    ],
    [
      'a configuration file that is refused, and replicas with different ones for long',
      vitals({ configuration: { refused: { faults: ['line 1'], since: NOW }, differsSince: ago(3) } }),
      [
        ['configuration-refused', false, true],
        ['configuration-differs', false, true],
      ],
    ],
    [
      'replicas with different files for a moment',
      vitals({ configuration: { differsSince: ago(1) } }),
      [['configuration-differs', false, false]],
    ],
    [
      'events that the log did not list',
      vitals({ events: { gap: aGap(later(NOW, 1)) } }),
      red('events-missing'),
    ],
    [
      'events that are no longer looked for',
      vitals({ events: { gap: aGap(ago(24 * 60)) } }),
      [['events-missing', false, true]],
    ],
    ['the same after a day', vitals({ events: { gap: aGap(ago(24 * 60 + 1)) } }), []],
    [
      'ids that are counted anew',
      vitals({ events: { restarted: { newestId: eventId(5), floorId: eventId(900), since: NOW } } }),
      red('ids-restarted'),
    ],
    ['cards that wait for ten minutes', vitals({ cards: { undelivered: [waiting(10)] } }), []],
    ['cards that wait longer', vitals({ cards: { undelivered: [waiting(11)] } }), red('cards-late')],
    [
      'cards that wait while Slack is silent',
      vitals({ slack: { silentSince: ago(4) }, cards: { undelivered: [waiting(11)] } }),
      [],
    ],
    [
      'cards that wait though Slack answers other calls',
      vitals({ slack: { silentSince: ago(1) }, cards: { undelivered: [waiting(11)] } }),
      red('cards-late'),
    ],
    [
      'cards that waited for a Slack that has just come back',
      vitals({ slack: { wellSince: ago(2) }, cards: { undelivered: [waiting(60)] } }),
      [],
    ],
    [
      'a channel that refuses, at once, and red when it lasts',
      vitals({
        slack: { refusing: new Map([[ALERTS, { error: 'is_archived', since: ago(1) }]]) },
        cards: { undelivered: [waiting(11), waiting(1, channelId('C0OTHER'))] },
      }),
      red('channel-refuses'),
    ],
    [
      'a channel that refuses for a moment',
      vitals({
        slack: { refusing: new Map([[ALERTS, { error: 'is_archived', since: ago(1) }]]) },
        cards: { undelivered: [waiting(1)] },
      }),
      [['channel-refuses', false, true]],
    ],
    [
      'a channel that refuses and that nothing waits for',
      vitals({ slack: { refusing: new Map([[ALERTS, { error: 'is_archived', since: NOW }]]) } }),
      [],
    ],
    [
      'an alert that Slack will never take',
      vitals({
        cards: { givenUp: [{ key: 'notice:1', error: 'no_text', wantedAt: ago(1), alert: alertId('1') }] },
      }),
      red('alerts-given-up'),
    ],
    [
      'one that somebody looks after',
      vitals({ cards: { givenUp: [{ key: 'notice:1', error: 'no_text', wantedAt: ago(1), alert: null }] } }),
      [],
    ],
    ['figures that the database did not give', { ...vitals(), cards: null }, []],
  ])('%s', (_, given, expected) => {
    expect(troubles(given)).toEqual(expected);
  });

  it('counts all cards that are late, and says since when the oldest waits', () => {
    const undelivered = [waiting(40), waiting(30, channelId('C0OTHER')), waiting(1, channelId('C0NEW'))];
    expect(detectTroubles(vitals({ cards: { undelivered } }), NOW)).toMatchObject([
      { key: 'cards-late', since: ago(40), trouble: { cards: 8, alerts: 6 } },
    ]);
  });
});
