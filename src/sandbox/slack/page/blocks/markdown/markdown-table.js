/** Markdown tables. */
import { h } from '../../dom/dom.js';
import { renderInlineMarkdown } from './markdown-inline.js';

const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/**
 * A line with bars above a line of dashes.
 * @param {string} line
 * @param {string} next
 */
export const isTableHead = (line, next) =>
  line.includes('|') && next.includes('-') && next.includes('|') && RULE.test(next);

/** @param {readonly string[]} lines the head, the rule, the rows */
export function renderMarkdownTable([head = '', rule = '', ...rows]) {
  const looks = cellsOf(rule).map((mark) =>
    /^:.*:$/.test(mark) ? 'align-center' : mark.endsWith(':') ? 'align-right' : 'align-left',
  );
  const names = cellsOf(head);
  const line = (/** @type {string} */ row) => {
    const cells = cellsOf(row);
    return h(
      'tr',
      {},
      ...names.map((_, at) => h('td', { class: looks[at] }, renderInlineMarkdown(cells[at] ?? ''))),
    );
  };
  const heads = names.map((name, at) =>
    h('th', { scope: 'col', class: looks[at] }, renderInlineMarkdown(name)),
  );
  const body = h('tbody', {}, ...rows.map(line));
  return h('div', { class: 'table-place' }, h('table', {}, h('thead', {}, h('tr', {}, ...heads)), body));
}

/** @param {string} line */
function cellsOf(line) {
  const inside = line.trim().replace(/^\||(?<!\\)\|$/g, '');
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
