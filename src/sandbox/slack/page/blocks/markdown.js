/** The markdown block: the part of standard Markdown that Slack draws in it, as DOM nodes. */
/** @import { Block } from '../types.d.ts' */
import { h } from '../dom.js';
import { markdownInline } from './markdown-inline.js';

/** @param {Block} block */
export function markdown(block) {
  const out = h('div', { class: 'markdown' });
  const lines = (typeof block.text === 'string' ? block.text : '').split('\n');
  let at = 0;
  while (at < lines.length) {
    const { node, count } = piece(lines, at);
    if (node) out.append(node);
    at += count;
  }
  return out;
}

/** @typedef {{node: Node | null, count: number}} Piece */

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @returns {Piece}
 */
function piece(lines, at) {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { node: null, count: 1 };
  if (/^ {0,3}```/.test(line)) return fence(lines, at);
  if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return { node: h('hr', {}), count: 1 };
  const heading = /^ {0,3}(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return { node: h('h4', {}, markdownInline(heading[2] ?? '')), count: 1 };
  if (/^ {0,3}>/.test(line)) return quote(lines, at);
  if (LIST_LINE.test(line)) return list(lines, at);
  const count = run(
    lines,
    at,
    (each) => each.trim() !== '' && !/^ {0,3}(?:```|#{1,6}\s|>)/.test(each) && !LIST_LINE.test(each),
  );
  return { node: h('p', {}, markdownInline(lines.slice(at, at + count).join('\n'))), count };
}

const LIST_LINE = /^\s*(?:[-*+]|\d+[.)])\s+/;

/**
 * At least one, so that reading always moves on.
 * @param {readonly string[]} lines
 * @param {number} from
 * @param {(line: string) => boolean} belongs
 */
function run(lines, from, belongs) {
  let end = from + 1;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return end - from;
}

/**
 * @param {readonly string[]} lines
 * @param {number} at
 */
function fence(lines, at) {
  const count = run(lines, at, (line) => !/^ {0,3}```\s*$/.test(line));
  return { node: h('pre', {}, lines.slice(at + 1, at + count).join('\n')), count: count + 1 };
}

/**
 * @param {readonly string[]} lines
 * @param {number} at
 */
function quote(lines, at) {
  const count = run(lines, at, (line) => /^ {0,3}>/.test(line));
  const text = lines.slice(at, at + count).map((line) => line.replace(/^ {0,3}> ?/, ''));
  return { node: h('blockquote', {}, markdownInline(text.join('\n'))), count };
}

/**
 * @param {readonly string[]} lines
 * @param {number} at
 */
function list(lines, at) {
  const count = run(lines, at, (line) => LIST_LINE.test(line));
  const items = lines.slice(at, at + count).map((line) => {
    const depth = Math.min(Math.floor((/^\s*/.exec(line)?.[0].length ?? 0) / 2), 8);
    return h('li', { class: `depth-${depth}` }, markdownInline(line.replace(LIST_LINE, '')));
  });
  const isOrdered = /^\s*\d/.test(lines[at] ?? '');
  return { node: h(isOrdered ? 'ol' : 'ul', {}, ...items), count };
}
