/** Slack's JSON objects for messages and views. */
import { initialStateValues } from '../blocks/element-state.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { StoredFile } from '../state/file-store.ts';
import { SEEDED_AT } from '../state/seed.ts';
import type { Message, Reaction } from '../state/timeline.ts';
import type { SlackView } from '../state/view-store.ts';
import { answeredAttachment, answeredBlocks, answeredObject, answeredText } from './answered-blocks.ts';
import { fileObject } from './file-object.ts';

/** A message; only the type of its metadata where a method is called that does not ask for all of it. */
export function messageObject(core: WorkspaceCore, message: Message, allMetadata: boolean): JsonObject {
  const { metadata, threadTs } = message;
  if (message.tombstone) return tombstoneObject(core, message);
  const blocks = answeredBlocks(message);
  return {
    type: 'message',
    ...(message.clientMsgId === undefined ? {} : { client_msg_id: message.clientMsgId }),
    ts: message.ts,
    text: answeredText(message),
    ...authorFields(core, message),
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(message.files ? fileFields(core, message) : {}),
    ...(message.reactions?.length ? { reactions: message.reactions.map(reactionObject) } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments.map(answeredAttachment) } : {}),
    ...(metadata ? { metadata: allMetadata ? metadata : { event_type: metadata.event_type } } : {}),
    ...(message.edited ? { edited: message.edited } : {}),
    ...(threadTs === null ? {} : { thread_ts: threadTs }),
    ...threadFields(core, message),
  };
}

function tombstoneObject(core: WorkspaceCore, message: Message): JsonObject {
  const { user, ts, text } = message;
  return {
    type: 'message',
    subtype: 'tombstone',
    hidden: true,
    user,
    ts,
    text,
    ...threadFields(core, message),
  };
}

/** A response has neither a user nor a team (slackapi/bolt-python, tests/scenario_tests/test_events_ignore_self.py). */
function authorFields(core: WorkspaceCore, { user, bot, response }: Message): JsonObject {
  const { botId, appId, teamId } = core.app;
  if (response) return { subtype: 'bot_message', bot_id: botId };
  if (!bot) return { user, team: teamId };
  const profile = { ...botObject(core), team_id: teamId };
  return { user, team: teamId, bot_id: botId, app_id: appId, bot_profile: profile };
}

function reactionObject(reaction: Reaction): JsonObject {
  return { ...reaction, count: reaction.users.length };
}

/** Files are shared here only when they are uploaded (docs.slack.dev/reference/events/message/file_share). */
function fileFields(core: WorkspaceCore, message: Message): JsonObject {
  const files = messageFileObjects(core, message).map((file) => fileObject(core, file));
  return { files, upload: true, display_as_bot: false };
}

/** The shared files of a message that still exist. */
export function messageFileObjects(core: WorkspaceCore, { files = [] }: Message): readonly StoredFile[] {
  return files.map((id) => core.files.get(id)).filter((file) => file !== undefined);
}

/** The message's address for people. */
export function permalink({ app }: WorkspaceCore, { channel, ts, threadTs }: Message): string {
  const thread = threadTs === null ? '' : `?thread_ts=${threadTs}&cid=${channel}`;
  return `https://${app.teamDomain}.slack.com/archives/${channel}/p${ts.replace('.', '')}${thread}`;
}

function threadFields(core: WorkspaceCore, message: Message): JsonObject {
  if (message.threadTs !== null) {
    const parent = core.timeline.get(message.channel, message.threadTs);
    return parent ? { parent_user_id: parent.user } : {};
  }
  const summary = threadSummary(core, message);
  if (summary === null) return message.hadReplies ? { thread_ts: message.ts } : {};
  return { thread_ts: message.ts, ...summary, is_locked: false, subscribed: false };
}

/** "max 5", in the example of docs.slack.dev/messaging/retrieving-messages. */
const MAX_NAMED_USERS = 5;

/** What the first message of a thread says of its replies; null without any. */
function threadSummary({ timeline }: WorkspaceCore, message: Message): JsonObject | null {
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

/** As bots.info returns it, and the profile in a message (business4s/chatOps4s, chat.postMessage.json, 2026-02). */
export function botObject({ app, manifest }: WorkspaceCore): JsonObject {
  const icons = [36, 48, 72].map((size) => [
    `image_${size}`,
    `https://${app.teamDomain}.slack.com/bot_${size}.png`,
  ]);
  return {
    id: app.botId,
    app_id: app.appId,
    user_id: app.botUser,
    name: manifest.botUser?.name ?? app.botName,
    deleted: false,
    updated: SEEDED_AT,
    icons: Object.fromEntries(icons),
  };
}

/**
 * A view as the bot gets it: text objects have their defaults (docs.slack.dev/reference/methods/views.publish, its
 * example; MercuryTechnologies/slack-web, `SlackView`).
 */
export function viewObject(core: WorkspaceCore, view: SlackView): JsonObject {
  return answeredObject(viewAsSent(core, view));
}

/** A view as its person sees it, with its entered values. */
export function viewAsSent({ app, enteredValues }: WorkspaceCore, view: SlackView): JsonObject {
  return {
    id: view.id,
    team_id: app.teamId,
    app_id: app.appId,
    app_installed_team_id: app.teamId,
    bot_id: app.botId,
    title: { type: 'plain_text', text: 'View Title', emoji: true },
    close: null,
    submit: null,
    private_metadata: '',
    callback_id: '',
    clear_on_close: false,
    notify_on_close: false,
    ...view.content,
    type: view.type,
    blocks: view.blocks,
    external_id: '',
    hash: view.hash,
    previous_view_id: view.previousId,
    root_view_id: view.rootId,
    state: { values: initialStateValues(view.blocks, enteredValues.entered(view.user, view.id)) },
  };
}
