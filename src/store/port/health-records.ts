/** Patchbay's own troubles: the stored types, and the port to them. Part of the store's port. */
import type { Instant } from '../../lib/clock.ts';
import type { AlertId, ChannelId, EventId, OrganizationId, TroubleId } from '../../lib/ids.ts';
import type { WriteFailureReason } from '../../lib/not-stored.ts';
import type { CardKey } from './records.ts';

/** A problem of Patchbay itself, by what the operator has to do about it. */
export type Trouble =
  /** Slack can't reach us. */
  | { readonly kind: 'slack-disconnected' }
  /** Slack answers none of our calls. */
  | { readonly kind: 'slack-silent' }
  /** Slack no longer accepts our token, or it lacks a permission; `error` is Slack's code. */
  | { readonly kind: 'slack-refuses'; readonly error: string }
  | { readonly kind: 'database-down' }
  | { readonly kind: 'database-unwritable'; readonly why: WriteFailureReason }
  | { readonly kind: 'events-unread'; readonly failures: number }
  /** New events have ids that were used before, so they are taken for old ones. */
  | { readonly kind: 'ids-restarted'; readonly newestId: EventId; readonly floorId: EventId }
  /** Cards that should have been shown a while ago; `alerts` of them are alerts. */
  | { readonly kind: 'cards-late'; readonly cards: number; readonly alerts: number }
  /** A channel takes no messages, for Slack's reason. */
  | {
      readonly kind: 'channel-refuses';
      readonly channel: ChannelId;
      readonly error: string;
      readonly cards: number;
    }
  /** Alerts that Slack will never accept. */
  | { readonly kind: 'alerts-given-up'; readonly alerts: number; readonly error: string }
  /**
   * Not a problem, but worth knowing: Patchbay remembers nothing from before. `newFrom`: no id told old events from new
   * ones, so those from this time of the service on are posted.
   */
  | { readonly kind: 'new-database'; readonly newFrom?: Instant };

export type TroubleRecord = {
  readonly organizationId: OrganizationId;
  readonly id: TroubleId;
  /** One trouble per key is open at a time; each channel has a key of its own. */
  readonly key: string;
  readonly trouble: Trouble;
  readonly since: Instant;
  /** When it was last detected. */
  readonly seenAt: Instant;
  /** Null while it lasts. */
  readonly endedAt: Instant | null;
};

/** Cards of one channel that wait to be posted or updated. */
export type UndeliveredCards = {
  readonly channel: ChannelId;
  readonly cards: number;
  readonly alerts: number;
  /** How long the oldest has been waiting: since this time. */
  readonly oldestAt: Instant;
};

/** A card that was abandoned and was never posted. */
export type AbandonedCard = {
  readonly key: CardKey;
  readonly error: string;
  readonly wantedAt: Instant | null;
  /** The alert, if nobody has acknowledged it; null otherwise, and for other cards. */
  readonly alert: AlertId | null;
};

export type HealthStore = {
  /** By channel, longest wait first. */
  readonly undelivered: () => Promise<readonly UndeliveredCards[]>;
  /** Cards that were last wanted at `since` or later, at most 1,000. */
  readonly abandoned: (since: Instant) => Promise<readonly AbandonedCard[]>;
  /** When any replica last read the event log. */
  readonly eventsReadAt: () => Promise<Instant | null>;
  /** Records that we checked ourselves at `now`; an older read time of the event log than the stored one is ignored. */
  readonly recordCheck: (now: Instant, eventsReadAt: Instant | null) => Promise<void>;
  /** Open troubles, oldest first. */
  readonly open: () => Promise<readonly TroubleRecord[]>;
  readonly get: (id: TroubleId) => Promise<TroubleRecord | null>;
  /** False: one with its key is already open. */
  readonly begin: (trouble: Omit<TroubleRecord, 'organizationId'>) => Promise<boolean>;
  /** It was detected again, perhaps with other figures. */
  readonly markSeen: (id: TroubleRecord['id'], trouble: Trouble, at: Instant) => Promise<void>;
  /** False: it had already ended, or was seen after `unseenSince`. */
  readonly end: (id: TroubleRecord['id'], at: Instant, unseenSince: Instant) => Promise<boolean>;
};
