/** Sources of a menu's options. */
/** @import { Element, Option, ElementSlot, RenderContext } from '../../types.d.ts' */
/** @import { OptionList } from './option-list.js' */
import { renderPlainText } from '../../text/text-object.js';
import { externalOptions } from './external.js';

/**
 * Shows the options for what was typed, at once or later, once or several times.
 * @typedef {(query: string, show: (shown: OptionList) => void) => Promise<void>} OptionSource
 */

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 * @returns {OptionSource}
 */
export function optionSourceOf(element, slot, surface) {
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

/** @param {Element} element */
export const menuKindOf = ({ type }) => /^(?:multi_)?(\w+)_select$/.exec(type)?.[1] ?? 'static';

/** @param {string} id @param {string} name @returns {Option} */
export const withName = (id, name) => ({ text: { type: 'plain_text', text: name, emoji: false }, value: id });

/** @param {Element} element */
function groupsOf({ options = [], option_groups = [] }) {
  return [
    { options },
    ...option_groups.map((group) => ({ label: renderPlainText(group.label), options: group.options })),
  ];
}

/**
 * Channels, and the app's direct messages if they count as conversations.
 * @param {Element} element
 * @param {RenderContext} surface
 */
export function conversationOptions({ type, filter }, { channels, people, me, names }) {
  const isAny = type.includes('conversations');
  const isIncluded = (/** @type {string} */ kind) => filter?.include?.includes(kind) ?? true;
  const open = isAny && !isIncluded('public') ? [] : channels;
  const own = people.find(({ id }) => id === me);
  const hasApp = isAny && isIncluded('im') && filter?.exclude_bot_users !== true && own;
  return [
    ...open.map(({ id, name }) => withName(id, `#${name}`)),
    ...(hasApp ? [withName(`@${own.name}`, names.person('Patchbay'))] : []),
  ];
}

/**
 * Options whose text contains what was typed.
 * @param {readonly {label?: string, options: readonly Option[]}[]} groups
 * @returns {OptionSource}
 */
export const optionsAmong = (groups) => async (query, show) => {
  const typed = query.trim().toLowerCase();
  show({
    groups: groups.map((group) => ({
      ...group,
      options: group.options.filter(({ text }) => renderPlainText(text).toLowerCase().includes(typed)),
    })),
  });
};
