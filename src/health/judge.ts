/** What is wrong, from what was measured: pure. */
import { type Instant, instant, later, MINUTE } from '../clock.ts';
import type { ChannelId, EventId } from '../ids.ts';
import type { WriteTrouble } from '../not-stored.ts';
import type { GivenUp, Trouble, Undelivered } from '../store/health-records.ts';

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
    readonly unwritable: { readonly why: WriteTrouble; readonly since: Instant } | null;
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
    readonly undelivered: readonly Undelivered[];
    readonly givenUp: readonly GivenUp[];
  } | null;
};

export type Found = {
  /** One of a kind is open at a time. */
  readonly key: string;
  readonly trouble: Trouble;
  readonly since: Instant;
  /** `/readyz` says no: it is not ready, or somebody has to act. */
  readonly red: boolean;
  /** Those who run Patchbay are told. */
  readonly told: boolean;
};

export type Judgement =
  | { readonly kind: 'ok' }
  | { readonly kind: 'troubles'; readonly troubles: readonly [Found, ...Found[]] };

/** What heals within this heals by itself: nobody is told. */
export const HEALS_MS = 10 * MINUTE;
/** A trouble that nobody saw for so long is over. */
export const OVER_MS = 3 * MINUTE;
/** Longer than this without having read the event log, and alerts are late enough for somebody to look. */
export const EVENTS_STALE_MS = 5 * MINUTE;

/** One call without an answer is no silence; somebody asks Slack more often than this. */
export const SILENCE_MS = 3 * MINUTE;

export function judge(vitals: Vitals, now: Instant): Judgement {
  const [first, ...others] = [
    ...databaseTroubles(vitals, now),
    ...slackTroubles(vitals, now),
    ...eventTroubles(vitals, now),
    ...cardTroubles(vitals, now),
  ];
  return first === undefined ? { kind: 'ok' } : { kind: 'troubles', troubles: [first, ...others] };
}

function databaseTroubles({ database: { downSince, unwritable } }: Vitals, now: Instant): readonly Found[] {
  const down =
    downSince === null ? [] : [found({ kind: 'database-down' }, downSince, isOver(downSince, HEALS_MS, now))];
  if (unwritable === null) return down;
  return [...down, found({ kind: 'database-unwritable', why: unwritable.why }, unwritable.since, true)];
}

function slackTroubles({ slack }: Vitals, now: Instant): readonly Found[] {
  const { refusal, disconnectedSince, silentSince } = slack;
  const troubles: Found[] = [];
  if (refusal !== null)
    troubles.push(found({ kind: 'slack-refuses', error: refusal.error }, refusal.since, true));
  if (disconnectedSince !== null)
    troubles.push(
      found({ kind: 'slack-disconnected' }, disconnectedSince, isOver(disconnectedSince, HEALS_MS, now)),
    );
  if (silentSince !== null && isOver(silentSince, HEALS_MS, now))
    troubles.push(found({ kind: 'slack-silent' }, silentSince, true));
  return troubles;
}

function eventTroubles({ events, startedAt }: Vitals, now: Instant): readonly Found[] {
  const { readAt, failures, restarted } = events;
  const troubles: Found[] = [];
  if (readAt === null || isOver(readAt, EVENTS_STALE_MS, now)) {
    const since = readAt ?? startedAt;
    troubles.push(found({ kind: 'events-unread', failures }, since, isOver(since, EVENTS_STALE_MS, now)));
  }
  if (restarted !== null) {
    const { since, newestId, floorId, byLeader = false } = restarted;
    troubles.push(found({ kind: 'ids-restarted', newestId, floorId }, since, !byLeader));
  }
  return troubles;
}

function cardTroubles({ cards, slack }: Vitals, now: Instant): readonly Found[] {
  if (cards === null) return [];
  const troubles: Found[] = [];
  const isSilent = slack.silentSince !== null && isOver(slack.silentSince, SILENCE_MS, now);
  const isReachable = slack.refusal === null && !isSilent;
  const late: Undelivered[] = [];
  for (const waiting of cards.undelivered) {
    const refused = slack.refusing.get(waiting.channel);
    // After an outage of Slack what waited has its time to be shown.
    const base = instant(Math.max(waiting.oldestAt, slack.wellSince));
    const isLate = isOver(base, HEALS_MS, now);
    if (refused !== undefined) troubles.push(refusing(waiting, refused.error, isLate));
    else if (isReachable && isLate) late.push(waiting);
  }
  const [oldest] = late;
  if (oldest !== undefined) {
    const figures = { cards: sum(late, 'cards'), alerts: sum(late, 'alerts') };
    troubles.push(found({ kind: 'cards-late', ...figures }, oldest.oldestAt, true));
  }
  return [...troubles, ...givenUpTroubles(cards.givenUp)];
}

function refusing({ channel, cards, oldestAt }: Undelivered, error: string, red: boolean): Found {
  const trouble = { kind: 'channel-refuses', channel, error, cards } as const;
  return { ...found(trouble, oldestAt, true), key: `channel-refuses ${channel}`, red };
}

/** Until somebody looks after each of them, or for as long as they are asked for. */
function givenUpTroubles(givenUp: readonly GivenUp[]): readonly Found[] {
  const alerts = givenUp.filter(({ alert }) => alert !== null);
  const [last] = alerts;
  if (last === undefined || last.wantedAt === null) return [];
  const trouble = { kind: 'alerts-given-up', alerts: alerts.length, error: last.error } as const;
  return [found(trouble, last.wantedAt, true)];
}

function found(trouble: Trouble, since: Instant, told: boolean): Found {
  return { key: trouble.kind, trouble, since, red: true, told };
}

function isOver(since: Instant, ms: number, now: Instant): boolean {
  return now > later(since, ms);
}

function sum(rows: readonly Undelivered[], what: 'cards' | 'alerts'): number {
  return rows.reduce((total, row) => total + row[what], 0);
}
