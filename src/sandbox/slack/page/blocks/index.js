/** Which file draws which kind of block. */
/** @import { Block, Surface } from '../types.d.ts' */
import { undrawable } from '../undrawable.js';
import { input } from './input.js';
import { actions, context, divider, header, image, section } from './layout.js';
import { markdown } from './markdown.js';
import { richText } from './rich-text.js';
import { table } from './table.js';

/** @typedef {(block: Block, surface: Surface) => HTMLElement} Draw */

/** @type {ReadonlyMap<string, Draw>} */
const drawers = new Map(
  Object.entries({
    actions,
    context,
    divider,
    header,
    image,
    input,
    markdown,
    rich_text: richText,
    section,
    table,
  }),
);

/**
 * Draws every block; one that fails is shown as such and spares its neighbours.
 * @param {readonly Block[]} blocks
 * @param {Surface} surface
 */
export const drawBlocks = (blocks, surface) => blocks.map((block) => drawBlock(block, surface));

/**
 * @param {Block} block
 * @param {Surface} surface
 */
function drawBlock(block, surface) {
  const node = drawSafely(block, surface);
  node.setAttribute('data-block', block.type);
  return node;
}

/**
 * @param {Block} block
 * @param {Surface} surface
 */
function drawSafely(block, surface) {
  const draw = drawers.get(block.type);
  if (!draw) return undrawable('block', block);
  try {
    return draw(block, surface);
  } catch (error) {
    return undrawable('block', block, error instanceof Error ? error.message : 'it failed');
  }
}
