/** Sources of a menu's options. */

import { BOT_NAME } from '../../state/names.ts';
import { renderPlainText } from '../../text/text-object.ts';
import type {
  Conversation,
  Element,
  ElementSlot,
  Option,
  RenderContext,
  ViewerContext,
} from '../../types.ts';
import { externalOptions } from './external.ts';
import type { OptionSource } from './option-list.ts';

export function optionSourceOf(element: Element, slot: ElementSlot, surface: RenderContext): OptionSource {
  switch (menuKindOf(element)) {
    case 'external':
      return externalOptions(element, slot, surface);
    case 'users':
      return optionsAmong([
        { options: [...surface.people.map(({ id, name }) => withName(id, name)), appUser] },
      ]);
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

/** Menus of users offer bots as well (slackapi/bolt-js, issue 1981; slackapi/node-slack-sdk, issue 1253). */
const appUser = withName(BOT_NAME, BOT_NAME);

function groupsOf({ options = [], option_groups = [] }: Element) {
  return [
    { options },
    ...option_groups.map((group) => ({ label: renderPlainText(group.label), options: group.options })),
  ];
}

/**
 * Public channels; in a menu of conversations also private ones, group messages and the direct message with the app
 * (docs.slack.dev/reference/block-kit/block-elements/select-menu-element).
 */
export function conversationOptions({ type, filter }: Element, surface: RenderContext) {
  const { channels, conversations, people, me } = surface;
  const isAny = type.includes('conversations');
  const isIncluded = (kind: string) => filter?.include?.includes(kind) ?? true;
  const open = isAny && !isIncluded('public') ? [] : channels;
  const others = conversations.filter(
    ({ kind }) => isAny && (kind === 'private' || kind === 'mpim') && isIncluded(kind),
  );
  const own = people.find(({ id }) => id === me);
  const hasApp = isAny && isIncluded('im') && filter?.exclude_bot_users !== true && own;
  return [
    ...open.map(({ id, name }) => withName(id, `#${name}`)),
    ...others.map((each) => withName(each.id, conversationLabel(each, surface))),
    ...(hasApp ? [withName(`@${own.name}`, BOT_NAME)] : []),
  ];
}

/** What a conversation is called in menus. */
export function conversationLabel({ kind, name, people }: Conversation, { names }: ViewerContext) {
  if (kind === 'im') return BOT_NAME;
  return kind === 'mpim' ? [...people.map(names.person), BOT_NAME].join(', ') : `#${name}`;
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
