/** Markdown lists: nested, numbered or not, with checkboxes. */
import { h } from '../../dom/dom.js';
import { renderInlineMarkdown } from './markdown-inline.js';
import { LIST_LINE } from './markdown-lines.js';

/** @typedef {{indent: number, isOrdered: boolean, start: number, text: string}} ListItem */

/**
 * @param {readonly string[]} lines all of them list lines, or their continuation
 * @returns {HTMLElement}
 */
export function renderList(lines) {
  const items = itemsOf(lines);
  const out = h('div', { class: 'md-list' });
  let at = 0;
  while (at < items.length) {
    const { node, end } = nested(items, at);
    out.append(node);
    at = end;
  }
  return out;
}

/** @param {readonly string[]} lines */
function itemsOf(lines) {
  /** @type {ListItem[]} */
  const items = [];
  for (const line of lines) {
    const match = LIST_LINE.exec(line);
    const last = items.at(-1);
    if (match) {
      const sign = match[2] ?? '';
      items.push({
        indent: (match[1] ?? '').replaceAll('\t', '  ').length,
        isOrdered: /\d/.test(sign),
        start: Number.parseInt(sign, 10) || 1,
        text: match[3] ?? '',
      });
    } else if (last) items[items.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` };
  }
  return items;
}

/**
 * The list that starts at that item, with deeper ones nested inside. It ends where the numbering changes, so it has at
 * least one item.
 * @param {readonly ListItem[]} items
 * @param {number} from
 * @returns {{node: HTMLElement, end: number}}
 */
function nested(items, from) {
  const first = items[from];
  const indent = first?.indent ?? 0;
  const node = first?.isOrdered ? h('ol', { start: first.start }) : h('ul', {});
  let at = from;
  while (at < items.length) {
    const item = items[at];
    if (!item || item.indent < indent) break;
    if (item.indent > indent + 1) {
      const inner = nested(items, at);
      (node.lastElementChild ?? node).append(inner.node);
      at = inner.end;
      continue;
    }
    if (item.isOrdered !== first?.isOrdered) break;
    node.append(drawItem(item.text));
    at += 1;
  }
  return { node, end: at };
}

/** @param {string} text */
function drawItem(text) {
  const task = /^\[([ xX])\]\s+(.*)$/s.exec(text);
  if (!task) return h('li', {}, renderInlineMarkdown(text));
  const box = h('input', {
    type: 'checkbox',
    disabled: true,
    checked: task[1] !== ' ',
    'aria-label': task[2] ?? '',
  });
  return h('li', { class: 'task-item' }, box, renderInlineMarkdown(task[2] ?? ''));
}
