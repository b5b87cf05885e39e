/** chat.postMessage, chat.postEphemeral, chat.getPermalink. */

import type { WorkspaceCore } from '../core/core.ts';
import { MAX_TEXT } from '../messages/content.ts';
import { postAsBot } from '../messages/posting.ts';
import { messageObject, permalink } from '../objects/messages-and-views.ts';
import { type CallArguments, createCallArguments } from './calls/arguments.ts';
import { findChannel } from './calls/channel-access.ts';
import { readMessageArguments } from './calls/message-arguments.ts';
import { botMethod, formMethod, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply, withWarnings } from './calls/replies.ts';

/**
 * `as_user`, `unfurl_links` and `unfurl_media` have no effect: the app is not a classic one, and nothing unfurls on its
 * own.
 */
function postMessage(args: CallArguments, core: WorkspaceCore): ApiReply {
  const draft = readMessageArguments(args, core);
  if (!draft.ok) return draft;
  const { channel, content, threadTs } = draft.value;
  const message = postAsBot(core, {
    channel: channel.id,
    content,
    threadTs,
    broadcast: threadTs !== undefined && args.flag('reply_broadcast'),
    plain: args.denied('mrkdwn'),
  });
  const reply = okReply({ channel: channel.id, ts: message.ts, message: messageObject(core, message, true) });
  return isTooLong(args) ? withWarnings(reply, ['message_truncated'], [TRUNCATED]) : reply;
}

/** docs.slack.dev/changelog/2018-04-truncating-really-long-messages */
const TRUNCATED =
  'Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.';

function isTooLong(args: CallArguments): boolean {
  return (args.text('text') ?? '').length > MAX_TEXT;
}

/**
 * Text that is too long is refused: this method's page lists `msg_too_long`, that of chat.postMessage does not. It also
 * says that the metadata of an event is ignored.
 */
function postEphemeral(args: CallArguments, core: WorkspaceCore): ApiReply {
  const user = args.text('user');
  if (user === undefined) return missingArgumentReply('user');
  const withoutMetadata = createCallArguments({ ...args.all, metadata: undefined });
  const draft = readMessageArguments(withoutMetadata, core, 'people and groups');
  if (!draft.ok) return draft;
  if (isTooLong(args)) return errorReply('msg_too_long');
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

export const chatMethods: readonly WebApiMethod[] = [
  botMethod('chat.postMessage', TIER.special, ['chat:write'], postMessage),
  botMethod('chat.postEphemeral', TIER.four, ['chat:write'], postEphemeral),
  formMethod('chat.getPermalink', TIER.special, [], getPermalink),
];
