/**
 * assistant.threads.setStatus (docs.slack.dev/reference/methods/assistant.threads.setStatus), in the threads of every
 * conversation that the bot is in. The page does not show the status.
 */

import type { WorkspaceCore } from '../core/core.ts';
import type { CallArguments } from './calls/arguments.ts';
import { isTs } from './calls/message-arguments.ts';
import { botMethod, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

const MAX_LOADING_MESSAGES = 10;
const MAX_LOADING_MESSAGE = 50;

/** An empty status removes the one before. */
function setStatus(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channelId = args.text('channel_id');
  const ts = args.text('thread_ts');
  if (channelId === undefined) return missingArgumentReply('channel_id');
  if (ts === undefined) return missingArgumentReply('thread_ts');
  if (typeof args.all['status'] !== 'string') return missingArgumentReply('status');
  if (args.has('loading_messages') && !areLoadingMessages(args.structure('loading_messages')))
    return errorReply('invalid_arguments');
  const channel = core.directory.channel(channelId);
  if (!channel?.members.has(core.app.botUser))
    return errorReply('channel_not_found', { detail: 'Invalid channel_id' });
  const message = isTs(ts) ? core.timeline.get(channel.id, ts) : undefined;
  return message?.onlyFor === null ? okReply() : errorReply('invalid_thread_ts');
}

function areLoadingMessages(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_LOADING_MESSAGES &&
    value.every((line) => typeof line === 'string' && line !== '' && line.length <= MAX_LOADING_MESSAGE)
  );
}

export const assistantMethods: readonly WebApiMethod[] = [
  botMethod('assistant.threads.setStatus', TIER.special, ['chat:write'], setStatus),
];
