/** A day and a time in the viewer's zone; the workspace gets an instant once both are chosen. */
/** @import { Element, FieldSnapshot, ElementSlot, RenderContext } from '../../types.d.ts' */
import { h, ICONS } from '../../dom/dom.js';
import { dispatchAction, elementAttributes } from '../dispatch-action.js';
import { registerField } from '../field-values.js';
import { createPicker } from '../picker/picker.js';
import { createDayButton } from './day-button.js';
import { timeOption, timesOfDay } from './times.js';

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderDatetimepicker(element, slot, surface) {
  const node = h('div', { ...elementAttributes(element, slot), class: 'date-and-time', role: 'group' });
  const sendValue = async () => {
    const value = seconds();
    return value === null || dispatchAction(node, { element, slot, surface, value });
  };
  const date = createDayButton({
    attributes: {},
    placeholder: 'Select a date',
    initial: undefined,
    now: surface.now,
    onChange: sendValue,
  });
  const clock = createPicker({
    attributes: { 'aria-label': 'Time' },
    placeholder: 'Select a time',
    source: timesOfDay,
    initial: [],
    drawing: ICONS.clock,
    onChange: sendValue,
  });
  /** Seconds since 1970, `null` until both are chosen. */
  const seconds = () => {
    const day = date.day();
    const time = clock.field.value();
    return day === null || time === null ? null : Math.floor(Date.parse(`${day}T${time}:00`) / 1000);
  };
  /** @param {FieldSnapshot} state */
  const restore = ({ parts: [day, time] = [] }) => {
    date.set(day?.text);
    if (time) clock.field.restore(time);
  };
  const initial = element.initial_date_time;
  if (initial !== undefined) {
    const { day, time } = localParts(initial * 1000);
    date.set(day);
    clock.field.restore({ options: [timeOption(time)] });
  }
  date.button.addEventListener('click', () => node.setAttribute('data-touched', ''));
  clock.input.addEventListener('input', () => node.setAttribute('data-touched', ''));
  clock.input.addEventListener('click', () => node.setAttribute('data-touched', ''));
  clock.node.classList.add('time-picker');
  node.append(date.node, clock.node);
  registerField(node, {
    value: seconds,
    state: () => ({ parts: [{ text: date.day() ?? '' }, clock.field.state()] }),
    restore,
  });
  return node;
}

/** @param {number} ms */
function localParts(ms) {
  const at = new Date(ms);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return {
    day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  };
}
