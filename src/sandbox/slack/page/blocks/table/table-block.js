/** @import { Block, RenderContext } from '../../types.d.ts' */
import { h } from '../../dom/dom.js';
import { renderCellContent } from './cell.js';

/**
 * The first row is the header, as in Slack.
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderTableBlock(block, surface) {
  const [head = [], ...rows] = block.rows ?? [];
  /** @param {number} column */
  const look = (column) => {
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
