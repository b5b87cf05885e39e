/** chat.postMessage, chat.postEphemeral, chat.getPermalink. */
import type { Arguments } from '../arguments.ts';
import { TEXT_CUT } from '../content.ts';
import type { Core } from '../core.ts';
import { messageObject, permalink } from '../objects.ts';
import { postAsBot } from '../posting.ts';
import { done, missingArgument, type Reply, refuse, warn } from '../reply.ts';
import { readDraft } from './drafts.ts';
import { botMethod, type Method, TIER } from './method.ts';
import { seekChannel } from './reach.ts';

/** `as_user`, `unfurl_links` and `unfurl_media` change nothing here: the app is not a classic one, and nothing unfurls by itself. */
function postMessage(args: Arguments, core: Core): Reply {
  const draft = readDraft(args, core);
  if (!draft.ok) return draft;
  const { channel, content, threadTs } = draft.value;
  const message = postAsBot(core, {
    channel: channel.id,
    content,
    threadTs,
    broadcast: threadTs !== undefined && args.flag('reply_broadcast'),
    plain: args.denied('mrkdwn'),
  });
  const reply = done({ channel: channel.id, ts: message.ts, message: messageObject(core, message, true) });
  return isTooLong(args) ? warn(reply, ['message_truncated'], [TRUNCATED]) : reply;
}

/** docs.slack.dev/changelog/2018-04-truncating-really-long-messages */
const TRUNCATED =
  'Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.';

function isTooLong(args: Arguments): boolean {
  return (args.text('text') ?? '').length > TEXT_CUT;
}

/** Text that is too long is refused here: this method's page lists `msg_too_long`, that of chat.postMessage does not. */
function postEphemeral(args: Arguments, core: Core): Reply {
  const user = args.text('user');
  if (user === undefined) return missingArgument('user');
  const draft = readDraft(args, core);
  if (!draft.ok) return draft;
  if (isTooLong(args)) return refuse('msg_too_long');
  const { channel, content, threadTs } = draft.value;
  if (!channel.members.has(user)) return refuse('user_not_in_channel');
  const message = postAsBot(core, { channel: channel.id, content, threadTs, onlyFor: user });
  return done({ message_ts: message.ts });
}

function getPermalink(args: Arguments, core: Core): Reply {
  const channel = seekChannel(args, core);
  if (!channel.ok) return channel;
  const ts = args.text('message_ts');
  if (ts === undefined) return missingArgument('message_ts');
  const message = core.timeline.get(channel.value.id, ts);
  if (!message || message.onlyFor !== null) return refuse('message_not_found');
  return done({ channel: channel.value.id, permalink: permalink(core, message) });
}

export const chatMethods: readonly Method[] = [
  botMethod('chat.postMessage', TIER.special, ['chat:write'], postMessage),
  botMethod('chat.postEphemeral', TIER.four, ['chat:write'], postEphemeral),
  botMethod('chat.getPermalink', TIER.special, [], getPermalink),
];
