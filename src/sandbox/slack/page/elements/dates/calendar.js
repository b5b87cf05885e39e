/** The calendar of a date field: one month at a time, with the keyboard pattern of ARIA grids. */
import { h, ICONS, icon } from '../../dom/dom.js';
import { positionBeside } from '../popover-position.js';
import { addDays, addMonths, dayInFull, monthOf, weekdayOf, weeksOf } from './days.js';

const WEEKDAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];

/** @param {{anchor: HTMLElement, today: () => string, onPick: (day: string) => void}} parts */
export function createCalendar({ anchor, today, onPick }) {
  const node = h('div', {
    class: 'calendar',
    role: 'dialog',
    'aria-label': 'Choose a date',
    popover: 'auto',
  });
  let visibleDay = '';
  /** @type {string | null} */
  let chosen = null;
  /** @param {string} day @param {boolean} isFocused */
  const show = (day, isFocused) => {
    visibleDay = day;
    const turn = (/** @type {number} */ months) => show(addMonths(visibleDay, months), false);
    const marks = { visibleDay, chosen, today: today() };
    node.replaceChildren(head(day, turn), grid(marks, pick));
    if (isFocused) focusDay(node);
  };
  /** @param {string} day */
  const pick = (day) => {
    node.hidePopover();
    anchor.focus();
    onPick(day);
  };
  node.addEventListener('keydown', (event) => {
    const moved = movedBy(event, visibleDay);
    if (moved === null || !(event.target instanceof Element && event.target.closest('[role="grid"]'))) return;
    event.preventDefault();
    show(moved, true);
  });
  return {
    node,
    /** @param {string | null} day */
    open(day) {
      chosen = day;
      show(day ?? today(), false);
      node.showPopover();
      positionBeside(node, anchor);
      focusDay(node);
    },
  };
}

/** @param {HTMLElement} node */
function focusDay(node) {
  const day = node.querySelector('[data-day][tabindex="0"]');
  if (day instanceof HTMLElement) day.focus();
}

/**
 * @param {string} day
 * @param {(months: number) => void} turn
 */
function head(day, turn) {
  const step = (/** @type {string} */ words, /** @type {number} */ months, /** @type {string} */ drawing) =>
    h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': words, click: () => turn(months) },
      icon(drawing),
    );
  return h(
    'div',
    { class: 'calendar-head' },
    step('Previous month', -1, ICONS.left),
    h('span', { 'aria-live': 'polite' }, monthOf(day)),
    step('Next month', 1, ICONS.right),
  );
}

/** @typedef {{visibleDay: string, chosen: string | null, today: string}} CalendarDays */

/**
 * @param {CalendarDays} marks
 * @param {(day: string) => void} pick
 */
function grid(marks, pick) {
  const names = WEEKDAYS.map((name) => h('th', { scope: 'col' }, name));
  const weeks = weeksOf(marks.visibleDay).map((week) =>
    h('tr', {}, ...week.map((day) => h('td', {}, cell(day, marks, pick)))),
  );
  return h(
    'table',
    { role: 'grid', 'aria-label': monthOf(marks.visibleDay) },
    h('thead', {}, h('tr', {}, ...names)),
    h('tbody', {}, ...weeks),
  );
}

/**
 * @param {string} day
 * @param {CalendarDays} marks
 * @param {(day: string) => void} pick
 */
function cell(day, { visibleDay, chosen, today }, pick) {
  const isElsewhere = day.slice(0, 7) !== visibleDay.slice(0, 7);
  return h(
    'button',
    {
      type: 'button',
      class: `day-button${isElsewhere ? ' elsewhere' : ''}`,
      'data-day': day,
      tabindex: day === visibleDay ? 0 : -1,
      'aria-label': dayInFull(day),
      'aria-pressed': String(day === chosen),
      'aria-current': day === today ? 'date' : null,
      click: () => pick(day),
    },
    String(Number(day.slice(8))),
  );
}

/**
 * @param {KeyboardEvent} event
 * @param {string} day
 */
function movedBy(event, day) {
  switch (event.key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -weekdayOf(day));
    case 'End':
      return addDays(day, 6 - weekdayOf(day));
    case 'PageUp':
      return addMonths(day, event.shiftKey ? -12 : -1);
    case 'PageDown':
      return addMonths(day, event.shiftKey ? 12 : 1);
    default:
      return null;
  }
}
