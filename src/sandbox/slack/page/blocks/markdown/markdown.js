/** The markdown block: the part of standard Markdown that Slack draws in it, as DOM nodes. */
/** @import { Block } from '../../types.d.ts' */
import { h } from '../../dom/dom.js';
import { renderInlineMarkdown } from './markdown-inline.js';
import { LIST_LINE, takeWhileLines } from './markdown-lines.js';
import { renderList } from './markdown-list.js';
import { isTableHead, renderMarkdownTable } from './markdown-table.js';

/** @param {Block} block */
export const renderMarkdown = (block) =>
  h(
    'div',
    { class: 'markdown' },
    ...pieces((typeof block.text === 'string' ? block.text : '').split('\n'), 0),
  );

/** Maximum nesting of quotes: hostile text must not exhaust the stack. */
const MAX_DEPTH = 6;

/**
 * @param {readonly string[]} lines
 * @param {number} depth
 * @returns {readonly Node[]}
 */
function pieces(lines, depth) {
  /** @type {Node[]} */
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const { node, count } = piece(lines, at, depth);
    if (node) out.push(node);
    at += count;
  }
  return out;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const QUOTE = /^ {0,3}>/;
const LINE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{node: Node | null, count: number}}
 */
function piece(lines, at, depth) {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { node: null, count: 1 };
  if (FENCE.test(line)) return fence(lines, at);
  if (LINE.test(line)) return { node: h('hr', {}), count: 1 };
  const heading = HEADING.exec(line);
  if (heading) return { node: headingOf(heading[1]?.length ?? 1, heading[2] ?? ''), count: 1 };
  if (QUOTE.test(line) && depth < MAX_DEPTH) return quote(lines, at, depth);
  if (LIST_LINE.test(line)) {
    const count = takeWhileLines(lines, at, (each) => LIST_LINE.test(each) || /^\s{2,}\S/.test(each));
    return { node: renderList(lines.slice(at, at + count)), count };
  }
  if (isTableHead(line, lines[at + 1] ?? '')) {
    const count = takeWhileLines(lines, at + 1, (each) => each.includes('|')) + 1;
    return { node: renderMarkdownTable(lines.slice(at, at + count)), count };
  }
  const count = takeWhileLines(lines, at, (each) => !isStart(each));
  return { node: h('p', {}, renderInlineMarkdown(lines.slice(at, at + count).join('\n'))), count };
}

/** Whether a line ends the paragraph before it. @param {string} line */
const isStart = (line) =>
  line.trim() === '' || [FENCE, HEADING, QUOTE, LIST_LINE, LINE].some((form) => form.test(line));

/**
 * @param {number} level
 * @param {string} text
 */
const headingOf = (level, text) =>
  h(
    'div',
    { class: `md-heading level-${level}`, role: 'heading', 'aria-level': level + 2 },
    renderInlineMarkdown(text),
  );

/**
 * @param {readonly string[]} lines
 * @param {number} at
 */
function fence(lines, at) {
  const mark = FENCE.exec(lines[at] ?? '')?.[1] ?? '```';
  const count = takeWhileLines(lines, at, (line) => !line.trim().startsWith(mark));
  return { node: h('pre', {}, lines.slice(at + 1, at + count).join('\n')), count: count + 1 };
}

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @param {number} depth
 */
function quote(lines, at, depth) {
  const count = takeWhileLines(lines, at, (line) => QUOTE.test(line));
  const inside = lines.slice(at, at + count).map((line) => line.replace(/^ {0,3}> ?/, ''));
  return { node: h('blockquote', {}, ...pieces(inside, depth + 1)), count };
}
