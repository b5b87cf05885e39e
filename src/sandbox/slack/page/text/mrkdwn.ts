/**
 * Slack's mrkdwn as DOM nodes. Lines become blocks (preformatted, quotes, list lines); `inline.ts` renders the inside
 * of a line. Slack shows `- item` and `• item` literally, so list lines only get a hanging indent.
 */

import { h } from '../dom/dom.ts';
import type { ViewerContext } from '../types.ts';
import { decoded } from './entities.ts';
import { renderInline } from './inline.ts';

export function renderMrkdwn(text: string, reader: ViewerContext): DocumentFragment {
  const out = document.createDocumentFragment();
  let end = 0;
  for (const fence of text.matchAll(/```\n?([\s\S]+?)\n?```/g)) {
    out.append(lines(text.slice(end, fence.index), reader));
    out.append(h('pre', {}, decoded(fence[1] ?? '')));
    end = fence.index + fence[0].length;
  }
  out.append(lines(text.slice(end), reader));
  return out;
}

const QUOTE = /^(?:>|&gt;) ?/;
const LONG_QUOTE = /^(?:>>>|&gt;&gt;&gt;) ?/;
const LIST = /^ *(?:[•◦▪-]|\d+\.) /;

function lines(text: string, reader: ViewerContext) {
  const out = document.createDocumentFragment();
  const all = text.replace(/^\n|\n$/g, '').split('\n');
  if (text === '') return out;
  let index = 0;
  while (index < all.length) {
    const line = all[index] ?? '';
    const count = LONG_QUOTE.test(line) ? all.length - index : run(all, index, kindOf(line));
    out.append(block(kindOf(line), all.slice(index, index + count), reader));
    index += count;
  }
  return out;
}

function kindOf(line: string) {
  if (QUOTE.test(line)) return 'quote';
  return LIST.test(line) ? 'list' : 'plain';
}

/** Number of lines from `start` on that are of that kind. */
function run(all: readonly string[], start: number, kind: string) {
  let end = start;
  while (end < all.length && kindOf(all[end] ?? '') === kind) end += 1;
  return end - start;
}

function block(kind: 'quote' | 'list' | 'plain', part: readonly string[], reader: ViewerContext) {
  if (kind === 'list') {
    const items = document.createDocumentFragment();
    for (const line of part) items.append(h('div', { class: 'list-line' }, renderInline(line, reader)));
    return items;
  }
  if (kind === 'plain') return h('div', { class: 'lines' }, renderInline(part.join('\n'), reader));
  const isLong = LONG_QUOTE.test(part[0] ?? '');
  const quoted = part.map((line, index) =>
    isLong ? (index === 0 ? line.replace(LONG_QUOTE, '') : line) : line.replace(QUOTE, ''),
  );
  return h('blockquote', {}, renderInline(quoted.join('\n'), reader));
}
