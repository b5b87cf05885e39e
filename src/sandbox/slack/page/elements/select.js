/** Menus of which one option is chosen, or several: of options, people, channels, conversations, or what the bot finds. */
/** @import { Element, Option, Slot, Surface } from '../types.d.ts' */
import { plainText } from '../text/text.js';
import { giveField } from './fields.js';
import { dispatch, hooks } from './hooks.js';
import { createPicker } from './picker/picker.js';
import { kindOf, named, placesOf, sourceOf } from './picker/sources.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export const select = (element, slot, surface) => menu(element, slot, surface, false);

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export const multiSelect = (element, slot, surface) => menu(element, slot, surface, true);

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @param {boolean} isMulti
 */
function menu(element, slot, surface, isMulti) {
  const { node, input, field } = createPicker({
    attributes: hooks(element, slot),
    placeholder: plainText(element.placeholder) || (isMulti ? 'Select options' : 'Select an option'),
    source: sourceOf(element, slot, surface),
    initial: initialOf(element, surface),
    isMulti,
    most: element.max_selected_items,
    isClearable: !isMulti && slot.isOptional === true,
    onChange: () => dispatch(input, { element, slot, surface, value: field.value() }),
  });
  giveField(input, field);
  return node;
}

/**
 * @param {Element} element
 * @param {Surface} surface
 * @returns {readonly Option[]}
 */
function initialOf(element, surface) {
  const person = (/** @type {string} */ id) => named(id, surface.names.person(id));
  const place = (/** @type {string} */ id) => named(id, `#${surface.names.channel(id)}`);
  switch (kindOf(element)) {
    case 'users':
      return listOf(element.initial_user, element.initial_users).map(person);
    case 'channels':
      return listOf(element.initial_channel, element.initial_channels).map(place);
    case 'conversations': {
      const given = listOf(element.initial_conversation, element.initial_conversations).map(place);
      return given.length === 0 && element.default_to_current_conversation ? here(element, surface) : given;
    }
    default:
      return listOf(element.initial_option, element.initial_options);
  }
}

/**
 * @template Item
 * @param {Item | undefined} one
 * @param {readonly Item[] | undefined} many
 * @returns {readonly Item[]}
 */
const listOf = (one, many) => many ?? (one === undefined ? [] : [one]);

/**
 * The conversation in which the message stands, or the modal was opened.
 * @param {Element} element
 * @param {Surface} surface
 */
function here(element, surface) {
  const { channel } = surface.place;
  return placesOf(element, surface).filter(
    ({ text, value }) => value === channel || plainText(text) === `#${channel}`,
  );
}
