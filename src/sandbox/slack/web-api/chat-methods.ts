/** chat.postMessage, postEphemeral, getPermalink, update, delete, unfurl. */

import type { WorkspaceCore } from '../core/core.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import {
  editAsBot,
  isEmptyContent,
  MAX_TEXT,
  type MessageContent,
  parseContent,
  postAsBot,
  removeMessage,
  unfurlDomainOf,
  unfurledAttachment,
} from '../messages/posting.ts';
import { messageObject, permalink } from '../objects/messages-and-views.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { checkBlocks } from '../validate/payload-rules.ts';
import {
  type ApiReply,
  botMethod,
  type CallArguments,
  createCallArguments,
  errorReply,
  formMethod,
  type Lookup,
  missingArgumentReply,
  okReply,
  TIER,
  validationErrorReply,
  type WebApiMethod,
} from './calls.ts';
import { findAddressee, findChannel, readThread } from './channel-access.ts';

type MessageArguments = {
  readonly channel: Channel;
  readonly content: MessageContent;
  readonly threadTs: string | undefined;
};

function readMessageArguments(args: CallArguments, core: WorkspaceCore): Lookup<MessageArguments> {
  const channel = findAddressee(args, core);
  if (!channel.ok) return channel;
  const read = parseContent(args, core);
  if (!read.ok) return read;
  if (isEmptyContent(read.content)) return errorReply('no_text');
  const thread = readThread(args, core, channel.value.id);
  if (!thread.ok) return thread;
  return { ok: true, value: { channel: channel.value, content: read.content, threadTs: thread.value } };
}

/** `unfurl_links` and `unfurl_media` have no effect: nothing unfurls on its own. */
function postMessage(args: CallArguments, core: WorkspaceCore): ApiReply {
  const draft = readMessageArguments(args, core);
  if (!draft.ok) return draft;
  const { channel, content, threadTs } = draft.value;
  const message = postAsBot(core, { channel: channel.id, content, threadTs });
  const reply = okReply({ channel: channel.id, ts: message.ts, message: messageObject(core, message, true) });
  return isLongerThan(MAX_TEXT, args) ? { ...reply, ...TRUNCATED } : reply;
}

/** docs.slack.dev/changelog/2018-04-truncating-really-long-messages */
const TRUNCATED = {
  warning: 'message_truncated',
  response_metadata: {
    warnings: ['message_truncated'],
    messages: [
      '[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.',
    ],
  },
};

function isLongerThan(most: number, args: CallArguments): boolean {
  return (args.text('text') ?? '').length > most;
}

/**
 * Text that is too long is refused: this method's page lists `msg_too_long`, that of chat.postMessage does not. It also
 * says that the metadata of an event is ignored.
 */
function postEphemeral(args: CallArguments, core: WorkspaceCore): ApiReply {
  const user = args.text('user');
  if (user === undefined) return missingArgumentReply('user');
  const withoutMetadata = createCallArguments({ ...args.all, metadata: undefined });
  const draft = readMessageArguments(withoutMetadata, core);
  if (!draft.ok) return draft;
  if (isLongerThan(MAX_TEXT, args)) return errorReply('msg_too_long');
  const { channel, content, threadTs } = draft.value;
  if (!channel.members.has(user)) return errorReply('user_not_in_channel');
  const message = postAsBot(core, { channel: channel.id, content, threadTs, onlyFor: user });
  return okReply({ message_ts: message.ts });
}

function getPermalink(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findChannel(args, core);
  if (!channel.ok) return channel;
  const ts = args.text('message_ts');
  if (ts === undefined) return missingArgumentReply('message_ts');
  const message = core.timeline.get(channel.value.id, ts);
  if (!message || message.onlyFor !== null) return errorReply('message_not_found');
  return okReply({ channel: channel.value.id, permalink: permalink(core, message) });
}

/** chat.update's own limit of `text`, lower than that of a new message (docs.slack.dev/reference/methods/chat.update). */
const MAX_UPDATED_TEXT = 4_000;

/** One of the bot's own messages, and never an ephemeral one. */
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
 * Text sent alone removes the blocks (docs.slack.dev/reference/methods/chat.update); blocks sent alone remove the text.
 */
function replacement(content: MessageContent): MessageContent {
  if (content.text !== undefined) return { blocks: [], ...content };
  return content.blocks === undefined ? content : { text: '', ...content };
}

function update(args: CallArguments, core: WorkspaceCore): ApiReply {
  const message = findOwnMessage(args, core, 'cant_update_message');
  if (!message.ok) return message;
  if (core.directory.channel(message.value.channel)?.archived) return errorReply('is_inactive');
  const read = parseContent(args, core);
  if (!read.ok) return read;
  if (isLongerThan(MAX_UPDATED_TEXT, args)) return errorReply('msg_too_long');
  const after = { ...message.value, ...replacement(read.content) };
  if (isEmptyContent(after) && (after.files ?? []).length === 0) return errorReply('no_text');
  const { text, blocks, metadata, ts, channel } = after;
  const answered = messageObject(core, editAsBot(core, message.value, { text, blocks, metadata }), true);
  return okReply({ channel, ts, text: answered['text'], message: answered });
}

function remove(args: CallArguments, core: WorkspaceCore): ApiReply {
  const message = findOwnMessage(args, core, 'cant_delete_message');
  if (!message.ok) return message;
  removeMessage(core, message.value);
  return okReply({ channel: message.value.channel, ts: message.value.ts });
}

/**
 * Content for links in people's messages (docs.slack.dev/reference/methods/chat.unfurl). Also works where the bot is no
 * member (docs.slack.dev/reference/events/link_shared).
 */
function unfurl(args: CallArguments, core: WorkspaceCore): ApiReply {
  for (const name of ['channel', 'ts', 'unfurls']) if (!args.has(name)) return errorReply(`missing_${name}`);
  const channel = core.directory.channel(args.text('channel') ?? '');
  if (!channel) return errorReply('cannot_find_channel');
  const message = core.timeline.get(channel.id, args.text('ts') ?? '');
  if (message?.onlyFor !== null) return errorReply('cannot_find_message');
  const unfurls = args.structure('unfurls');
  if (!isJsonObject(unfurls)) return errorReply('invalid_unfurls_format');
  const attachments: JsonObject[] = [];
  for (const [url, attachment] of Object.entries(unfurls)) {
    if (!isJsonObject(attachment)) return errorReply('cannot_parse_attachment');
    if (!message.text.includes(url.replaceAll('&', '&amp;'))) return errorReply('cannot_unfurl_message');
    if (unfurlDomainOf(core, url) === undefined) return errorReply('cannot_unfurl_url');
    const problems = attachment['blocks'] === undefined ? [] : checkBlocks(attachment['blocks'], 'message');
    if (problems.length > 0) return validationErrorReply('invalid_blocks', problems);
    attachments.push({ id: attachments.length + 1, ...unfurledAttachment(core, url, attachment) });
  }
  core.timeline.change(message, { attachments });
  core.changed();
  return okReply();
}

export const chatMethods: readonly WebApiMethod[] = [
  botMethod('chat.postMessage', TIER.special, ['chat:write'], postMessage),
  botMethod('chat.postEphemeral', TIER.four, ['chat:write'], postEphemeral),
  formMethod('chat.getPermalink', TIER.special, [], getPermalink),
  botMethod('chat.update', TIER.three, ['chat:write'], update),
  botMethod('chat.delete', TIER.three, ['chat:write'], remove),
  botMethod('chat.unfurl', TIER.three, ['links:write'], unfurl),
];
