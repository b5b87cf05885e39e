/** What a person sees: messages, whole channels and parts of them, files and conversations. */
import type {
  Conversation,
  Excerpt,
  ExcerptQuery,
  FileContent,
  SeenFile,
  SeenMessage,
} from '../../contracts/people.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { fileTypeOf, messageFileObjects } from '../objects/messages-and-views.ts';
import { canRead } from '../state/directory.ts';
import type { StoredFile } from '../state/file-store.ts';
import type { Message } from '../state/timeline.ts';
import { personInChannel } from './find-targets.ts';

/** Everything that this person sees in the channel, oldest first; null when they may not see it. */
export function visibleMessages(
  core: WorkspaceCore,
  view: { readonly channel: string; readonly user: string },
): readonly SeenMessage[] | null {
  const location = personInChannel(core, view);
  if (!location.ok) return null;
  return core.timeline
    .all(location.channel.id)
    .filter((message) => isVisible(core, message, location.person.id))
    .map((message) => visibleMessage(core, message));
}

/**
 * An ephemeral message is for one person, and in a thread only if that had an answer before it
 * (docs.slack.dev/reference/methods/chat.postEphemeral).
 */
function isVisible({ timeline }: WorkspaceCore, message: Message, person: string): boolean {
  const { channel, onlyFor, threadTs } = message;
  if (onlyFor === null) return true;
  if (onlyFor !== person) return false;
  if (threadTs === null) return true;
  const first = timeline.replies({ channel, ts: threadTs }).find((reply) => reply.onlyFor === null);
  return first !== undefined && Number(first.ts) < Number(message.ts);
}

/** The contract's fields; optional ones only when they have content. */
function visibleMessage(core: WorkspaceCore, message: Message): SeenMessage {
  const { ts, user, bot, text, blocks, metadata, onlyFor, threadTs, reactions = [] } = message;
  const files = messageFileObjects(core, message).map(visibleFile);
  return {
    ts,
    user,
    bot,
    text,
    blocks,
    metadata,
    ephemeral: onlyFor !== null,
    thread_ts: threadTs,
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
  };
}

function visibleFile(file: StoredFile): SeenFile {
  const { id, name, title, size } = file;
  return { id, name, title, mimetype: fileTypeOf(file).mimetype, size };
}

/** The content of a file that was shared where this person may read; otherwise null. */
export function readFile(
  { directory, files, timeline }: WorkspaceCore,
  input: { readonly user: string; readonly id: string },
): FileContent | null {
  const person = directory.person(input.user);
  const file = files.get(input.id);
  if (!person || !file?.bytes) return null;
  const isSeen = file.shares.some(({ channel, ts }) => {
    const location = directory.channel(channel);
    return location !== undefined && canRead(location, person.id) && timeline.get(channel, ts) !== undefined;
  });
  return isSeen ? { ...visibleFile(file), bytes: file.bytes } : null;
}

/** Public channels in use, then this person's direct message with the bot, which is always included. */
export function conversationsOf({ directory }: WorkspaceCore, user: string): readonly Conversation[] {
  const person = directory.person(user);
  if (!person) return [];
  directory.direct(person);
  const visible = directory
    .conversations()
    .filter((channel) => !channel.archived && canRead(channel, person.id));
  return visible.map(({ id, name, kind, members }) => ({
    id,
    name,
    kind,
    is_member: members.has(person.id),
  }));
}

/**
 * A part of a channel, so that a page need not read all of it: oldest first; null when this person may not see the channel.
 */
export function readExcerpt(core: WorkspaceCore, input: ExcerptQuery): Excerpt | null {
  const location = personInChannel(core, input);
  if (!location.ok) return null;
  const { channel, person } = location;
  const visible = core.timeline.all(channel.id).filter((message) => isVisible(core, message, person.id));
  const requested = visible.filter((message) => isInExcerpt(message, input));
  const replies = countReplies(visible);
  const see = (message: Message) => ({ ...visibleMessage(core, message), ...replies.get(message.ts) });
  const cursor = core.messageChanges.cursor();
  const touched = input.since === undefined ? null : core.messageChanges.messages(channel.id, input.since);
  if (touched !== null) {
    const isTouched = new Set(touched);
    const there = new Set(requested.map(({ ts }) => ts));
    return {
      messages: requested.filter(({ ts }) => isTouched.has(ts)).map(see),
      removed: touched.filter((ts) => !there.has(ts)),
      whole: false,
      more: false,
      cursor,
    };
  }
  const { page, more } = cutExcerpt(requested, input);
  return { messages: page.map(see), removed: [], whole: true, more, cursor };
}

/** Whether the message belongs to the requested thread, or to the channel itself. */
function isInExcerpt({ ts, threadTs }: Message, { thread, replies = true }: ExcerptQuery): boolean {
  if (thread !== undefined) return ts === thread || threadTs === thread;
  return replies || threadTs === null || threadTs === ts;
}

/** Timestamps have one length, so comparing them as text compares their times. */
function cutExcerpt(messages: readonly Message[], { before, after, limit = messages.length }: ExcerptQuery) {
  const older = before === undefined ? messages : messages.filter(({ ts }) => ts < before);
  if (after === undefined) {
    const from = Math.max(0, older.length - limit);
    return { page: older.slice(from), more: from > 0 };
  }
  const newer = older.filter(({ ts }) => ts > after);
  return { page: newer.slice(0, limit), more: newer.length > limit };
}

type ReplyCounts = Required<Pick<SeenMessage, 'reply_count' | 'latest_reply' | 'reply_users'>>;

/** Reply counts for the first message of each thread; ephemeral messages are no replies. */
function countReplies(messages: readonly Message[]): ReadonlyMap<string, ReplyCounts> {
  const counted = new Map<string, ReplyCounts>();
  for (const { ts, threadTs, user, onlyFor } of messages) {
    if (threadTs === null || threadTs === ts || onlyFor !== null) continue;
    const { reply_count = 0, reply_users = [] } = counted.get(threadTs) ?? {};
    const users = reply_users.includes(user) ? reply_users : [...reply_users, user];
    counted.set(threadTs, { reply_count: reply_count + 1, latest_reply: ts, reply_users: users });
  }
  return counted;
}
