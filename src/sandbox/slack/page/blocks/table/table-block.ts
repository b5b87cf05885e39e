import { h } from '../../dom/dom.ts';
import type { Block, RenderContext } from '../../types.ts';
import { renderCellContent } from './cell.ts';

/** The first row is the header, as in Slack. */
export function renderTableBlock(block: Block, surface: RenderContext) {
  const [head = [], ...rows] = block.rows ?? [];
  const look = (column: number) => {
    const setting = block.column_settings?.[column];
    const align = setting?.align === 'right' || setting?.align === 'center' ? setting.align : 'left';
    return { class: `align-${align} ${setting?.is_wrapped ? 'wrapped' : ''}`.trim() };
  };
  const cells = rows.map((row) =>
    h('tr', {}, ...row.map((cell, at) => h('td', look(at), renderCellContent(cell, surface)))),
  );
  return h(
    'div',
    { class: 'table-place', tabindex: 0, role: 'region', 'aria-label': 'Table' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...head.map((cell, at) => h('th', { ...look(at), scope: 'col' }, renderCellContent(cell, surface))),
        ),
      ),
      h('tbody', {}, ...cells),
    ),
  );
}
