/** What a card's message says about itself to programs: found again by it, and checked from outside. */

import { isCardKey } from '../../lib/ids.ts';
import type { CardKey } from '../../store/port/records.ts';
import type { Block, CardState } from '../model.ts';
import { LIMIT } from './limits.ts';

const CARD_EVENT = 'patchbay_card';

export type CardEventMetadata = {
  readonly event_type: typeof CARD_EVENT;
  readonly event_payload: { readonly key: CardKey; readonly state: CardMessageState };
};

/** An alert has no states: it is posted, and a storm once others of its like stand on the card. */
export type CardMessageState = CardState | 'posted' | 'storm';

/** Message metadata of the card `key`. */
export function cardMetadata(key: CardKey, state: CardMessageState): CardEventMetadata {
  return { event_type: CARD_EVENT, event_payload: { key, state } };
}

/** The key of a card on the blocks of its buttons: a press says on which card it was made, wherever a copy of that stands. */

const BLOCK_ID_PREFIX = 'card/';

/** The same blocks; those that can be pressed and have no id of their own name the card. */
export function withCardKey(blocks: readonly Block[], key: CardKey): readonly Block[] {
  return blocks.map((block, at) => {
    const id = `${BLOCK_ID_PREFIX}${at}/${key}`;
    const named = block.block_id !== undefined || id.length > LIMIT.blockId;
    return named || !isInteractive(block) ? block : { ...block, block_id: id };
  });
}

/** The card that the id of a block names; null where it names none. */
export function cardKeyOfBlock(id: string): CardKey | null {
  const key = /^card\/\d+\/(.+)$/.exec(id)?.[1];
  return isCardKey(key) ? key : null;
}

function isInteractive({ type, ...block }: Block): boolean {
  return type === 'actions' || 'accessory' in block;
}
