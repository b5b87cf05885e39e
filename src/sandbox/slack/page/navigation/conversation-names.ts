/** Names of conversations, in the address and for people. */

import { BOT_NAME } from '../state/names.ts';
import type { Conversation, State } from '../types.ts';

/** The name in the address and in the control interface. */
export function routeName({ id, name, kind }: Conversation, me: string) {
  if (kind === 'im') return `@${me}`;
  return kind === 'mpim' ? id : name;
}

/** `channel`: as in the page’s address. */
export const isAppChannel = (channel: string) => channel.startsWith('@');

/** The open conversation, once it is known. */
export const openConversation = ({ conversations, channel, me }: State) =>
  conversations.find((each) => routeName(each, me) === channel);

/** Names of the people in a group direct message. */
export function peopleIn({ people }: Conversation, world: State['world']) {
  const names = people.map((id) => world?.users.find((user) => user.id === id)?.name ?? id);
  return [...names, BOT_NAME].join(', ');
}

/** The title of the pane. */
export function pageTitle(state: State) {
  if (isAppChannel(state.channel)) return BOT_NAME;
  const open = openConversation(state);
  return open?.kind === 'mpim' ? peopleIn(open, state.world) : `#${state.channel}`;
}
