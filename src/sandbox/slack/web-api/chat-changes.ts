/** chat.update, chat.delete: the bot's own messages only, and never an ephemeral one. */
import type { Arguments } from '../arguments.ts';
import { type Content, isEmpty, readContent } from '../content.ts';
import type { Core } from '../core.ts';
import { messageObject } from '../objects.ts';
import { editAsBot, removeMessage } from '../posting.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Message } from '../state/timeline.ts';
import { withLinks } from './drafts.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { seekChannel } from './reach.ts';

/** chat.update's own limit, lower than that of a new message (docs.slack.dev/reference/methods/chat.update). */
const TEXT_MAX = 4_000;

function seekOwn(args: Arguments, core: Core, notOwn: string): Sought<Message> {
  const channel = seekChannel(args, core);
  if (!channel.ok) return channel;
  const ts = args.text('ts');
  if (ts === undefined) return missingArgument('ts');
  const message = core.timeline.get(channel.value.id, ts);
  if (!message || message.onlyFor !== null) return refuse('message_not_found');
  return message.bot ? { ok: true, value: message } : refuse(notOwn);
}

/** Text sent without blocks or attachments takes their place; blocks or attachments alone leave no text. */
function replacement(content: Content): Content {
  const { text, blocks, attachments } = content;
  if (text !== undefined) return { blocks: [], attachments: [], ...content };
  return blocks !== undefined || attachments !== undefined ? { text: '', ...content } : content;
}

/** Whether a reply is to be shown in the channel from now on; that and a new content are two calls. */
function seekBroadcast(args: Arguments, message: Message): Sought<boolean> {
  if (!args.flag('reply_broadcast') || message.broadcast) return { ok: true, value: false };
  if (message.threadTs === null) return refuse('cant_broadcast_message');
  const text = args.text('text') ?? message.text;
  const isNew = text !== message.text || ['blocks', 'attachments', 'markdown_text'].some(args.has);
  return isNew ? refuse('no_dual_broadcast_content_update') : { ok: true, value: true };
}

function update(args: Arguments, core: Core): Reply {
  const message = seekOwn(args, core, 'cant_update_message');
  if (!message.ok) return message;
  if (core.directory.channel(message.value.channel)?.archived) return refuse('is_inactive');
  const broadcasts = seekBroadcast(args, message.value);
  if (!broadcasts.ok) return broadcasts;
  const read = readContent(args, core.ids);
  if (!read.ok) return read;
  if ((read.content.text ?? '').length > TEXT_MAX) return refuse('msg_too_long');
  const after = { ...message.value, ...replacement(withLinks(args, core, read.content)) };
  if (isEmpty(after) && (after.files ?? []).length === 0) return refuse('no_text');
  const { text, blocks, attachments, metadata, ts, channel } = after;
  const content = { text, blocks, attachments, metadata };
  const changed = editAsBot(core, message.value, content, broadcasts.value ? { broadcast: true } : {});
  return done({ channel, ts, text, message: messageObject(core, changed, true) });
}

function remove(args: Arguments, core: Core): Reply {
  const message = seekOwn(args, core, 'cant_delete_message');
  if (!message.ok) return message;
  removeMessage(core, message.value);
  return done({ channel: message.value.channel, ts: message.value.ts });
}

export const chatChangeMethods: readonly Method[] = [
  botMethod('chat.update', TIER.three, ['chat:write'], update),
  botMethod('chat.delete', TIER.three, ['chat:write'], remove),
];
