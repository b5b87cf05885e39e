/** A date as Slack shows it: a button that opens a calendar. */

import { h, ICONS, icon, newId } from '../../dom/dom.js';
import { dayKey } from '../../text/dates.js';
import { markTouched } from '../field-values.js';
import { createCalendar } from './calendar.js';
import { dayInShort, isDay } from './days.js';

/**
 * @typedef {object} DayOptions
 * @property {Record<string, string | boolean | null>} attributes
 * @property {string} placeholder
 * @property {string | undefined} initial
 * @property {() => number} now
 * @property {(day: string) => Promise<boolean>} onChange false takes the choice back
 */

/** @param {DayOptions} options */
export function createDayButton({ attributes, placeholder, initial, now, onChange }) {
  const words = h('span', { id: newId('day'), class: 'day-words' });
  const label = attributes['aria-labelledby'];
  const button = h(
    'button',
    {
      ...attributes,
      type: 'button',
      class: 'picker-box day-box',
      'aria-haspopup': 'dialog',
      'aria-labelledby': label ? `${label} ${words.id}` : null,
    },
    icon(ICONS.calendar),
    words,
    h('span', { class: 'chevron', 'aria-hidden': 'true' }, icon('M6 8l4 4 4-4')),
  );
  /** @type {string | null} */
  let day = null;
  /** @param {string | null | undefined} to */
  const set = (to) => {
    day = isDay(to) ? to : null;
    words.textContent = day === null ? placeholder : dayInShort(day);
    words.classList.toggle('placeholder', day === null);
  };
  const calendar = createCalendar({
    anchor: button,
    today: () => dayKey(now()),
    async onPick(picked) {
      const before = day;
      set(picked);
      markTouched(button);
      if (!(await onChange(picked))) set(before);
    },
  });
  button.addEventListener('click', () => calendar.open(day));
  set(initial);
  return {
    button,
    node: h('div', { class: 'picker day-picker' }, button, calendar.node),
    day: () => day,
    set,
  };
}
