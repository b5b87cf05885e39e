/** reactions.add, reactions.remove, reactions.get. */

import type { WorkspaceCore } from '../core/core.ts';
import { changeReaction, REACTION_NAME } from '../messages/reactions.ts';
import { isEmojiName } from '../objects/emoji-names.ts';
import { messageObject, permalink } from '../objects/messages-and-views.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import type { CallArguments } from './calls/arguments.ts';
import { findChannel } from './calls/channel-access.ts';
import { isTs } from './calls/message-arguments.ts';
import { botMethod, formMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

type ReactionItem = { readonly channel: Channel; readonly message: Message };

function findItem(args: CallArguments, core: WorkspaceCore): Lookup<ReactionItem> {
  const ts = args.text('timestamp');
  if (!args.has('channel') || ts === undefined) return errorReply('no_item_specified');
  const channel = findChannel(args, core);
  if (!channel.ok) return channel;
  if (!isTs(ts)) return errorReply('bad_timestamp');
  const message = core.timeline.get(channel.value.id, ts);
  if (!message || message.onlyFor !== null) return errorReply('message_not_found');
  return { ok: true, value: { channel: channel.value, message } };
}

function readName(args: CallArguments): Lookup<string> {
  const name = args.text('name');
  if (name === undefined) return missingArgumentReply('name');
  // Also of a name that other lists of emoji have: github.com/gammons/slk/issues/65.
  return REACTION_NAME.test(name) && isEmojiName(name)
    ? { ok: true, value: name }
    : errorReply('invalid_name');
}

function changeItemReaction(args: CallArguments, core: WorkspaceCore, remove: boolean): ApiReply {
  const name = readName(args);
  if (!name.ok) return name;
  const item = findItem(args, core);
  if (!item.ok) return item;
  const { channel, message } = item.value;
  if (channel.archived) return errorReply('is_archived');
  if (!channel.members.has(core.app.botUser)) return errorReply('not_in_channel');
  const refusal = changeReaction(core, { message, user: core.app.botUser, name: name.value, remove });
  return refusal === null ? okReply() : errorReply(refusal);
}

/** Files and comments are "declined" (docs.slack.dev/reference/methods/reactions.add); a message beside them is not. */
function add(args: CallArguments, core: WorkspaceCore): ApiReply {
  const isFile = args.has('file') || args.has('file_comment');
  return isFile && !args.has('timestamp')
    ? errorReply('not_reactable')
    : changeItemReaction(args, core, false);
}

function get(args: CallArguments, core: WorkspaceCore): ApiReply {
  const item = findItem(args, core);
  if (!item.ok) return item;
  const { channel, message } = item.value;
  const reacted = { ...messageObject(core, message, false), permalink: permalink(core, message) };
  return okReply({ type: 'message', channel: channel.id, message: reacted });
}

export const reactionMethods: readonly WebApiMethod[] = [
  botMethod('reactions.add', TIER.three, ['reactions:write'], add),
  botMethod('reactions.remove', TIER.two, ['reactions:write'], (args, core) =>
    changeItemReaction(args, core, true),
  ),
  formMethod('reactions.get', TIER.three, ['reactions:read'], get),
];
