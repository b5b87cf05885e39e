/** What is chosen in a menu of several: one chip each, with a button that takes it away again. */
/** @import { Option } from '../../types.d.ts' */
import { h, ICONS, icon } from '../../dom.js';
import { withSigns } from '../../text/signs.js';
import { plainText } from '../../text/text.js';

/**
 * @param {readonly Option[]} options
 * @param {(option: Option) => void} remove
 */
export const drawChips = (options, remove) => options.map((option) => chip(option, () => remove(option)));

/**
 * @param {Option} option
 * @param {() => void} remove
 */
function chip(option, remove) {
  const words = plainText(option.text);
  return h(
    'span',
    { class: 'chip', 'data-chip': option.value ?? '' },
    h('span', { class: 'chip-words' }, withSigns(words)),
    h('button', { type: 'button', 'aria-label': `Remove ${words}`, click: remove }, icon(ICONS.close)),
  );
}
