/** Message metadata and block ids of cards, by which the outbox finds a card in a channel's history. */
import { type CardKey, isCardKey } from '../../lib/ids.ts';
import type { AlertState } from '../../store/port/alert-records.ts';
import type { CardState, RolloutState } from '../models/request-model.ts';
import { type Block, LIMIT } from './limits.ts';

const CARD_EVENT = 'patchbay_card';

export type CardEventMetadata = {
  readonly event_type: typeof CARD_EVENT;
  readonly event_payload: {
    readonly key: CardKey;
    readonly state: CardMessageState;
    readonly counts?: StateCounts;
    readonly devices?: number;
    readonly fixed?: number;
  };
};

/** What has no state is only `posted`. */
export type CardMessageState = CardState | RolloutState | AlertState | 'posted';

/** Devices on an alert's card, and those on which nothing fails any more by proof. */
export type AlertCounts = { readonly devices: number; readonly fixed: number };

/** Devices of a rollout in each state; a state without devices is left out. */
export type StateCounts = Readonly<Record<string, number>>;

export function cardMetadata(
  key: CardKey,
  {
    state,
    counts,
    alert,
  }: {
    readonly state: CardMessageState;
    readonly counts?: StateCounts | undefined;
    readonly alert?: AlertCounts | undefined;
  },
): CardEventMetadata {
  return { event_type: CARD_EVENT, event_payload: { key, state, ...(counts && { counts }), ...alert } };
}

/** Begins block ids that carry the card's key: a press names its card, even on a copy of the message. */
const BLOCK_ID_PREFIX = 'card/';

/** Adds the card's key to the ids of interactive blocks that have no id yet. */
export function withCardKey(blocks: readonly Block[], key: CardKey): readonly Block[] {
  return blocks.map((block, at) => {
    const id = `${BLOCK_ID_PREFIX}${at}/${key}`;
    const named = block.block_id !== undefined || id.length > LIMIT.blockId;
    const isInteractive = block.type === 'actions' || 'accessory' in block;
    return named || !isInteractive ? block : { ...block, block_id: id };
  });
}

/** The card key in a block id; null where it has none. */
export function cardKeyOfBlock(id: string): CardKey | null {
  const key = /^card\/\d+\/(.+)$/.exec(id)?.[1];
  return isCardKey(key) ? key : null;
}
