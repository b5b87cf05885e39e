/** Every type of block with its renderer. */

import { h, newId, renderUnsupported } from '../dom/dom.ts';
import { renderElement } from '../elements/elements.ts';
import { withSigns } from '../text/emoji.ts';
import { renderRichText } from '../text/rich-text.ts';
import { collapsible, plainNode, renderText } from '../text/text-object.ts';
import type { Block, Element, RenderContext, TableCell, TextObject } from '../types.ts';
import { renderChart } from './chart.ts';

type BlockRenderer = (block: Block, surface: RenderContext) => HTMLElement;

const RENDERERS: ReadonlyMap<string, BlockRenderer> = new Map(
  Object.entries({
    actions: renderActions,
    context: renderContext,
    data_visualization: renderChart,
    divider: () => h('hr'),
    input: renderInput,
    rich_text: renderRichText,
    section: renderSection,
    table: renderTable,
  }),
);

/** Renders every block; one that fails is shown as failed and does not affect the others. */
export const renderBlocks = (blocks: readonly Block[], surface: RenderContext) =>
  blocks.map((block) => {
    const node = renderSafely(block, surface);
    node.setAttribute('data-block', block.type);
    return node;
  });

function renderSafely(block: Block, surface: RenderContext) {
  const draw = RENDERERS.get(block.type);
  if (!draw) return renderUnsupported('block', block);
  try {
    return draw(block, surface);
  } catch (error) {
    return renderUnsupported('block', block, error instanceof Error ? error.message : 'error while drawing');
  }
}

function renderSection(block: Block, surface: RenderContext) {
  const fields = (block.fields ?? []).map((field) =>
    h('div', { class: 'field' }, renderText(field, surface)),
  );
  return h(
    'div',
    { class: 'section' },
    h(
      'div',
      { class: 'section-body' },
      block.text && sectionText(block.text, block.expand === true, surface),
      fields.length > 0 && h('div', { class: 'fields' }, ...fields),
    ),
    block.accessory &&
      h('div', { class: 'accessory' }, renderElement(block.accessory, actionSlot(block), surface)),
  );
}

function sectionText(text: TextObject, isExpanded: boolean, surface: RenderContext) {
  const node = h('div', { class: 'section-text' }, renderText(text, surface));
  return isExpanded ? node : collapsible(node, text.text);
}

function renderContext({ elements = [] }: Block, surface: RenderContext) {
  // The elements of a context are texts; those of other blocks are elements, or parts of a rich text.
  const texts = elements as readonly TextObject[];
  return h('div', { class: 'context' }, ...texts.map((text) => h('span', {}, renderText(text, surface))));
}

function renderActions(block: Block, surface: RenderContext) {
  // As above.
  const elements = (block.elements ?? []) as readonly Element[];
  const slot = actionSlot(block);
  return h('div', { class: 'actions' }, ...elements.map((each) => renderElement(each, slot, surface)));
}

/** Outside input blocks an element tells the bot at once. */
const actionSlot = (block: Block) => ({ blockId: block.block_id ?? '', dispatches: true });

/** A labeled form field. */
function renderInput(block: Block, surface: RenderContext) {
  if (!block.element) return renderUnsupported('block', block, 'no element');
  const labelledBy = newId('label');
  const hint = block.hint && h('p', { id: newId('hint'), class: 'hint' }, plainNode(block.hint));
  const isOptional = block.optional === true;
  const slot = {
    blockId: block.block_id ?? '',
    dispatches: block.dispatch_action === true,
    labelledBy,
    isOptional,
    ...(hint ? { describedBy: hint.id } : {}),
  };
  return h(
    'div',
    {
      class: 'input-block',
      'data-input-block': block.block_id ?? '',
      'data-required': isOptional ? null : 'true',
    },
    h(
      'div',
      { id: labelledBy, class: 'input-label' },
      plainNode(block.label),
      isOptional && h('span', { class: 'optional' }, ' (optional)'),
    ),
    renderElement(block.element, slot, surface),
    hint,
  );
}

/** The first row is the header, as in Slack. */
function renderTable(block: Block, surface: RenderContext) {
  const [head = [], ...rows] = block.rows ?? [];
  const look = (column: number) => {
    const { align = 'left', is_wrapped = false } = block.column_settings?.[column] ?? {};
    return { class: `align-${align}${is_wrapped ? ' wrapped' : ''}` };
  };
  const heads = head.map((cell, at) => h('th', { ...look(at), scope: 'col' }, renderCell(cell, surface)));
  const lines = rows.map((row) =>
    h('tr', {}, ...row.map((cell, at) => h('td', look(at), renderCell(cell, surface)))),
  );
  return h(
    'div',
    { class: 'table-place', tabindex: 0, role: 'region', 'aria-label': 'Table' },
    h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...lines)),
  );
}

function renderCell(cell: TableCell, surface: RenderContext): Node {
  if (cell.type === 'raw_text') return withSigns(cell.text ?? '');
  if (cell.type === 'rich_text')
    return renderRichText({ type: 'rich_text', elements: cell.elements ?? [] }, surface);
  return renderUnsupported('element', cell);
}
