/** A paged table that sorts by the column whose header is clicked. */

import { h, ICONS, icon } from '../../dom/dom.ts';
import type { Block, ElementSlot, RenderContext, TableCell } from '../../types.ts';
import { actionSlot } from '../layout.ts';
import { renderCellContent } from './cell.ts';
import { nextSortOrder, type SortOrder, sortRows } from './order.ts';

/** docs.slack.dev/reference/block-kit/blocks/data-table-block: default rows per page; column 0 names a row. */
const PAGE_SIZE = 5;

export function renderDataTable(block: Block, surface: RenderContext) {
  const [head = [], ...rows] = block.rows ?? [];
  const size = block.page_size ?? PAGE_SIZE;
  const rowHead = block.row_header_column_index ?? 0;
  const slot = actionSlot(block);
  let sortOrder: SortOrder | null = null;
  let page = 0;
  const body = h('tbody', {});
  const foot = h('div', { class: 'data-table-foot' });
  const heads = head.map((cell, column) => {
    const sort = () => {
      sortOrder = nextSortOrder(sortOrder, column);
      page = 0;
      draw();
    };
    const button = h(
      'button',
      { type: 'button', class: 'sort', click: sort },
      renderCellContent(cell, surface),
    );
    return h('th', { scope: 'col', class: alignmentOf(rows[0]?.[column]) }, button);
  });
  const draw = () => {
    const visibleRows = sortRows(rows, sortOrder).slice(page * size, (page + 1) * size);
    body.replaceChildren(...visibleRows.map((row) => renderRow(row, rowHead, surface, slot)));
    heads.forEach((each, column) => {
      const isSorted = sortOrder?.column === column;
      each.setAttribute('aria-sort', isSorted ? (sortOrder?.isDown ? 'descending' : 'ascending') : 'none');
    });
    foot.replaceChildren(
      ...pages({ page, size, count: rows.length }, (to) => {
        page = to;
        draw();
      }),
    );
  };
  draw();
  const caption = h('caption', {}, block.caption ?? '');
  const table = h('table', {}, caption, h('thead', {}, h('tr', {}, ...heads)), body);
  const container = h('div', {
    class: 'table-place',
    tabindex: 0,
    role: 'region',
    'aria-label': block.caption ?? 'Table',
  });
  container.append(table);
  return h('div', { class: 'data-table' }, container, foot);
}

/** Numbers are aligned right. */
const alignmentOf = (cell: TableCell | undefined) =>
  cell?.type === 'raw_number' ? 'align-right' : 'align-left';

function renderRow(row: readonly TableCell[], rowHead: number, surface: RenderContext, slot: ElementSlot) {
  const cells = row.map((cell, column) =>
    column === rowHead
      ? h('th', { scope: 'row', class: alignmentOf(cell) }, renderCellContent(cell, surface, slot))
      : h('td', { class: alignmentOf(cell) }, renderCellContent(cell, surface, slot)),
  );
  return h('tr', {}, ...cells);
}

/** The range of visible rows, and buttons for other pages if there are any. */
function pages(
  { page, size, count }: { page: number; size: number; count: number },
  turn: (page: number) => void,
) {
  if (count <= size) return [];
  const last = Math.ceil(count / size) - 1;
  const step = (words: string, to: number, drawing: string) =>
    h(
      'button',
      {
        type: 'button',
        class: 'icon-button small',
        'aria-label': words,
        disabled: to < 0 || to > last,
        click: () => turn(to),
      },
      icon(drawing),
    );
  const from = page * size + 1;
  const range = `${from}–${Math.min(from + size - 1, count)} of ${count}`;
  return [
    step('Previous page', page - 1, ICONS.left),
    h('span', { 'aria-live': 'polite' }, range),
    step('Next page', page + 1, ICONS.right),
  ];
}
