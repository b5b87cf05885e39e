/** @import { Cell, Surface } from '../../types.d.ts' */

import { richText } from '../../text/rich-text.js';
import { withSigns } from '../../text/signs.js';
import { undrawable } from '../../undrawable.js';

/**
 * @param {Cell} cell
 * @param {Surface} surface
 * @returns {Node}
 */
export function cellContent(cell, surface) {
  if (cell.type === 'raw_text') return withSigns(cell.text ?? '');
  if (cell.type === 'raw_number') return document.createTextNode(cell.text ?? String(cell.value ?? ''));
  if (cell.type === 'rich_text')
    return richText({ type: 'rich_text', elements: cell.elements ?? [] }, surface);
  return undrawable('element', cell);
}
