/**
 * Cards, calls to Slack for a card whose outcome is unknown, and the ports to them. Part of the store's port. A call is
 * recorded before it is made and deleted once its outcome is known, so what a crash or a lost lease leaves behind
 * still counts as in flight.
 */
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import { type CardKey, type ChannelId, isCardKey, type MessageTs, messageTs } from '../../lib/ids.ts';
import {
  channelField,
  instantField,
  nullableText,
  organizationField,
  personField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import type { ClaimedWork, NewWork } from './work-records.ts';

export const cardKeyField = z.custom<CardKey>(isCardKey, 'not a card key');

/** A message that shows a thing and is edited as the thing changes; part of the outbox. */
export const cardRecord = z.object({
  organizationId: organizationField,
  key: cardKeyField,
  /** The channel for which it is meant. */
  channel: channelField,
  /** The person whose direct messages receive it when the bot is not a member of the channel. */
  fallbackPerson: personField.nullable(),
  postedChannel: channelField.nullable(),
  ts: z.string().transform(messageTs).nullable(),
  wantedRevision: wholeNumber,
  shownRevision: wholeNumber,
  /** Slack's error when the card was abandoned, such as `is_archived`. */
  failure: nullableText,
});
export type CardRecord = Stored<typeof cardRecord>;

export type CardStore = {
  /**
   * Creates the card or increments its wanted revision, and schedules its `card` work at `dueAt`. `keepsDue`: a scheduled
   * update keeps its time, so that many in a row are one; `keepsEarlier`: only where its time is earlier.
   */
  readonly enqueue: (
    card: Pick<CardRecord, 'key' | 'channel' | 'fallbackPerson'> & { readonly dueAt: Instant },
    options?: Pick<NewWork, 'keepsDue' | 'keepsEarlier'>,
  ) => Promise<void>;
  /** The same; does nothing without a card. */
  readonly enqueueUpdate: (
    key: CardKey,
    dueAt: Instant,
    options?: Pick<NewWork, 'keepsDue' | 'keepsEarlier'>,
  ) => Promise<void>;
  readonly get: (key: CardKey) => Promise<CardRecord | null>;
  /** Posted at (channel, ts) with this revision. False: another message was recorded first, which stays. */
  readonly recordPosted: (
    key: CardKey,
    where: { readonly channel: ChannelId; readonly ts: MessageTs; readonly revision: number },
  ) => Promise<boolean>;
  readonly recordEdited: (key: CardKey, revision: number) => Promise<void>;
  /** Records that the message is gone; ignored when another message is recorded for the card by now. */
  readonly recordRemoved: (key: CardKey, where: { readonly ts: MessageTs }) => Promise<void>;
  /** False: a newer revision is wanted or it was posted elsewhere, so it is tried again. */
  readonly giveUp: (
    card: Pick<CardRecord, 'key' | 'ts' | 'wantedRevision'>,
    failure: string,
  ) => Promise<boolean>;
  /** Its cards without a message are due at `at` as if never tried, their work with the payload `channel-open`. */
  readonly resumeUnposted: (channel: ChannelId, at: Instant) => Promise<void>;
};

/** Payload of card work whose channel was opened since the last try. */
export type ChannelOpenPayload = 'channel-open';

export const cardCall = z.object({
  id: z.string(),
  card: cardKeyField,
  kind: z.enum(['post', 'edit']),
  /** The channel of the call; a person's id stands for their direct messages. */
  channel: channelField,
  attemptedAt: instantField,
  /** When it was first seen that the call can no longer take effect. Null: it still may. */
  settledAt: instantField.nullable(),
  /** How long it may still take effect, in milliseconds of real time; 0 once it is settled. */
  settlesInMs: wholeNumber,
  /** It should have settled, and the next call was made; its effect is searched for once more, in case it came late. */
  watched: z.boolean(),
});
export type CardCall = Stored<typeof cardCall>;

export type NewCardCall = Pick<CardCall, 'id' | 'card' | 'kind' | 'channel' | 'attemptedAt'> & {
  /** How long after the call it may take effect, in milliseconds. */
  readonly settleMs: number;
};

export type CardCallStore = {
  /** Records a call that is about to be made. False: the lease of `work` is lost, so it must not be made. */
  readonly begin: (call: NewCardCall, work: Pick<ClaimedWork, 'kind' | 'key' | 'token'>) => Promise<boolean>;
  /** Records a post that is only known to have made a message; it is settled. `watched`: the card is posted without it. */
  readonly recordSuspected: (
    call: Omit<NewCardCall, 'kind' | 'settleMs'> & Partial<Pick<CardCall, 'watched'>>,
  ) => Promise<void>;
  /** Its outcome is unknown, and it may take effect for `ms` from now on. */
  readonly extend: (id: string, ms: number) => Promise<void>;
  /** These calls should have settled; they are watched for `ms` from now on. */
  readonly watch: (ids: readonly string[], ms: number) => Promise<void>;
  /** Deletes calls whose outcomes are known. */
  readonly end: (ids: readonly string[]) => Promise<void>;
  /** The calls of one card, oldest first. `now` becomes the time at which a call was first seen settled. */
  readonly callsOfCard: (card: CardKey, now: Instant) => Promise<readonly CardCall[]>;
  readonly postsIn: (channel: ChannelId, now: Instant) => Promise<readonly CardCall[]>;
};
