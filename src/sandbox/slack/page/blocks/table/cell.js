/** @import { TableCell, RenderContext } from '../../types.d.ts' */

import { renderUnsupported } from '../../dom/unsupported.js';
import { renderRichText } from '../../text/rich-text.js';
import { withSigns } from '../../text/signs.js';

/**
 * @param {TableCell} cell
 * @param {RenderContext} surface
 * @returns {Node}
 */
export function renderCellContent(cell, surface) {
  if (cell.type === 'raw_text') return withSigns(cell.text ?? '');
  if (cell.type === 'raw_number') return document.createTextNode(cell.text ?? String(cell.value ?? ''));
  if (cell.type === 'rich_text')
    return renderRichText({ type: 'rich_text', elements: cell.elements ?? [] }, surface);
  return renderUnsupported('element', cell);
}
