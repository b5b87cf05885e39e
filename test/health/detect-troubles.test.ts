import { describe, expect, it } from 'vitest';
import { detectTroubles, type Vitals } from '../../src/health/detect-troubles.ts';
import { type Instant, later, MINUTE } from '../../src/lib/clock.ts';
import { alertId, channelId, eventId } from '../../src/lib/ids.ts';
import type { EventGap } from '../../src/store/port/records.ts';
import { NOW, vitals } from './fake-vitals.ts';

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
      [['slack-refuses', true, true]],
    ],
    [
      'a connection lost just now',
      vitals({ slack: { disconnectedSince: ago(10) } }),
      [['slack-disconnected', true, false]],
    ],
    [
      'one lost long ago',
      vitals({ slack: { disconnectedSince: ago(11) } }),
      [['slack-disconnected', true, true]],
    ],
    ['a Slack that is silent for a moment', vitals({ slack: { silentSince: ago(10) } }), []],
    ['one that stays silent', vitals({ slack: { silentSince: ago(11) } }), [['slack-silent', true, true]]],
    [
      'a database that is down just now',
      vitals({ database: { downSince: ago(1) } }),
      [['database-down', true, false]],
    ],
    ['one that stays down', vitals({ database: { downSince: ago(11) } }), [['database-down', true, true]]],
    [
      'a full disk',
      vitals({ database: { unwritable: { why: 'disk-full', since: NOW } } }),
      [['database-unwritable', true, true]],
    ],
    ['an event log read five minutes ago', vitals({ events: { readAt: ago(5) } }), []],
    ['one read before that', vitals({ events: { readAt: ago(6) } }), [['events-unread', true, true]]],
    [
      'one never read since a start long ago',
      vitals({ events: { readAt: null } }),
      [['events-unread', true, true]],
    ],
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
      [['service-failing', true, true]],
    ],
    [
      'a key that is rejected, as soon as that is certain',
      vitals({ service: { failing: { cause: 'unauthorized', since: NOW, failures: 3 } } }),
      [['service-failing', true, true]],
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
      'events that the log did not list',
      vitals({ events: { gap: aGap(later(NOW, 1)) } }),
      [['events-missing', true, true]],
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
      [['ids-restarted', true, true]],
    ],
    ['cards that wait for ten minutes', vitals({ cards: { undelivered: [waiting(10)] } }), []],
    [
      'cards that wait longer',
      vitals({ cards: { undelivered: [waiting(11)] } }),
      [['cards-late', true, true]],
    ],
    [
      'cards that wait while Slack is silent',
      vitals({ slack: { silentSince: ago(4) }, cards: { undelivered: [waiting(11)] } }),
      [],
    ],
    [
      'cards that wait though Slack answers other calls',
      vitals({ slack: { silentSince: ago(1) }, cards: { undelivered: [waiting(11)] } }),
      [['cards-late', true, true]],
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
      [['channel-refuses', true, true]],
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
      [['alerts-given-up', true, true]],
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
