/** Reactions, by people and by the bot (docs.slack.dev/reference/methods/reactions.add). */
import type { WorkspaceCore } from '../core/core.ts';
import type { Message, Reaction } from '../state/timeline.ts';

/** A name as Slack has them, with a skin tone or without; which names there are is not looked up. */
export const REACTION_NAME = /^[a-z0-9_+'-]+(?:::skin-tone-[2-6])?$/;

export type ReactionChange = {
  readonly message: Message;
  readonly user: string;
  readonly name: string;
  /** Takes the reaction back instead of giving it. */
  readonly remove: boolean;
};

/** Gives a reaction or takes it back, and tells the bot where it is; else the word for why it cannot be. */
export function changeReaction(
  core: WorkspaceCore,
  change: ReactionChange,
): 'already_reacted' | 'no_reaction' | null {
  const { message, user, name, remove } = change;
  const reactions = message.reactions ?? [];
  const users = reactions.find((each) => each.name === name)?.users ?? [];
  if (users.includes(user) !== remove) return remove ? 'no_reaction' : 'already_reacted';
  const after = remove ? users.filter((each) => each !== user) : [...users, user];
  core.timeline.change(message, { reactions: withUsers(reactions, name, after) });
  core.changed();
  if (core.directory.channel(message.channel)?.members.has(core.app.botUser)) announceReaction(core, change);
  return null;
}

/** In the order in which they were first given; one that nobody gives any more is gone. */
function withUsers(
  reactions: readonly Reaction[],
  name: string,
  users: readonly string[],
): readonly Reaction[] {
  if (!reactions.some((each) => each.name === name)) return [...reactions, { name, users }];
  return reactions
    .map((each) => (each.name === name ? { name, users } : each))
    .filter((each) => each.users.length > 0);
}

function announceReaction(core: WorkspaceCore, { message, user, name, remove }: ReactionChange): void {
  const type = remove ? 'reaction_removed' : 'reaction_added';
  core.announce(type, {
    type,
    user,
    reaction: name,
    item: { type: 'message', channel: message.channel, ts: message.ts },
    item_user: message.user,
    event_ts: core.ids.ts(),
  });
}
