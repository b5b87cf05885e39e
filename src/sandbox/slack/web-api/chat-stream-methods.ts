/**
 * chat.startStream, chat.appendStream, chat.stopStream: a message that grows while it is written
 * (docs.slack.dev/reference/methods/chat.startStream).
 */

import type { WorkspaceCore } from '../core/core.ts';
import { asList, type JsonObject } from '../core/json-object.ts';
import { parseContent } from '../messages/content.ts';
import { postAsBot } from '../messages/posting.ts';
import { areChunks, streamBlocks, streamText } from '../messages/stream-chunks.ts';
import { messageObject } from '../objects/messages-and-views.ts';
import type { Channel } from '../state/directory.ts';
import type { Message, MessageStream } from '../state/timeline.ts';
import { type CallArguments, createCallArguments } from './calls/arguments.ts';
import { findAddressee, findChannel } from './calls/channel-access.ts';
import { readThread } from './calls/message-arguments.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiError, type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

const MAX_MARKDOWN = 12_000;
/** Of all calls together (docs.slack.dev/reference/methods/chat.stopStream). */
const MAX_CHUNK_BLOCKS = 50;

function start(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findWritable(args, core);
  if (!channel.ok) return channel;
  const { id, kind } = channel.value;
  const recipient = wrongRecipient(args, core, kind === 'im');
  if (recipient) return recipient;
  const thread = readThread(args, core, id);
  if (!thread.ok) return thread;
  if (thread.value === undefined && kind === 'im') return missingArgumentReply('thread_ts');
  const taskDisplay = args.text('task_display_mode') ?? 'timeline';
  if (taskDisplay !== 'timeline' && taskDisplay !== 'plan') return errorReply('invalid_arguments');
  // "The app must be subscribed to the `message_stream_stopped` event to use `is_stoppable`" (the same page).
  if (args.flag('is_stoppable') && !core.manifest.events.has('message_stream_stopped'))
    return errorReply('not_subscribed_to_message_stream_stopped');
  const stream = withChunks({ taskDisplay, chunks: [] }, args);
  if (!stream.ok) return stream;
  // Outside of threads only where a channel is one session, as in Slack Code (docs.slack.dev/reference/methods/chat.startStream).
  if (thread.value === undefined) return errorReply('invalid_thread_ts');
  const message = postAsBot(core, {
    channel: id,
    content: shown(stream.value, core),
    threadTs: thread.value,
    stream: stream.value,
  });
  return okReply({ channel: id, ts: message.ts });
}

function append(args: CallArguments, core: WorkspaceCore): ApiReply {
  const found = findStream(args, core);
  if (!found.ok) return found;
  const { message, stream } = found.value;
  const longer = withChunks(stream, args);
  if (!longer.ok) return longer;
  if (longer.value.chunks.length === stream.chunks.length) return errorReply('no_text');
  core.timeline.change(message, { ...shown(longer.value, core), stream: longer.value });
  core.changed();
  return okReply({ channel: message.channel, ts: message.ts });
}

/** The blocks that are sent with the stop stand below what was streamed. */
function stop(args: CallArguments, core: WorkspaceCore): ApiReply {
  const found = findStream(args, core);
  if (!found.ok) return found;
  const { message, stream } = found.value;
  const longer = withChunks(stream, args);
  if (!longer.ok) return longer;
  const { blocks, metadata } = args.all;
  const sent = {
    ...(blocks === undefined ? {} : { blocks }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const read = parseContent(createCallArguments(sent), core);
  if (!read.ok) return read;
  const whole = shown(longer.value, core);
  const below = read.content.blocks ?? [];
  const ended = core.timeline.change(message, {
    ...whole,
    blocks: [...whole.blocks, ...below],
    metadata: read.content.metadata ?? message.metadata,
    stream: undefined,
  });
  core.changed();
  const { channel, ts } = ended;
  return okReply({ channel, ts, message: messageObject(core, ended, true) });
}

function shown(stream: MessageStream, core: WorkspaceCore) {
  return { text: streamText(stream), blocks: streamBlocks(stream, core) };
}

/** The channel by its id, if the bot may post there. */
function findWritable(args: CallArguments, core: WorkspaceCore): Lookup<Channel> {
  const channel = findChannel(args, core);
  return channel.ok ? findAddressee(args, core) : channel;
}

/** In channels a stream is for one person; in a direct message it is clear for whom. */
function wrongRecipient(
  args: CallArguments,
  { directory, app }: WorkspaceCore,
  isDirect: boolean,
): ApiError | null {
  const user = args.text('recipient_user_id');
  const team = args.text('recipient_team_id');
  if (user === undefined && !isDirect) return errorReply('missing_recipient_user_id');
  if (team === undefined && !isDirect) return errorReply('missing_recipient_team_id');
  if (team !== undefined && team !== app.teamId) return errorReply('team_not_found');
  return user === undefined || directory.user(user) ? null : errorReply('user_not_found');
}

/**
 * The stream with the chunks of the call. Blocks that are sent with the stop do not count. All content comes
 * as text or all of it as chunks (docs.slack.dev/reference/methods/chat.startStream, 2026-09-14; seen:
 * NousResearch/hermes-agent, pull 104173).
 */
function withChunks(stream: MessageStream, args: CallArguments): Lookup<MessageStream> {
  const given = (['markdown_text', 'chunks'] as const).filter(args.has);
  if (given.length > 1) return errorReply('cannot_provide_both_markdown_text_and_chunks');
  const sentAs = stream.sentAs ?? given[0];
  if (given.some((one) => one !== sentAs)) return errorReply('streaming_mode_mismatch');
  const read = readChunks(args);
  if (!read.ok) return read;
  const chunks = [...stream.chunks, ...read.value];
  const blocks = chunks.flatMap((chunk) => asList(chunk['blocks']));
  return blocks.length > MAX_CHUNK_BLOCKS
    ? errorReply('msg_blocks_too_many')
    : { ok: true, value: { ...stream, chunks, sentAs } };
}

function readChunks(args: CallArguments): Lookup<readonly JsonObject[]> {
  const markdown = args.text('markdown_text');
  if ((markdown ?? '').length > MAX_MARKDOWN) return errorReply('msg_blocks_too_long');
  const chunks = args.has('chunks') ? args.structure('chunks') : [];
  if (!areChunks(chunks)) return errorReply('invalid_chunks');
  const text = markdown === undefined ? [] : [{ type: 'markdown_text', text: markdown }];
  return { ok: true, value: [...text, ...chunks] };
}

type Streaming = { readonly message: Message; readonly stream: MessageStream };

function findStream(args: CallArguments, core: WorkspaceCore): Lookup<Streaming> {
  const channel = findWritable(args, core);
  if (!channel.ok) return channel;
  const ts = args.text('ts');
  if (ts === undefined) return missingArgumentReply('ts');
  const message = core.timeline.get(channel.value.id, ts);
  if (message?.onlyFor !== null) return errorReply('message_not_found');
  if (!message.bot) return errorReply('message_not_owned_by_app');
  const { stream } = message;
  return stream ? { ok: true, value: { message, stream } } : errorReply('message_not_in_streaming_state');
}

export const chatStreamMethods: readonly WebApiMethod[] = [
  botMethod('chat.startStream', TIER.two, ['chat:write'], start),
  botMethod('chat.appendStream', TIER.four, ['chat:write'], append),
  botMethod('chat.stopStream', TIER.two, ['chat:write'], stop),
];
