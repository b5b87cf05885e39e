/** Parts of a channel, for a page that does not want to read all of it. */
import type { Excerpt, ExcerptOrder, SeenMessage } from '../../contracts.ts';
import type { Core } from '../core.ts';
import type { Message } from '../state/timeline.ts';
import { standing } from './found.ts';
import { seenMessage } from './talk.ts';

/** The part that was asked for, oldest first; null when this person sees nothing of the channel. */
export function readExcerpt(core: Core, order: ExcerptOrder): Excerpt | null {
  const stood = standing(core, order);
  if (!stood.ok) return null;
  const { channel, person } = stood;
  const visible = core.timeline
    .all(channel.id)
    .filter(({ onlyFor }) => onlyFor === null || onlyFor === person.id);
  const wanted = visible.filter((message) => belongs(message, order));
  const replies = countReplies(visible);
  const see = (message: Message) => ({ ...seenMessage(core, message), ...replies.get(message.ts) });
  const cursor = core.sightings.cursor();
  const touched = order.since === undefined ? null : core.sightings.messages(channel.id, order.since);
  if (touched !== null) {
    const isTouched = new Set(touched);
    const there = new Set(wanted.map(({ ts }) => ts));
    return {
      messages: wanted.filter(({ ts }) => isTouched.has(ts)).map(see),
      removed: touched.filter((ts) => !there.has(ts)),
      whole: false,
      more: false,
      cursor,
    };
  }
  const { page, more } = cut(wanted, order);
  return { messages: page.map(see), removed: [], whole: true, more, cursor };
}

/** Whether the message is of the thread, or of the channel itself, where only that was asked for. */
function belongs({ ts, threadTs, broadcast }: Message, { thread, replies = true }: ExcerptOrder): boolean {
  if (thread !== undefined) return ts === thread || threadTs === thread;
  return replies || threadTs === null || threadTs === ts || broadcast;
}

/** Texts of ts are of one length, so they compare as the times they are. */
function cut(messages: readonly Message[], { before, after, limit = messages.length }: ExcerptOrder) {
  const older = before === undefined ? messages : messages.filter(({ ts }) => ts < before);
  if (after === undefined) {
    const from = Math.max(0, older.length - limit);
    return { page: older.slice(from), more: from > 0 };
  }
  const newer = older.filter(({ ts }) => ts > after);
  return { page: newer.slice(0, limit), more: newer.length > limit };
}

type Replies = Required<Pick<SeenMessage, 'reply_count' | 'latest_reply' | 'reply_users'>>;

/** What stands below the first message of each thread. */
function countReplies(messages: readonly Message[]): ReadonlyMap<string, Replies> {
  const counted = new Map<string, Replies>();
  for (const { ts, threadTs, user } of messages) {
    if (threadTs === null || threadTs === ts) continue;
    const { reply_count = 0, reply_users = [] } = counted.get(threadTs) ?? {};
    const users = reply_users.includes(user) ? reply_users : [...reply_users, user];
    counted.set(threadTs, { reply_count: reply_count + 1, latest_reply: ts, reply_users: users });
  }
  return counted;
}
