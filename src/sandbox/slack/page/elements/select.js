/** Select menus for one option or several: static options, people, channels, conversations, or options from the bot. */
/** @import { Element, Option, ElementSlot, RenderContext } from '../types.d.ts' */
import { renderPlainText } from '../text/text-object.js';
import { dispatchAction, elementAttributes } from './dispatch-action.js';
import { registerField } from './field-values.js';
import { createPicker } from './picker/picker.js';
import { conversationOptions, menuKindOf, optionSourceOf, withName } from './picker/sources.js';

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export const renderSelect = (element, slot, surface) => menu(element, slot, surface, false);

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export const renderMultiSelect = (element, slot, surface) => menu(element, slot, surface, true);

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 * @param {boolean} isMulti
 */
function menu(element, slot, surface, isMulti) {
  const { node, input, field } = createPicker({
    attributes: elementAttributes(element, slot),
    placeholder: renderPlainText(element.placeholder) || (isMulti ? 'Select options' : 'Select an option'),
    source: optionSourceOf(element, slot, surface),
    initial: initialOf(element, surface),
    isMulti,
    most: element.max_selected_items,
    isClearable: !isMulti && slot.isOptional === true,
    onChange: () => dispatchAction(input, { element, slot, surface, value: field.value() }),
  });
  registerField(input, field);
  return node;
}

/**
 * @param {Element} element
 * @param {RenderContext} surface
 * @returns {readonly Option[]}
 */
function initialOf(element, surface) {
  const person = (/** @type {string} */ id) => withName(id, surface.names.person(id));
  const optionOf = (/** @type {string} */ id) => withName(id, `#${surface.names.channel(id)}`);
  switch (menuKindOf(element)) {
    case 'users':
      return listOf(element.initial_user, element.initial_users).map(person);
    case 'channels':
      return listOf(element.initial_channel, element.initial_channels).map(optionOf);
    case 'conversations': {
      const initialConversations = listOf(element.initial_conversation, element.initial_conversations).map(
        optionOf,
      );
      return initialConversations.length === 0 && element.default_to_current_conversation
        ? currentConversation(element, surface)
        : initialConversations;
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
 * The message's conversation, or the one in which the modal was opened.
 * @param {Element} element
 * @param {RenderContext} surface
 */
function currentConversation(element, surface) {
  const { channel } = surface.location;
  return conversationOptions(element, surface).filter(
    ({ text, value }) => value === channel || renderPlainText(text) === `#${channel}`,
  );
}
