/** @import { Block, Surface } from '../../types.d.ts' */
import { h } from '../../dom.js';
import { cellContent } from './cell.js';

/**
 * The first row is the head, as Slack draws it.
 * @param {Block} block
 * @param {Surface} surface
 */
export function table(block, surface) {
  const [head = [], ...rows] = block.rows ?? [];
  /** @param {number} column */
  const look = (column) => {
    const setting = block.column_settings?.[column];
    const align = setting?.align === 'right' || setting?.align === 'center' ? setting.align : 'left';
    return { class: `align-${align} ${setting?.is_wrapped ? 'wrapped' : ''}`.trim() };
  };
  const cells = rows.map((row) =>
    h('tr', {}, ...row.map((cell, at) => h('td', look(at), cellContent(cell, surface)))),
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
          ...head.map((cell, at) => h('th', { ...look(at), scope: 'col' }, cellContent(cell, surface))),
        ),
      ),
      h('tbody', {}, ...cells),
    ),
  );
}
