/** A labeled form field. */

import { h, newId } from '../dom/dom.ts';
import { renderUnsupported } from '../dom/unsupported.ts';
import { renderElement } from '../elements/index.ts';
import { plainNode } from '../text/text-object.ts';
import type { Block, RenderContext } from '../types.ts';

export function renderInput(block: Block, surface: RenderContext) {
  if (!block.element) return renderUnsupported('block', block, 'no element');
  const labelledBy = newId('label');
  const hint = block.hint && h('p', { id: newId('hint'), class: 'hint' }, plainNode(block.hint));
  const slot = {
    blockId: block.block_id ?? '',
    dispatches: block.dispatch_action === true,
    labelledBy,
    isOptional: block.optional === true,
    ...(hint ? { describedBy: hint.id } : {}),
  };
  const optional = block.optional === true && h('span', { class: 'optional' }, ' (optional)');
  return h(
    'div',
    {
      class: 'input-block',
      'data-input-block': block.block_id ?? '',
      'data-required': block.optional === true ? null : 'true',
    },
    h('div', { id: labelledBy, class: 'input-label' }, plainNode(block.label), optional),
    renderElement(block.element, slot, surface),
    hint,
  );
}
