/** A menu of which several options are chosen: a disclosure with check boxes. */
/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { plainText } from '../text/text.js';
import { dispatch, hooks } from './hooks.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function multiStaticSelect(element, slot, surface) {
  const chosen = new Set((element.initial_options ?? []).map(({ value }) => value));
  const options = element.options ?? (element.option_groups ?? []).flatMap((group) => group.options);
  const summary = h('summary', { class: 'select' });
  const boxes = options.map(({ text, value }) => {
    const box = h('input', { type: 'checkbox', value: value ?? '', checked: chosen.has(value) });
    return { box, label: h('label', {}, box, plainText(text)), words: plainText(text) };
  });
  const node = h(
    'details',
    { ...hooks(element, slot), class: 'multi-select' },
    summary,
    h('div', { class: 'multi-options', role: 'group' }, ...boxes.map(({ label }) => label)),
  );
  const sum = () => {
    const words = boxes.filter(({ box }) => box.checked).map((each) => each.words);
    summary.textContent = words.join(', ') || plainText(element.placeholder) || 'Select items';
  };
  sum();
  node.addEventListener('change', () => {
    sum();
    const value = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
    void dispatch(node, { element, slot, surface, value });
  });
  return node;
}
