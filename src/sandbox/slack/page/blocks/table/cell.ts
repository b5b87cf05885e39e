import { renderUnsupported } from '../../dom/unsupported.ts';
import { renderRichText } from '../../text/rich-text.ts';
import { withSigns } from '../../text/signs.ts';
import type { RenderContext, TableCell } from '../../types.ts';

export function renderCellContent(cell: TableCell, surface: RenderContext): Node {
  if (cell.type === 'raw_text') return withSigns(cell.text ?? '');
  if (cell.type === 'raw_number') return document.createTextNode(cell.text ?? String(cell.value ?? ''));
  if (cell.type === 'rich_text')
    return renderRichText({ type: 'rich_text', elements: cell.elements ?? [] }, surface);
  return renderUnsupported('element', cell);
}
