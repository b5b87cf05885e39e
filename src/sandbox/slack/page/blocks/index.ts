/** Maps each type of block to its renderer. */

import { renderUnsupported } from '../dom/unsupported.ts';
import { renderRichText } from '../text/rich-text.ts';
import type { Block, RenderContext } from '../types.ts';
import { renderAlert } from './alert.ts';
import { renderCard, renderCarousel } from './card.ts';
import { renderChart } from './chart/chart.ts';
import { renderContainer } from './container.ts';
import { renderInput } from './input.ts';
import {
  renderActions,
  renderContext,
  renderContextActions,
  renderDivider,
  renderHeader,
  renderImage,
  renderSection,
} from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { renderFile, renderVideo } from './media.ts';
import { renderDataTable } from './table/data-table.ts';
import { renderTableBlock } from './table/table-block.ts';
import { renderPlan, renderTaskCard } from './tasks.ts';

type BlockRenderer = (block: Block, surface: RenderContext) => HTMLElement;

const RENDERERS: ReadonlyMap<string, BlockRenderer> = new Map(
  Object.entries({
    actions: renderActions,
    alert: renderAlert,
    card: renderCard,
    carousel: renderCarousel,
    container: (block: Block, surface: RenderContext) =>
      renderContainer(block, renderBlocks(block.child_blocks ?? [], surface), surface),
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

/** Renders every block; one that fails is shown as failed and does not affect the others. */
export const renderBlocks = (blocks: readonly Block[], surface: RenderContext) =>
  blocks.map((block) => renderBlock(block, surface));

function renderBlock(block: Block, surface: RenderContext) {
  const node = renderSafely(block, surface);
  node.setAttribute('data-block', block.type);
  return node;
}

function renderSafely(block: Block, surface: RenderContext) {
  const draw = RENDERERS.get(block.type);
  if (!draw) return renderUnsupported('block', block);
  try {
    return draw(block, surface);
  } catch (error) {
    return renderUnsupported('block', block, error instanceof Error ? error.message : 'error while drawing');
  }
}
