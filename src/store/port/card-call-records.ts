/**
 * Calls to Slack for a card whose outcome is not known, and the port to them. Part of the store's port. A call is
 * recorded before it is made and forgotten once its outcome is known, so what a crash or a lost lease leaves behind still
 * counts as under way.
 */
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { CardKey, ClaimedWork } from './records.ts';

export type CardCall = {
  readonly id: string;
  readonly card: CardKey;
  readonly kind: 'post' | 'edit';
  /** Where the call was made; a person's id stands for their direct message. */
  readonly channel: ChannelId;
  readonly attemptedAt: Instant;
  /** When it was first seen that the call cannot take effect any more. Null: it still may. */
  readonly settledAt: Instant | null;
  /** How long it still may, in milliseconds of real time; 0 once it is settled. */
  readonly settlesInMs: number;
  /** It should have settled, and what follows was done; it is looked for once more, in case it came after all. */
  readonly watched: boolean;
};

export type NewCardCall = Pick<CardCall, 'id' | 'card' | 'kind' | 'channel' | 'attemptedAt'> & {
  /** How long it may still take effect after it was made. */
  readonly settleMs: number;
};

export type CardCallStore = {
  /** Records a call that is about to be made. False: the lease of `work` is lost, so it must not be made. */
  readonly begin: (call: NewCardCall, work: Pick<ClaimedWork, 'kind' | 'key' | 'token'>) => Promise<boolean>;
  /** Records a post of which nothing is known but that there is a message; it is settled. */
  readonly recordSuspected: (call: Omit<NewCardCall, 'kind' | 'settleMs'>) => Promise<void>;
  /** Its outcome is not known, and it may take effect for so long from now on. */
  readonly extend: (id: string, ms: number) => Promise<void>;
  /** They should have settled: they are watched for so long from now on. */
  readonly watch: (ids: readonly string[], ms: number) => Promise<void>;
  /** Their outcomes are known. */
  readonly end: (ids: readonly string[]) => Promise<void>;
  /** The calls of one card, the oldest first. `now` becomes the time at which a call was first seen settled. */
  readonly callsOfCard: (card: CardKey, now: Instant) => Promise<readonly CardCall[]>;
  /** The posts in one channel, of all cards. */
  readonly postsIn: (channel: ChannelId, now: Instant) => Promise<readonly CardCall[]>;
};
