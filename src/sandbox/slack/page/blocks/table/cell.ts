import { renderUnsupported } from '../../dom/unsupported.ts';
import { renderElement } from '../../elements/index.ts';
import { renderRichText } from '../../text/rich-text.ts';
import { withSigns } from '../../text/signs.ts';
import type { ElementSlot, RenderContext, TableCell } from '../../types.ts';

/** `slot`: of a table that may have buttons. */
export function renderCellContent(cell: TableCell, surface: RenderContext, slot?: ElementSlot): Node {
  if (cell.type === 'raw_text') return withSigns(cell.text ?? '');
  if (cell.type === 'raw_number') return document.createTextNode(cell.text ?? String(cell.value ?? ''));
  if (cell.type === 'rich_text')
    return renderRichText({ type: 'rich_text', elements: cell.elements ?? [] }, surface);
  if (cell.type === 'action_cell' && cell.element && slot) return renderElement(cell.element, slot, surface);
  return renderUnsupported('element', cell);
}
