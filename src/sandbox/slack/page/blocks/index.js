/** Maps each type of block to its renderer. */
/** @import { Block, RenderContext } from '../types.d.ts' */

import { renderUnsupported } from '../dom/unsupported.js';
import { renderRichText } from '../text/rich-text.js';
import { renderAlert } from './alert.js';
import { renderCard, renderCarousel } from './card.js';
import { renderChart } from './chart/chart.js';
import { renderContainer } from './container.js';
import { renderInput } from './input.js';
import {
  renderActions,
  renderContext,
  renderContextActions,
  renderDivider,
  renderHeader,
  renderImage,
  renderSection,
} from './layout.js';
import { renderMarkdown } from './markdown.js';
import { renderFile, renderVideo } from './media.js';
import { renderDataTable } from './table/data-table.js';
import { renderTableBlock } from './table/table-block.js';
import { renderPlan, renderTaskCard } from './tasks.js';

/** @typedef {(block: Block, surface: RenderContext) => HTMLElement} BlockRenderer */

/** @type {ReadonlyMap<string, BlockRenderer>} */
const RENDERERS = new Map(
  Object.entries({
    actions: renderActions,
    alert: renderAlert,
    card: renderCard,
    carousel: renderCarousel,
    container: renderContainer,
    context: renderContext,
    context_actions: renderContextActions,
    data_table: renderDataTable,
    data_visualization: renderChart,
    divider: renderDivider,
    file: renderFile,
    header: renderHeader,
    image: renderImage,
    input: renderInput,
    markdown: renderMarkdown,
    plan: renderPlan,
    rich_text: renderRichText,
    section: renderSection,
    table: renderTableBlock,
    task_card: renderTaskCard,
    video: renderVideo,
  }),
);

/**
 * Renders every block; one that fails is shown as failed and does not affect the others.
 * @param {readonly Block[]} blocks
 * @param {RenderContext} surface
 */
export const renderBlocks = (blocks, surface) => blocks.map((block) => renderBlock(block, surface));

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
function renderBlock(block, surface) {
  const node = renderSafely(block, surface);
  node.setAttribute('data-block', block.type);
  return node;
}

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
function renderSafely(block, surface) {
  const draw = RENDERERS.get(block.type);
  if (!draw) return renderUnsupported('block', block);
  try {
    return draw(block, surface);
  } catch (error) {
    return renderUnsupported('block', block, error instanceof Error ? error.message : 'error while drawing');
  }
}
