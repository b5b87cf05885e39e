/** Reactions, by people and by the bot (docs.slack.dev/reference/methods/reactions.add). */
import { CHANNEL_TYPES } from '../core/channel-types.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { Channel } from '../state/directory.ts';
import type { Message, Reaction } from '../state/timeline.ts';

/** The form of an emoji name, with or without a skin tone. */
export const REACTION_NAME = /^[a-z0-9_+'-]+(?:::skin-tone-[2-6])?$/;

export type ReactionChange = {
  readonly message: Message;
  readonly user: string;
  readonly name: string;
  /** Removes the reaction instead of adding it. */
  readonly remove: boolean;
};

/** Adds or removes a reaction and sends the bot an event in its channels; otherwise returns the error code. */
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
  const channel = core.directory.channel(message.channel);
  if (channel?.members.has(core.app.botUser)) announceReaction(core, change, channel);
  return null;
}

/** In the order in which they were first added; a reaction without users is removed. */
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

/** docs.slack.dev/reference/events/reaction_added */
function announceReaction(
  core: WorkspaceCore,
  { message, user, name, remove }: ReactionChange,
  { id, kind }: Channel,
): void {
  const type = remove ? 'reaction_removed' : 'reaction_added';
  core.announce(type, {
    type,
    user,
    reaction: name,
    item: { type: 'message', channel: id, ts: message.ts, channel_type: CHANNEL_TYPES[kind] },
    // What was posted to a response URL has no author.
    ...(message.response ? {} : { item_user: message.user }),
    event_ts: core.ids.ts(),
  });
}
