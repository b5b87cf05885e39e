/** @import { Block, Cell, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { undrawable } from '../undrawable.js';
import { richText } from './rich-text.js';

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
    h('tr', {}, ...row.map((cell, at) => h('td', look(at), content(cell, surface)))),
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
          ...head.map((cell, at) => h('th', { ...look(at), scope: 'col' }, content(cell, surface))),
        ),
      ),
      h('tbody', {}, ...cells),
    ),
  );
}

/**
 * @param {Cell} cell
 * @param {Surface} surface
 * @returns {Node}
 */
function content(cell, surface) {
  if (cell.type === 'raw_text') return document.createTextNode(cell.text ?? '');
  if (cell.type === 'raw_number') return document.createTextNode(cell.text ?? String(cell.value ?? ''));
  if (cell.type === 'rich_text')
    return richText({ type: 'rich_text', elements: cell.elements ?? [] }, surface);
  return undrawable('element', cell);
}
