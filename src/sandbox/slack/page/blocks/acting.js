/** @import { Block, Element } from '../types.d.ts' */

/** Outside input blocks an element tells the bot at once. @param {Block} block */
export const acting = (block) => ({ blockId: block.block_id ?? '', dispatches: true });

/**
 * Blocks of these kinds hold elements; others hold parts of a rich text, or blocks.
 * @param {Block} block
 */
export const elementsOf = (block) => /** @type {readonly Element[]} */ (block.elements ?? []);
