/** The key of a card on the blocks of its buttons: a press says on which card it was made, wherever a copy of that stands. */
import { type CardKey, isCardKey } from '../../ids.ts';
import type { Block } from '../model.ts';
import { LIMIT } from './limits.ts';

const PREFIX = 'card/';

/** The same blocks; those that can be pressed and have no id of their own name the card. */
export function ofCard(blocks: readonly Block[], key: CardKey): readonly Block[] {
  return blocks.map((block, at) => {
    const id = `${PREFIX}${at}/${key}`;
    const named = block.block_id !== undefined || id.length > LIMIT.blockId;
    return named || !canBePressed(block) ? block : { ...block, block_id: id };
  });
}

/** The card that the id of a block names; null where it names none. */
export function cardOfBlock(id: string): CardKey | null {
  const key = /^card\/\d+\/(.+)$/.exec(id)?.[1];
  return isCardKey(key) ? key : null;
}

function canBePressed({ type, ...block }: Block): boolean {
  return type === 'actions' || 'accessory' in block;
}
