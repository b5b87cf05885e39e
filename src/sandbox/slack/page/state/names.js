/** Names for the ids in messages. */
/** @import { Conversation, Message, Names, SandboxState } from '../types.d.ts' */

/** The app's name in this workspace. */
export const BOT_NAME = 'Patchbay';

export function createNames() {
  /** @type {SandboxState | null} */
  let world = null;
  /** @type {readonly Conversation[]} */
  let conversations = [];
  /** @type {string | null} */
  let botId = null;
  /** @param {string} id */
  const person = (id) => {
    if (id === botId || id === BOT_NAME) return BOT_NAME;
    return world?.users.find((user) => user.id === id || user.name === id)?.name ?? id;
  };
  /** @type {Names & {learn: (known: SandboxState | readonly Conversation[]) => void, meet: (messages: readonly Message[]) => void}} */
  const names = {
    person,
    channel: (id) =>
      world?.channels.find((channel) => channel.id === id)?.name ??
      conversations.find((each) => each.id === id)?.name ??
      id,
    group: (id) => world?.userGroups?.find((group) => group.id === id)?.handle ?? id,
    learn(known) {
      if (!('users' in known)) {
        conversations = known;
        return;
      }
      world = known;
      botId = known.bot?.id ?? botId;
    },
    meet(messages) {
      botId ??= messages.find(({ bot }) => bot)?.user ?? null;
    },
  };
  return names;
}
