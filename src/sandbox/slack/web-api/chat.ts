/** chat.postMessage, chat.postEphemeral, chat.getPermalink. */
import type { Arguments } from '../arguments.ts';
import { type Content, isEmpty, readContent } from '../content.ts';
import type { Core } from '../core.ts';
import { messageObject } from '../objects.ts';
import { postAsBot } from '../posting.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Channel } from '../state/directory.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { seekAddressee, seekChannel } from './reach.ts';

type Draft = { readonly channel: Channel; readonly content: Content; readonly threadTs: string | undefined };

function readDraft(args: Arguments, core: Core): Sought<Draft> {
  const channel = seekAddressee(args, core);
  if (!channel.ok) return channel;
  const read = readContent(args, core.ids);
  if (!read.ok) return read;
  if (isEmpty(read.content)) return refuse('no_text');
  const threadTs = args.text('thread_ts');
  if (threadTs !== undefined && !core.timeline.get(channel.value.id, threadTs))
    return refuse('thread_not_found');
  return { ok: true, value: { channel: channel.value, content: read.content, threadTs } };
}

function postMessage(args: Arguments, core: Core): Reply {
  const draft = readDraft(args, core);
  if (!draft.ok) return draft;
  const { channel, content, threadTs } = draft.value;
  const broadcast = args.flag('reply_broadcast');
  const message = postAsBot(core, { channel: channel.id, content, threadTs, broadcast });
  return done({ channel: channel.id, ts: message.ts, message: messageObject(core, message, true) });
}

function postEphemeral(args: Arguments, core: Core): Reply {
  const user = args.text('user');
  if (user === undefined) return missingArgument('user');
  const draft = readDraft(args, core);
  if (!draft.ok) return draft;
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
  const place = `${channel.value.id}/p${ts.replace('.', '')}`;
  const thread = message.threadTs === null ? '' : `?thread_ts=${message.threadTs}&cid=${channel.value.id}`;
  const permalink = `https://${core.app.teamDomain}.slack.com/archives/${place}${thread}`;
  return done({ channel: channel.value.id, permalink });
}

export const chatMethods: readonly Method[] = [
  botMethod('chat.postMessage', TIER.special, ['chat:write'], postMessage),
  botMethod('chat.postEphemeral', TIER.four, ['chat:write'], postEphemeral),
  botMethod('chat.getPermalink', TIER.special, [], getPermalink),
];
