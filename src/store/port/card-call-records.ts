/**
 * Calls to Slack for a card whose outcome is unknown, and the port to them. Part of the store's port. A call is
 * recorded before it is made and deleted once its outcome is known, so what a crash or a lost lease leaves behind
 * still counts as in flight.
 */
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import { channelField, instantField, type Stored, wholeNumber } from '../../lib/record-fields.ts';
import { type CardKey, type ClaimedWork, cardKeyField } from './records.ts';

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
