/** Detects problems of Patchbay from its vital signs. Pure. */
import type { ServiceFailing } from '../fleet/limits/circuit-breaker.ts';
import { DAY, type Instant, instant, later, MINUTE } from '../lib/clock.ts';
import type { ChannelId, EventId } from '../lib/ids.ts';
import type { WriteFailureReason } from '../lib/not-stored.ts';
import { REQUESTS_SHORTENED } from '../slack/web-api/slack-errors.ts';
import type { AbandonedCard, Trouble, UndeliveredCards } from '../store/port/health-records.ts';
import type { EventGap } from '../store/port/store.ts';
import type { DoubtedList } from '../views/models/list-model.ts';

/** The last count of connections that Slack made. */
export type ConnectionCount = {
  readonly at: Instant;
  /** Those that no replica holds. */
  readonly others: number;
  /** Since when each count found some; null: the last one found none. */
  readonly since: Instant | null;
};

/** The measured state of the process and of what it depends on. */
export type Vitals = {
  readonly startedAt: Instant;
  readonly slack: {
    readonly disconnectedSince: Instant | null;
    /** Since when no call was answered; null: the last one was. */
    readonly silentSince: Instant | null;
    readonly refusal: { readonly error: string; readonly since: Instant } | null;
    /** Since when calls are answered again; the start where nothing was ever wrong. */
    readonly wellSince: Instant;
    readonly wroteAt: Instant | null;
    /** Null: Slack never counted, as over HTTP. */
    readonly counted: ConnectionCount | null;
    /** Channels whose last message was rejected. */
    readonly refusing: ReadonlyMap<ChannelId, { readonly error: string; readonly since: Instant }>;
  };
  readonly database: {
    readonly downSince: Instant | null;
    readonly unwritable: { readonly why: WriteFailureReason; readonly since: Instant } | null;
    readonly wroteAt: Instant | null;
  };
  readonly service: {
    readonly failing: ServiceFailing | null;
    readonly doubts: readonly DoubtedList[];
    readonly isEmpty: boolean;
  };
  readonly configuration: {
    /** Why the file as it is now is not in force. */
    readonly refused: { readonly faults: readonly string[]; readonly since: Instant } | null;
    /** Since when another replica has another file in force. */
    readonly differsSince: Instant | null;
  };
  readonly events: {
    /** Last read by any replica. */
    readonly readAt: Instant | null;
    readonly failures: number;
    /** What the log did not show. */
    readonly gap: EventGap | null;
    readonly restarted: {
      readonly newestId: EventId;
      readonly floorId: EventId;
      readonly since: Instant;
      /** The leader detected it and reports it. */
      readonly byLeader?: true;
    } | null;
  };
  /** Null: the database did not answer. */
  readonly cards: {
    readonly undelivered: readonly UndeliveredCards[];
    readonly givenUp: readonly AbandonedCard[];
  } | null;
};

export type DetectedTrouble = {
  /** Identifies the problem: one of a key is open at a time. */
  readonly key: string;
  readonly trouble: Trouble;
  readonly since: Instant;
  /** Makes `/readyz` fail: Patchbay is not ready, or a person has to act. */
  readonly notReady: boolean;
  readonly notifiesAdmins: boolean;
};

/** Problems that end within this time are not reported. */
const SELF_HEAL_MS = 10 * MINUTE;
/** A problem not seen for this long is over. */
export const OVER_MS = 3 * MINUTE;
/** Without a read of the event log for this long, admins are notified. */
const EVENTS_STALE_MS = 5 * MINUTE;

/** A single unanswered call is not an outage. Slack is called more often than this. */
export const SILENCE_MS = 3 * MINUTE;

export function detectTroubles(vitals: Vitals, now: Instant): readonly DetectedTrouble[] {
  return [
    ...databaseTroubles(vitals, now),
    ...slackTroubles(vitals, now),
    ...serviceTroubles(vitals, now),
    ...eventTroubles(vitals, now),
    ...cardTroubles(vitals, now),
    ...listTroubles(vitals, now),
    ...configurationTroubles(vitals, now),
  ];
}

function databaseTroubles(
  { database: { downSince, unwritable } }: Vitals,
  now: Instant,
): readonly DetectedTrouble[] {
  const down =
    downSince === null
      ? []
      : [detected({ kind: 'database-down' }, downSince, isOver(downSince, SELF_HEAL_MS, now))];
  if (unwritable === null) return down;
  return [...down, detected({ kind: 'database-unwritable', why: unwritable.why }, unwritable.since, true)];
}

function slackTroubles({ slack }: Vitals, now: Instant): readonly DetectedTrouble[] {
  const { refusal, disconnectedSince, silentSince } = slack;
  const troubles: DetectedTrouble[] = [];
  if (refusal !== null)
    troubles.push(detected({ kind: 'slack-refuses', error: refusal.error }, refusal.since, true));
  if (disconnectedSince !== null)
    troubles.push(
      detected(
        { kind: 'slack-disconnected' },
        disconnectedSince,
        isOver(disconnectedSince, SELF_HEAL_MS, now),
      ),
    );
  if (silentSince !== null && isOver(silentSince, SELF_HEAL_MS, now))
    troubles.push(detected({ kind: 'slack-silent' }, silentSince, true));
  const { since = null, at, others } = slack.counted ?? {};
  if (since !== null && at !== undefined && others !== undefined && at >= later(since, SELF_HEAL_MS))
    troubles.push(detected({ kind: 'slack-shared', connections: others }, since, true));
  return troubles;
}

/** A service that does not answer is why its event log is not read: both are one problem, and one message. */
function serviceTroubles(
  { service: { failing }, events: { readAt, failures }, startedAt }: Vitals,
  now: Instant,
): readonly DetectedTrouble[] {
  const key = 'service';
  const unreadSince = readAt ?? startedAt;
  const isLate = isOver(unreadSince, EVENTS_STALE_MS, now);
  if (failing !== null) {
    const { since, ...facts } = failing;
    // A key does not become valid by itself.
    const lasts = isLate || facts.cause === 'unauthorized' || isOver(since, EVENTS_STALE_MS, now);
    return [{ ...detected({ kind: 'service-failing', ...facts }, since, lasts), key, notReady: lasts }];
  }
  if (readAt !== null && !isLate) return [];
  const never = readAt === null ? ({ neverRead: true } as const) : {};
  return [{ ...detected({ kind: 'events-unread', failures, ...never }, unreadSince, isLate), key }];
}

/** An admin may have to accept what is gone; everything else goes on meanwhile. */
function listTroubles(
  { service: { doubts, isEmpty }, startedAt }: Vitals,
  now: Instant,
): readonly DetectedTrouble[] {
  const doubted = doubts.map(({ list, since, missing }) => ({
    ...detected({ kind: 'list-doubted', list, missing }, since, isOver(since, SELF_HEAL_MS, now)),
    key: `list-doubted ${list}`,
    notReady: false,
  }));
  const empty = isEmpty ? [{ ...detected({ kind: 'no-devices' }, startedAt, false), notReady: false }] : [];
  return [...doubted, ...empty];
}

/** A person has to act, and what was in force goes on meanwhile. */
function configurationTroubles({ configuration }: Vitals, now: Instant): readonly DetectedTrouble[] {
  const { refused, differsSince } = configuration;
  const troubles: DetectedTrouble[] = [];
  if (refused !== null) {
    const faults = refused.faults.slice(0, MAX_FAULTS);
    const trouble = { kind: 'configuration-refused', faults } as const;
    // Another file with faults is another message.
    const key = `${trouble.kind} ${refused.since}`;
    troubles.push({ ...detected(trouble, refused.since, true), key });
  }
  if (differsSince !== null)
    troubles.push(
      detected({ kind: 'configuration-differs' }, differsSince, isOver(differsSince, ROLLED_OUT_MS, now)),
    );
  return troubles.map((one) => ({ ...one, notReady: false }));
}

/** Of a file that many edits broke. */
const MAX_FAULTS = 3;
/** A new file reaches all replicas within this time. */
const ROLLED_OUT_MS = 2 * MINUTE;

function eventTroubles({ events: { restarted, gap } }: Vitals, now: Instant): readonly DetectedTrouble[] {
  const missing = gap === null ? [] : missingEvents(gap, now);
  if (restarted === null) return missing;
  const { since, newestId, floorId, byLeader = false } = restarted;
  return [...missing, detected({ kind: 'ids-restarted', newestId, floorId }, since, !byLeader)];
}

/** Those that are looked for no more are said for a day: then nobody can do anything about them any more. */
function missingEvents(gap: EventGap, now: Instant): readonly DetectedTrouble[] {
  const { happenedFrom: from, happenedUntil: until, endsAt } = gap;
  const givenUp = now >= endsAt;
  const trouble = { kind: 'events-missing', from, until, givenUp } as const;
  if (!givenUp) return [detected(trouble, until, true)];
  if (isOver(endsAt, DAY, now)) return [];
  return [{ ...detected(trouble, endsAt, true), key: `${trouble.kind} given-up`, notReady: false }];
}

function cardTroubles({ cards, slack }: Vitals, now: Instant): readonly DetectedTrouble[] {
  if (cards === null) return [];
  const troubles: DetectedTrouble[] = [];
  const isSilent = slack.silentSince !== null && isOver(slack.silentSince, SILENCE_MS, now);
  const isReachable = slack.refusal === null && !isSilent;
  const late: UndeliveredCards[] = [];
  for (const waiting of cards.undelivered) {
    const refused = slack.refusing.get(waiting.channel);
    // After an outage of Slack, waiting messages get time to be posted.
    const base = instant(Math.max(waiting.oldestAt, slack.wellSince));
    const isLate = isOver(base, SELF_HEAL_MS, now);
    if (refused !== undefined && refused.error !== REQUESTS_SHORTENED)
      troubles.push(channelRefusal(waiting, refused.error, isLate));
    else if (isReachable && isLate) late.push(waiting);
  }
  for (const [channel, { error, since }] of slack.refusing)
    if (error === REQUESTS_SHORTENED)
      troubles.push(channelRefusal({ channel, cards: 0, alerts: 0, oldestAt: since }, error, false));
  const [oldest] = late;
  if (oldest !== undefined) {
    const figures = { cards: sumOf(late, 'cards'), alerts: sumOf(late, 'alerts') };
    troubles.push(detected({ kind: 'cards-late', ...figures }, oldest.oldestAt, true));
  }
  return [...troubles, ...givenUpTroubles(cards.givenUp)];
}

function channelRefusal(
  { channel, cards, oldestAt }: UndeliveredCards,
  error: string,
  notReady: boolean,
): DetectedTrouble {
  const trouble = { kind: 'channel-refuses', channel, error, cards } as const;
  return { ...detected(trouble, oldestAt, true), key: `channel-refuses ${channel}`, notReady };
}

/** Until somebody looks after each of them, or for as long as they are asked for. */
function givenUpTroubles(givenUp: readonly AbandonedCard[]): readonly DetectedTrouble[] {
  const alerts = givenUp.filter(({ alert }) => alert !== null);
  const [last] = alerts;
  if (last === undefined || last.wantedAt === null) return [];
  const trouble = { kind: 'alerts-given-up', alerts: alerts.length, error: last.error } as const;
  return [detected(trouble, last.wantedAt, true)];
}

function detected(trouble: Trouble, since: Instant, notifiesAdmins: boolean): DetectedTrouble {
  return { key: trouble.kind, trouble, since, notReady: true, notifiesAdmins };
}

function isOver(since: Instant, ms: number, now: Instant): boolean {
  return now > later(since, ms);
}

function sumOf(rows: readonly UndeliveredCards[], what: 'cards' | 'alerts'): number {
  return rows.reduce((total, row) => total + row[what], 0);
}
