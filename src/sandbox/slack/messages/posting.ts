/** Adds messages to the workspace. */

import type { WorkspaceCore } from '../core/core.ts';
import type { Message } from '../state/timeline.ts';
import { type MessageContent, withDefaultContent } from './content.ts';

export type NewMessage = {
  readonly channel: string;
  readonly content: MessageContent;
  readonly threadTs?: string | undefined;
  readonly broadcast?: boolean;
  readonly onlyFor?: string | null;
  /** Through a response URL. */
  readonly response?: boolean;
  /** No markup in its text. */
  readonly plain?: boolean;
  /** File ids. */
  readonly files?: readonly string[];
};

/** Adds a message of the bot. */
export function postAsBot(core: WorkspaceCore, post: NewMessage): Message {
  const { channel, content, threadTs, broadcast, onlyFor, response, plain, files } = post;
  const message: Message = {
    ...withDefaultContent(content),
    ts: core.ids.ts(),
    channel,
    user: core.app.botUser,
    bot: true,
    threadTs: threadTs ?? null,
    broadcast: broadcast ?? false,
    edited: null,
    onlyFor: onlyFor ?? null,
    ...(response ? { response } : {}),
    ...(plain ? { plain } : {}),
    ...(files ? { files } : {}),
  };
  core.timeline.add(message);
  core.changed();
  return message;
}

/**
 * Edits a message of the bot. An edit with blocks is not marked as edited
 * (docs.slack.dev/reference/methods/chat.update). The mark names the bot, not its user, and a full second
 * (MercuryTechnologies/slack-web, tests/golden/UpdateRsp/actual.json).
 */
export function editAsBot(
  core: WorkspaceCore,
  message: Message,
  content: MessageContent,
  also: Pick<Message, 'broadcast'> | Record<never, never> = {},
): Message {
  const edited = { user: core.app.botId, ts: core.ids.ts().replace(/\d{6}$/, '000000') };
  const marked = (content.blocks ?? []).length > 0 ? {} : { edited };
  const changed = core.timeline.change(message, { ...content, ...also, ...marked });
  core.changed();
  return changed;
}

const TOMBSTONE = {
  ...{ tombstone: true, user: 'USLACKBOT', bot: false, text: 'This message was deleted.', edited: null },
  ...{ blocks: [], attachments: [], files: [], reactions: [], metadata: null },
};

/**
 * Removes a message; of the first one of a thread with replies a stone is left (slackapi/java-slack-sdk,
 * MessageChangedEventTest). The first message without replies is still known as one
 * (docs.slack.dev/messaging/retrieving-messages).
 */
export function removeMessage(core: WorkspaceCore, message: Message): void {
  const hasReplies = core.timeline.replies(message).some(({ onlyFor }) => onlyFor === null);
  if (hasReplies) core.timeline.change(message, TOMBSTONE);
  else core.timeline.remove(message);
  const { channel, threadTs } = message;
  const parent = threadTs === null ? undefined : core.timeline.get(channel, threadTs);
  if (parent) core.timeline.change(parent, { hadReplies: true });
  core.changed();
}
