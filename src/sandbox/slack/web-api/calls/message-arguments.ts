/** Arguments of a new message: destination, content, thread. */

import type { WorkspaceCore } from '../../core/core.ts';
import { withAttachmentTexts } from '../../messages/attachment-texts.ts';
import { isEmptyContent, type MessageContent, parseContent } from '../../messages/content.ts';
import { type Linkable, withAddressLinks, withEntities, withNameLinks } from '../../messages/typed-text.ts';
import type { Channel } from '../../state/directory.ts';
import type { CallArguments } from './arguments.ts';
import { findAddressee } from './channel-access.ts';
import type { Lookup } from './method.ts';
import { type ApiError, errorReply } from './replies.ts';

export type MessageArguments = {
  readonly channel: Channel;
  readonly content: MessageContent;
  readonly threadTs: string | undefined;
};

export function readMessageArguments(
  args: CallArguments,
  core: WorkspaceCore,
  linkable: Linkable = 'groups',
): Lookup<MessageArguments> {
  const channel = findAddressee(args, core);
  if (!channel.ok) return channel;
  const read = parseContent(args, core);
  if (!read.ok) return read;
  if (isEmptyContent(read.content)) return errorReply('no_text');
  const thread = readThread(args, core, channel.value.id);
  if (!thread.ok) return thread;
  const content = withLinks(args, core, read.content, linkable);
  return { ok: true, value: { channel: channel.value, content, threadTs: thread.value } };
}

/**
 * The thread that `thread_ts` names, by its parent or by any reply. Like Slack, it accepts the timestamp of no message:
 * the message is posted outside of threads, or shown nowhere if the timestamp has lost its last digits
 * (slackapi/python-slack-sdk#840). It refuses an empty one (vercel/chat#268).
 */
export function readThread(
  args: CallArguments,
  core: WorkspaceCore,
  channel: string,
): Lookup<string | undefined> {
  const ts = args.text('thread_ts');
  if (ts === undefined)
    return args.all['thread_ts'] === '' ? invalidThread('') : { ok: true, value: undefined };
  if (!/^\d+\.\d+$/.test(ts)) return invalidThread(ts);
  const named = core.timeline.get(channel, ts);
  const isThread = named !== undefined || core.timeline.replies({ channel, ts }).length > 0;
  return { ok: true, value: isThread || !isTs(ts) ? (named?.threadTs ?? ts) : undefined };
}

/** Whether the text is formatted like a message timestamp. */
export function isTs(text: string): boolean {
  return /^\d+\.\d{6}$/.test(text);
}

function invalidThread(ts: string): ApiError {
  const messages = [`[ERROR] ${ts} is not a valid thread_ts`];
  return errorReply('invalid_thread_ts', { response_metadata: { messages } });
}

/**
 * `parse=full` treats the text as if a person had typed it; `link_names` links names only; addresses are links unless
 * `parse=none`; the same for “text in secondary message attachments” (docs.slack.dev/messaging/formatting-message-text,
 * “Automatic parsing”).
 */
export function withLinks(
  args: CallArguments,
  core: WorkspaceCore,
  content: MessageContent,
  linkable: Linkable,
): MessageContent {
  const { text, attachments } = content;
  const link = (each: string) => linkedText(args, core, each, linkable);
  return {
    ...content,
    ...(text === undefined || args.has('markdown_text') ? {} : { text: link(text) }),
    ...(attachments ? { attachments: attachments.map((each) => withAttachmentTexts(each, link)) } : {}),
  };
}

function linkedText(args: CallArguments, core: WorkspaceCore, text: string, linkable: Linkable): string {
  const parse = args.text('parse');
  if (parse === 'full') return withEntities(core, text, core.app.botUser);
  const addressed = parse === 'none' ? text : withAddressLinks(text);
  return args.flag('link_names') ? withNameLinks(core, addressed, linkable) : addressed;
}
