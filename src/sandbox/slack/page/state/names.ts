/** Names for the ids in messages. */
import type { Conversation, Message, Names, SandboxState } from '../types.ts';

/** The app's name in this workspace. */
export const BOT_NAME = 'Patchbay';

export function createNames() {
  let world: SandboxState | null = null;
  let conversations: readonly Conversation[] = [];
  let botId: string | null = null;
  const person = (id: string) => {
    if (id === botId || id === BOT_NAME) return BOT_NAME;
    return world?.users.find((user) => user.id === id || user.name === id)?.name ?? id;
  };
  const names: Names & {
    learn: (known: SandboxState | readonly Conversation[]) => void;
    meet: (messages: readonly Message[]) => void;
  } = {
    person,
    channel: (id) =>
      world?.channels.find((channel) => channel.id === id)?.name ??
      conversations.find((each) => each.id === id)?.name ??
      null,
    group: (id) => world?.userGroups.find((group) => group.id === id)?.handle ?? id,
    learn(known) {
      if ('users' in known) world = known;
      else conversations = known;
    },
    meet(messages) {
      botId ??= messages.find(({ bot }) => bot)?.user ?? null;
    },
  };
  return names;
}
