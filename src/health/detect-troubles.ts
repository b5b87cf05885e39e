/** What is wrong, from what was measured: pure. */
import { type Instant, instant, later, MINUTE } from '../lib/clock.ts';
import type { ChannelId, EventId } from '../lib/ids.ts';
import type { WriteFailureReason } from '../lib/not-stored.ts';
import type { AbandonedCard, Trouble, UndeliveredCards } from '../store/port/health-records.ts';

/** What is known of the process and of what it needs. */
export type Vitals = {
  /** When this process began. */
  readonly startedAt: Instant;
  readonly slack: {
    readonly disconnectedSince: Instant | null;
    /** No call was answered since. */
    readonly silentSince: Instant | null;
    readonly refusal: { readonly error: string; readonly since: Instant } | null;
    /** Since when calls are answered again; the start where nothing was ever wrong. */
    readonly wellSince: Instant;
    readonly wroteAt: Instant | null;
    /** Channels that took no message the last time. */
    readonly refusing: ReadonlyMap<ChannelId, { readonly error: string; readonly since: Instant }>;
  };
  readonly database: {
    readonly downSince: Instant | null;
    readonly unwritable: { readonly why: WriteFailureReason; readonly since: Instant } | null;
    readonly wroteAt: Instant | null;
  };
  readonly events: {
    /** By any replica. */
    readonly readAt: Instant | null;
    readonly failures: number;
    readonly restarted: {
      readonly newestId: EventId;
      readonly floorId: EventId;
      readonly since: Instant;
      /** The leader found it, and tells of it. */
      readonly byLeader?: true;
    } | null;
  };
  /** Null: the database did not say. */
  readonly cards: {
    readonly undelivered: readonly UndeliveredCards[];
    readonly givenUp: readonly AbandonedCard[];
  } | null;
};

export type DetectedTrouble = {
  /** One of a kind is open at a time. */
  readonly key: string;
  readonly trouble: Trouble;
  readonly since: Instant;
  /** `/readyz` says no: it is not ready, or somebody has to act. */
  readonly notReady: boolean;
  /** Those who run Patchbay are told. */
  readonly notifiesAdmins: boolean;
};

export type HealthVerdict =
  | { readonly kind: 'ok' }
  | { readonly kind: 'troubles'; readonly troubles: readonly [DetectedTrouble, ...DetectedTrouble[]] };

/** What heals within this heals by itself: nobody is told. */
export const SELF_HEAL_MS = 10 * MINUTE;
/** A trouble that nobody saw for so long is over. */
export const OVER_MS = 3 * MINUTE;
/** Longer than this without having read the event log, and alerts are late enough for somebody to look. */
export const EVENTS_STALE_MS = 5 * MINUTE;

/** One call without an answer is no silence; somebody asks Slack more often than this. */
export const SILENCE_MS = 3 * MINUTE;

export function detectTroubles(vitals: Vitals, now: Instant): HealthVerdict {
  const [first, ...others] = [
    ...databaseTroubles(vitals, now),
    ...slackTroubles(vitals, now),
    ...eventTroubles(vitals, now),
    ...cardTroubles(vitals, now),
  ];
  return first === undefined ? { kind: 'ok' } : { kind: 'troubles', troubles: [first, ...others] };
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
  return troubles;
}

function eventTroubles({ events, startedAt }: Vitals, now: Instant): readonly DetectedTrouble[] {
  const { readAt, failures, restarted } = events;
  const troubles: DetectedTrouble[] = [];
  if (readAt === null || isOver(readAt, EVENTS_STALE_MS, now)) {
    const since = readAt ?? startedAt;
    troubles.push(detected({ kind: 'events-unread', failures }, since, isOver(since, EVENTS_STALE_MS, now)));
  }
  if (restarted !== null) {
    const { since, newestId, floorId, byLeader = false } = restarted;
    troubles.push(detected({ kind: 'ids-restarted', newestId, floorId }, since, !byLeader));
  }
  return troubles;
}

function cardTroubles({ cards, slack }: Vitals, now: Instant): readonly DetectedTrouble[] {
  if (cards === null) return [];
  const troubles: DetectedTrouble[] = [];
  const isSilent = slack.silentSince !== null && isOver(slack.silentSince, SILENCE_MS, now);
  const isReachable = slack.refusal === null && !isSilent;
  const late: UndeliveredCards[] = [];
  for (const waiting of cards.undelivered) {
    const refused = slack.refusing.get(waiting.channel);
    // After an outage of Slack what waited has its time to be shown.
    const base = instant(Math.max(waiting.oldestAt, slack.wellSince));
    const isLate = isOver(base, SELF_HEAL_MS, now);
    if (refused !== undefined) troubles.push(channelRefusal(waiting, refused.error, isLate));
    else if (isReachable && isLate) late.push(waiting);
  }
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
