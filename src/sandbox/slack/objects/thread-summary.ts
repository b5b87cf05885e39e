/** What a message says of its thread (docs.slack.dev/messaging/retrieving-messages). */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Message } from '../state/timeline.ts';

/** "max 5", in the page's example. */
const MAX_NAMED_USERS = 5;

/** Null without replies. */
export function threadSummary(
  { timeline }: WorkspaceCore,
  message: Pick<Message, 'channel' | 'ts'>,
): JsonObject | null {
  const replies = timeline.replies(message).filter(({ onlyFor }) => onlyFor === null);
  if (replies.length === 0) return null;
  const users = [...new Set(replies.map(({ user }) => user))];
  return {
    reply_count: replies.length,
    reply_users: users.slice(0, MAX_NAMED_USERS),
    reply_users_count: users.length,
    latest_reply: replies.at(-1)?.ts,
  };
}
