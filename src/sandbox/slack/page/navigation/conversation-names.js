/** Names of conversations, in the address and for people. */
/** @import { Conversation, State } from '../types.d.ts' */
import { BOT_NAME } from '../state/names.js';

/** The name in the address and in the control interface. @param {Conversation} conversation @param {string} me */
export function routeName({ id, name, kind }, me) {
  if (kind === 'im') return `@${me}`;
  return kind === 'mpim' ? id : name;
}

/** @param {string} channel as in the address */
export const isAppChannel = (channel) => channel.startsWith('@');

/** The open conversation, once it is known. @param {State} state */
export const openConversation = ({ conversations, channel, me }) =>
  conversations.find((each) => routeName(each, me) === channel);

/** Names of the people in a group direct message. @param {Conversation} conversation @param {State['world']} world */
export function peopleIn({ people }, world) {
  const names = people.map((id) => world?.users.find((user) => user.id === id)?.name ?? id);
  return [...names, BOT_NAME].join(', ');
}

/** The title of the pane. @param {State} state */
export function pageTitle(state) {
  if (isAppChannel(state.channel)) return BOT_NAME;
  const open = openConversation(state);
  return open?.kind === 'mpim' ? peopleIn(open, state.world) : `#${state.channel}`;
}
