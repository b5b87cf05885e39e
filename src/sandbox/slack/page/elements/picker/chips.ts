/** The chosen options of a multi-select: a chip each, with a button that removes it. */

import { h, ICONS, icon } from '../../dom/dom.ts';
import { withSigns } from '../../text/signs.ts';
import { renderPlainText } from '../../text/text-object.ts';
import type { Option } from '../../types.ts';

export const renderChips = (options: readonly Option[], remove: (option: Option) => void) =>
  options.map((option) => chip(option, () => remove(option)));

function chip(option: Option, remove: () => void) {
  const words = renderPlainText(option.text);
  return h(
    'span',
    { class: 'chip', 'data-chip': option.value ?? '' },
    h('span', { class: 'chip-words' }, withSigns(words)),
    h('button', { type: 'button', 'aria-label': `Remove ${words}`, click: remove }, icon(ICONS.close)),
  );
}
