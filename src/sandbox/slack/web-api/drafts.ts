/** What a new message is made of: where it goes, what it says, and in which thread. */
import type { Arguments } from '../arguments.ts';
import { type Content, isEmpty, readContent } from '../content.ts';
import type { Core } from '../core.ts';
import { type Refusal, refuse } from '../reply.ts';
import type { Channel } from '../state/directory.ts';
import { withEntities } from '../typed-text.ts';
import type { Sought } from './method.ts';
import { seekAddressee } from './reach.ts';

export type Draft = {
  readonly channel: Channel;
  readonly content: Content;
  readonly threadTs: string | undefined;
};

export function readDraft(args: Arguments, core: Core): Sought<Draft> {
  const channel = seekAddressee(args, core);
  if (!channel.ok) return channel;
  const read = readContent(args, core.ids);
  if (!read.ok) return read;
  if (isEmpty(read.content)) return refuse('no_text');
  const thread = seekThread(args, core, channel.value.id);
  if (!thread.ok) return thread;
  const content = withLinks(args, core, read.content);
  return { ok: true, value: { channel: channel.value, content, threadTs: thread.value } };
}

/**
 * The thread that `thread_ts` names, by its parent or by any of its replies. Slack takes a thread_ts of which
 * it knows nothing and shows the message nowhere; here that mistake is refused.
 */
export function seekThread(args: Arguments, core: Core, channel: string): Sought<string | undefined> {
  const ts = args.text('thread_ts');
  if (ts === undefined) return { ok: true, value: undefined };
  if (!isTs(ts)) return invalidThread(ts);
  const message = core.timeline.get(channel, ts);
  if (!message || message.onlyFor !== null) return refuse('thread_not_found');
  return { ok: true, value: message.threadTs ?? ts };
}

/** Whether the text has the form of a message's timestamp. */
export function isTs(text: string): boolean {
  return /^\d+\.\d{6}$/.test(text);
}

function invalidThread(ts: string): Refusal {
  const messages = [`[ERROR] ${ts} is not a valid thread_ts`];
  return refuse('invalid_thread_ts', { response_metadata: { messages } });
}

/** `parse=full` treats the text as if a person had typed it; `link_names` links names only. */
export function withLinks(args: Arguments, core: Core, content: Content): Content {
  const { text } = content;
  if (text === undefined) return content;
  if (args.text('parse') === 'full') return { ...content, text: withEntities(core, text, core.app.botUser) };
  if (!args.flag('link_names')) return content;
  const linked = text.replace(/(?<![\w<&])[@#][a-z0-9][a-z0-9._-]*/g, (name) =>
    withEntities(core, name, core.app.botUser),
  );
  return { ...content, text: linked };
}
