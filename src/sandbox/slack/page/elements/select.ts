/** Select menus for one option or several: static options, people, channels, conversations, or options from the bot. */

import { BOT_NAME } from '../state/names.ts';
import { channelLabel } from '../text/link.ts';
import { renderPlainText } from '../text/text-object.ts';
import type { Element, ElementSlot, Option, RenderContext } from '../types.ts';
import { dispatchAction, elementAttributes } from './dispatch-action.ts';
import { registerField } from './field-values.ts';
import { createPicker } from './picker/picker.ts';
import {
  conversationLabel,
  conversationOptions,
  menuKindOf,
  optionSourceOf,
  withName,
} from './picker/sources.ts';

export const renderSelect = (element: Element, slot: ElementSlot, surface: RenderContext) =>
  menu(element, slot, surface, false);

export const renderMultiSelect = (element: Element, slot: ElementSlot, surface: RenderContext) =>
  menu(element, slot, surface, true);

function menu(element: Element, slot: ElementSlot, surface: RenderContext, isMulti: boolean) {
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

function initialOf(element: Element, surface: RenderContext): readonly Option[] {
  const person = (id: string) => {
    const name = surface.names.person(id);
    return withName(name === BOT_NAME ? name : id, name);
  };
  const optionOf = (id: string) => {
    const known = surface.conversations.find((each) => each.id === id);
    return withName(id, known ? conversationLabel(known, surface) : channelLabel(surface.names.channel(id)));
  };
  switch (menuKindOf(element)) {
    case 'users':
      return listOf(element.initial_user, element.initial_users).map(person);
    case 'channels':
      return listOf(element.initial_channel, element.initial_channels).map(optionOf);
    case 'conversations':
      // `initial_conversations` are ignored beside it (docs.slack.dev, multi-select menu).
      return element.default_to_current_conversation && element.initial_conversation === undefined
        ? currentConversation(element, surface)
        : listOf(element.initial_conversation, element.initial_conversations).map(optionOf);
    default:
      return listOf(element.initial_option, element.initial_options);
  }
}

const listOf = <Item>(one: Item | undefined, many: readonly Item[] | undefined): readonly Item[] =>
  many ?? (one === undefined ? [] : [one]);

/** The message's conversation, or the one in which the modal was opened. */
function currentConversation(element: Element, surface: RenderContext) {
  const { channel } = surface.location;
  return conversationOptions(element, surface).filter(
    ({ text, value }) => value === channel || renderPlainText(text) === `#${channel}`,
  );
}
