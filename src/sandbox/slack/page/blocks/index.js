/** Which file draws which kind of block. */
/** @import { Block, Surface } from '../types.d.ts' */

import { richText } from '../text/rich-text.js';
import { undrawable } from '../undrawable.js';
import { alert } from './alert.js';
import { card, carousel } from './card.js';
import { chart } from './chart/chart.js';
import { container } from './container.js';
import { input } from './input.js';
import { actions, context, contextActions, divider, header, image, section } from './layout.js';
import { markdown } from './markdown/markdown.js';
import { file, video } from './media.js';
import { dataTable } from './table/data-table.js';
import { table } from './table/table.js';
import { plan, taskCard } from './tasks.js';

/** @typedef {(block: Block, surface: Surface) => HTMLElement} Draw */

/** @type {ReadonlyMap<string, Draw>} */
const drawers = new Map(
  Object.entries({
    actions,
    alert,
    card,
    carousel,
    container,
    context,
    context_actions: contextActions,
    data_table: dataTable,
    data_visualization: chart,
    divider,
    file,
    header,
    image,
    input,
    markdown,
    plan,
    rich_text: richText,
    section,
    table,
    task_card: taskCard,
    video,
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
    return undrawable('block', block, error instanceof Error ? error.message : 'error while drawing');
  }
}
