/** Where the options of a menu come from. */
/** @import { Element, Option, Slot, Surface } from '../../types.d.ts' */
/** @import { Shown } from './list.js' */
import { plainText } from '../../text/text.js';
import { externalSource } from './external.js';

/**
 * Shows the options for what was typed, at once or later, once or again.
 * @typedef {(query: string, show: (shown: Shown) => void) => Promise<void>} Source
 */

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @returns {Source}
 */
export function sourceOf(element, slot, surface) {
  switch (kindOf(element)) {
    case 'external':
      return externalSource(element, slot, surface);
    case 'users':
      return among([{ options: surface.people.map(({ id, name }) => named(id, name)) }]);
    case 'channels':
    case 'conversations':
      return among([{ options: placesOf(element, surface) }]);
    default:
      return among(groupsOf(element));
  }
}

/** @param {Element} element */
export const kindOf = ({ type }) => /^(?:multi_)?(\w+)_select$/.exec(type)?.[1] ?? 'static';

/** @param {string} id @param {string} name @returns {Option} */
export const named = (id, name) => ({ text: { type: 'plain_text', text: name, emoji: false }, value: id });

/** @param {Element} element */
function groupsOf({ options = [], option_groups = [] }) {
  return [
    { options },
    ...option_groups.map((group) => ({ label: plainText(group.label), options: group.options })),
  ];
}

/**
 * Channels; and the direct messages with the app, where they count as a conversation.
 * @param {Element} element
 * @param {Surface} surface
 */
export function placesOf({ type, filter }, { channels, people, me, names }) {
  const isAny = type.includes('conversations');
  const wanted = (/** @type {string} */ kind) => filter?.include?.includes(kind) ?? true;
  const open = isAny && !wanted('public') ? [] : channels;
  const own = people.find(({ id }) => id === me);
  const hasApp = isAny && wanted('im') && filter?.exclude_bot_users !== true && own;
  return [
    ...open.map(({ id, name }) => named(id, `#${name}`)),
    ...(hasApp ? [named(`@${own.name}`, names.person('Patchbay'))] : []),
  ];
}

/**
 * Those whose words hold what was typed.
 * @param {readonly {label?: string, options: readonly Option[]}[]} groups
 * @returns {Source}
 */
export const among = (groups) => async (query, show) => {
  const wanted = query.trim().toLowerCase();
  show({
    groups: groups.map((group) => ({
      ...group,
      options: group.options.filter(({ text }) => plainText(text).toLowerCase().includes(wanted)),
    })),
  });
};
