/** The chosen options of a multi-select: a chip each, with a button that removes it. */
/** @import { Option } from '../../types.d.ts' */
import { h, ICONS, icon } from '../../dom/dom.js';
import { withSigns } from '../../text/signs.js';
import { renderPlainText } from '../../text/text-object.js';

/**
 * @param {readonly Option[]} options
 * @param {(option: Option) => void} remove
 */
export const renderChips = (options, remove) => options.map((option) => chip(option, () => remove(option)));

/**
 * @param {Option} option
 * @param {() => void} remove
 */
function chip(option, remove) {
  const words = renderPlainText(option.text);
  return h(
    'span',
    { class: 'chip', 'data-chip': option.value ?? '' },
    h('span', { class: 'chip-words' }, withSigns(words)),
    h('button', { type: 'button', 'aria-label': `Remove ${words}`, click: remove }, icon(ICONS.close)),
  );
}
