/** Patchbay's own troubles: the stored types, and the port to them. Part of the store's port. */
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import { type AlertId, type CardKey, type ChannelId, type TroubleId, troubleId } from '../../lib/ids.ts';
import type { WriteFailureReason } from '../../lib/not-stored.ts';
import {
  channelField,
  eventField,
  instantField,
  organizationField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import { errorKind } from './evidence.ts';

/** A problem of Patchbay itself, by what the operator has to do about it. */
const trouble = z.discriminatedUnion('kind', [
  /** Slack can't reach us. */
  z.object({ kind: z.literal('slack-disconnected') }),
  /** Slack answers none of our calls. */
  z.object({ kind: z.literal('slack-silent') }),
  /** Slack has more connections of the app than the replicas hold: somebody else has its app-level token. */
  z.object({ kind: z.literal('slack-shared'), connections: wholeNumber }),
  /** Slack no longer accepts our token, or it lacks a permission; `error` is Slack's code. */
  z.object({ kind: z.literal('slack-refuses'), error: z.string() }),
  z.object({ kind: z.literal('database-down') }),
  z.object({
    kind: z.literal('database-unwritable'),
    why: z.enum(['disk-full', 'read-only', 'broken-disk'] satisfies WriteFailureReason[]),
  }),
  /** The management service is down, or rejects the key: so many calls in a row. */
  z.object({ kind: z.literal('service-failing'), cause: errorKind, failures: wholeNumber }),
  /** `neverRead`: not since the start. */
  z.object({
    kind: z.literal('events-unread'),
    failures: wholeNumber,
    neverRead: z.literal(true).exactOptional(),
  }),
  /** A list of the service lacks too much of what is known, which is kept. */
  z.object({
    kind: z.literal('list-doubted'),
    list: z.enum(['devices', 'groups', 'policies']),
    missing: wholeNumber,
  }),
  z.object({ kind: z.literal('no-devices') }),
  /** The configuration file has these faults, so the one before stays in force. */
  z.object({ kind: z.literal('configuration-refused'), faults: z.array(z.string()) }),
  /** Replicas have different files in force. */
  z.object({ kind: z.literal('configuration-differs') }),
  /** New events have ids that were used before, so they are taken for old ones. */
  z.object({ kind: z.literal('ids-restarted'), newestId: eventField, floorId: eventField }),
  /** Readings of the event log left out what happened between these times. */
  z.object({
    kind: z.literal('events-missing'),
    from: instantField,
    until: instantField,
    /** The log is no longer read for them. */
    givenUp: z.boolean(),
  }),
  /** Cards that should have been shown a while ago; `alerts` of them are alerts. */
  z.object({ kind: z.literal('cards-late'), cards: wholeNumber, alerts: wholeNumber }),
  /** A channel takes no messages, for Slack's reason. */
  z.object({
    kind: z.literal('channel-refuses'),
    channel: channelField,
    error: z.string(),
    cards: wholeNumber,
  }),
  /** Alerts that Slack will never accept. */
  z.object({ kind: z.literal('alerts-given-up'), alerts: wholeNumber, error: z.string() }),
  /**
   * Not a problem, but worth knowing: Patchbay remembers nothing from before. `newFrom`: no id told old events from new
   * ones, so those from this time of the service on are posted.
   */
  z.object({ kind: z.literal('new-database'), newFrom: instantField.exactOptional() }),
]);
export type Trouble = Stored<typeof trouble>;

export const troubleRecord = z.object({
  organizationId: organizationField,
  id: z.string().transform(troubleId),
  /** One trouble per key is open at a time; each channel has a key of its own. */
  key: z.string(),
  trouble,
  since: instantField,
  /** When it was last detected. */
  seenAt: instantField,
  /** Null while it lasts. */
  endedAt: instantField.nullable(),
});
export type TroubleRecord = Stored<typeof troubleRecord>;

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
  /** The alert, if nobody has acknowledged it and it has not ended; null otherwise, and for other cards. */
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
