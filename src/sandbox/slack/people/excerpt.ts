/** Parts of a channel, so that a page need not read all of it. */
import type { Excerpt, ExcerptQuery, SeenMessage } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { Message } from '../state/timeline.ts';
import { personInChannel } from './find-targets.ts';
import { isVisible, visibleMessage } from './send-message.ts';

/** The requested part, oldest first; null when this person may not see the channel. */
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
function isInExcerpt(
  { ts, threadTs, broadcast }: Message,
  { thread, replies = true }: ExcerptQuery,
): boolean {
  if (thread !== undefined) return ts === thread || threadTs === thread;
  return replies || threadTs === null || threadTs === ts || broadcast;
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
