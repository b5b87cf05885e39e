/** Sources of a menu's options. */

import { renderPlainText } from '../../text/text-object.ts';
import type { Element, ElementSlot, Option, RenderContext } from '../../types.ts';
import { externalOptions } from './external.ts';
import type { OptionSource } from './option-list.ts';

export function optionSourceOf(element: Element, slot: ElementSlot, surface: RenderContext): OptionSource {
  switch (menuKindOf(element)) {
    case 'external':
      return externalOptions(element, slot, surface);
    case 'users':
      return optionsAmong([{ options: surface.people.map(({ id, name }) => withName(id, name)) }]);
    case 'channels':
    case 'conversations':
      return optionsAmong([{ options: conversationOptions(element, surface) }]);
    default:
      return optionsAmong(groupsOf(element));
  }
}

export const menuKindOf = ({ type }: Element) => /^(?:multi_)?(\w+)_select$/.exec(type)?.[1] ?? 'static';

export const withName = (id: string, name: string): Option => ({
  text: { type: 'plain_text', text: name, emoji: false },
  value: id,
});

function groupsOf({ options = [], option_groups = [] }: Element) {
  return [
    { options },
    ...option_groups.map((group) => ({ label: renderPlainText(group.label), options: group.options })),
  ];
}

/** Channels, and the app's direct messages if they count as conversations. */
export function conversationOptions(
  { type, filter }: Element,
  { channels, people, me, names }: RenderContext,
) {
  const isAny = type.includes('conversations');
  const isIncluded = (kind: string) => filter?.include?.includes(kind) ?? true;
  const open = isAny && !isIncluded('public') ? [] : channels;
  const own = people.find(({ id }) => id === me);
  const hasApp = isAny && isIncluded('im') && filter?.exclude_bot_users !== true && own;
  return [
    ...open.map(({ id, name }) => withName(id, `#${name}`)),
    ...(hasApp ? [withName(`@${own.name}`, names.person('Patchbay'))] : []),
  ];
}

/** Options whose text contains what was typed. */
const optionsAmong =
  (groups: readonly { label?: string; options: readonly Option[] }[]): OptionSource =>
  async (query, show) => {
    const typed = query.trim().toLowerCase();
    show({
      groups: groups.map((group) => ({
        ...group,
        options: group.options.filter(({ text }) => renderPlainText(text).toLowerCase().includes(typed)),
      })),
    });
  };
