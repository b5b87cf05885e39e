/** A labelled field of a form. */
/** @import { Block, Surface } from '../types.d.ts' */
import { h, newId } from '../dom.js';
import { drawElement } from '../elements/index.js';
import { plainNode } from '../text/text.js';
import { undrawable } from '../undrawable.js';

/**
 * @param {Block} block
 * @param {Surface} surface
 */
export function input(block, surface) {
  if (!block.element) return undrawable('block', block, 'no element');
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
    drawElement(block.element, slot, surface),
    hint,
  );
}
