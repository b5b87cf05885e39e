/** What Patchbay knows of its own troubles, as types, and the port to it. Part of the store's port. */
import type { Instant } from '../../lib/clock.ts';
import type { AlertId, ChannelId, EventId, OrganizationId, TroubleId } from '../../lib/ids.ts';
import type { WriteFailureReason } from '../../lib/not-stored.ts';
import type { CardKey } from './records.ts';

/** What is wrong with Patchbay itself, by what somebody has to do about it. */
export type Trouble =
  /** Slack cannot reach us. */
  | { readonly kind: 'slack-disconnected' }
  /** Slack answers none of our calls. */
  | { readonly kind: 'slack-silent' }
  /** Slack knows our token no more, or it may do too little; `error` is Slack's word. */
  | { readonly kind: 'slack-refuses'; readonly error: string }
  | { readonly kind: 'database-down' }
  | { readonly kind: 'database-unwritable'; readonly why: WriteFailureReason }
  | { readonly kind: 'events-unread'; readonly failures: number }
  /** New events have ids that were given before: they are taken for old ones. */
  | { readonly kind: 'ids-restarted'; readonly newestId: EventId; readonly floorId: EventId }
  /** Cards that were to be shown a while ago; `alerts` of them are alerts. */
  | { readonly kind: 'cards-late'; readonly cards: number; readonly alerts: number }
  /** A channel takes no messages, for Slack's reason. */
  | {
      readonly kind: 'channel-refuses';
      readonly channel: ChannelId;
      readonly error: string;
      readonly cards: number;
    }
  /** Alerts that Slack will never take. */
  | { readonly kind: 'alerts-given-up'; readonly alerts: number; readonly error: string }
  /** No trouble, but to be known: there is no memory of what was before. */
  | { readonly kind: 'new-database' };

export type TroubleRecord = {
  readonly organizationId: OrganizationId;
  readonly id: TroubleId;
  /** One of a kind is open at a time; of channels one for each. */
  readonly key: string;
  readonly trouble: Trouble;
  readonly since: Instant;
  /** When it was last found. */
  readonly seenAt: Instant;
  /** Null while it lasts. */
  readonly endedAt: Instant | null;
};

/** Cards of one channel that wait to be shown or shown anew. */
export type UndeliveredCards = {
  readonly channel: ChannelId;
  readonly cards: number;
  readonly alerts: number;
  /** Since when the oldest of them waits. */
  readonly oldestAt: Instant;
};

/** A card that was given up and stands nowhere. */
export type AbandonedCard = {
  readonly key: CardKey;
  readonly error: string;
  readonly wantedAt: Instant | null;
  /** Of an alert that nobody has taken; null: of something else, or somebody looks after it. */
  readonly alert: AlertId | null;
};

export type HealthStore = {
  /** By channel, those that wait the longest first. */
  readonly undelivered: () => Promise<readonly UndeliveredCards[]>;
  /** Those that were wanted at that time or later, at most 1,000. */
  readonly abandoned: (since: Instant) => Promise<readonly AbandonedCard[]>;
  /** When the event log was last read, by whichever replica. */
  readonly eventsReadAt: () => Promise<Instant | null>;
  /** Writes that we looked after ourselves at `now`; an older reading of the event log than the stored one changes nothing. */
  readonly recordCheck: (now: Instant, eventsReadAt: Instant | null) => Promise<void>;
  /** Those that last, the oldest first. */
  readonly open: () => Promise<readonly TroubleRecord[]>;
  readonly get: (id: TroubleId) => Promise<TroubleRecord | null>;
  /** False: one with its key lasts already. */
  readonly begin: (trouble: Omit<TroubleRecord, 'organizationId'>) => Promise<boolean>;
  /** It is still there, perhaps with other figures. */
  readonly markSeen: (id: TroubleRecord['id'], trouble: Trouble, at: Instant) => Promise<void>;
  /** False: it had ended, or was seen after `unseenSince`. */
  readonly end: (id: TroubleRecord['id'], at: Instant, unseenSince: Instant) => Promise<boolean>;
};
