/** chat.update, chat.delete: the bot's own messages only, and never an ephemeral one. */

import type { WorkspaceCore } from '../core/core.ts';
import { isEmptyContent, type MessageContent, parseContent } from '../messages/content.ts';
import { editAsBot, removeMessage } from '../messages/posting.ts';
import { messageObject } from '../objects/messages-and-views.ts';
import type { Message } from '../state/timeline.ts';
import type { CallArguments } from './calls/arguments.ts';
import { findChannel } from './calls/channel-access.ts';
import { withLinks } from './calls/message-arguments.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

/** chat.update's own limit of `text`, lower than that of a new message (docs.slack.dev/reference/methods/chat.update). */
const MAX_TEXT = 4_000;

function findOwnMessage(args: CallArguments, core: WorkspaceCore, notOwn: string): Lookup<Message> {
  const channel = findChannel(args, core);
  if (!channel.ok) return channel;
  const ts = args.text('ts');
  if (ts === undefined) return missingArgumentReply('ts');
  const message = core.timeline.get(channel.value.id, ts);
  if (!message || message.tombstone || message.onlyFor !== null) return errorReply('message_not_found');
  return message.bot ? { ok: true, value: message } : errorReply(notOwn);
}

/**
 * Text sent alone removes the blocks, and keeps the attachments (docs.slack.dev/reference/methods/chat.update); blocks or
 * attachments sent alone remove the text.
 */
function replacement(content: MessageContent): MessageContent {
  const { text, blocks, attachments } = content;
  if (text !== undefined) return { blocks: [], ...content };
  return blocks !== undefined || attachments !== undefined ? { text: '', ...content } : content;
}

/** Whether a reply is to be shown in the channel too; that cannot be combined with new content. */
function readBroadcast(args: CallArguments, message: Message): Lookup<boolean> {
  if (!args.flag('reply_broadcast') || message.broadcast) return { ok: true, value: false };
  if (message.threadTs === null) return errorReply('cant_broadcast_message');
  const text = args.text('text') ?? message.text;
  const isNew = text !== message.text || ['blocks', 'attachments', 'markdown_text'].some(args.has);
  return isNew ? errorReply('no_dual_broadcast_content_update') : { ok: true, value: true };
}

function update(args: CallArguments, core: WorkspaceCore): ApiReply {
  const message = findOwnMessage(args, core, 'cant_update_message');
  if (!message.ok) return message;
  if (core.directory.channel(message.value.channel)?.archived) return errorReply('is_inactive');
  const broadcasts = readBroadcast(args, message.value);
  if (!broadcasts.ok) return broadcasts;
  const read = parseContent(args, core);
  if (!read.ok) return read;
  if ((args.text('text') ?? '').length > MAX_TEXT) return errorReply('msg_too_long');
  const linked = withLinks(args, core, read.content, 'people and groups');
  const after = { ...message.value, ...replacement(linked) };
  if (isEmptyContent(after) && (after.files ?? []).length === 0) return errorReply('no_text');
  const { blocks, attachments, metadata, ts, channel } = after;
  const content = { text: after.text, blocks, attachments, metadata };
  const changed = editAsBot(core, message.value, content, broadcasts.value ? { broadcast: true } : {});
  const answered = messageObject(core, changed, true);
  return okReply({ channel, ts, text: answered['text'], message: answered });
}

function remove(args: CallArguments, core: WorkspaceCore): ApiReply {
  const message = findOwnMessage(args, core, 'cant_delete_message');
  if (!message.ok) return message;
  removeMessage(core, message.value);
  return okReply({ channel: message.value.channel, ts: message.value.ts });
}

export const chatChangeMethods: readonly WebApiMethod[] = [
  botMethod('chat.update', TIER.three, ['chat:write'], update),
  botMethod('chat.delete', TIER.three, ['chat:write'], remove),
];
