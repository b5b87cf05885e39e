/** Slack's JSON objects for messages, views and files; their content differs from what was sent. */
import { initialStateValues } from '../blocks/elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asList, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { toRichText } from '../messages/typed-text.ts';
import { SEEDED_AT } from '../state/directory.ts';
import type { StoredFile } from '../state/file-store.ts';
import type { Message, Reaction } from '../state/timeline.ts';
import type { SlackView } from '../state/view-store.ts';
import { withEmojiNames } from './emoji-names.ts';

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

/**
 * Text objects and input blocks have their defaults; texts have names for emoji (docs.slack.dev/reference/block-kit/composition-objects/text-object; MercuryTechnologies/slack-web,
 * tests/golden/SlackWebhookEvent/circleci.json).
 */
function answeredBlocks(message: Message): readonly JsonObject[] {
  const { blocks } = message;
  return blocks.length > 0 ? blocks.map(answeredObject) : blocksOfText(message);
}

/**
 * An app's message of blocks alone says so
 * (docs.slack.dev/reference/interaction-payloads/block_actions-payload, its example).
 */
function answeredText({ bot, text, blocks }: Message): string {
  return bot && text === '' && blocks.length > 0 ? "This content can't be displayed." : withEmojiNames(text);
}

/** Text alone becomes a block of rich text (slack-web, tests/golden/UpdateRsp/actual.json). */
function blocksOfText({ ts, text, files = [] }: Message): readonly JsonObject[] {
  const isTextAlone = text !== '' && files.length === 0;
  return isTextAlone ? [toRichText(withEmojiNames(text), `t${ts.replace('.', '')}`)] : [];
}

/** What a link shows; without a fallback it says that there is none (slackapi/java-slack-sdk, BlockActionPayloadTest). */
export function answeredAttachment(attachment: JsonObject): JsonObject {
  const { blocks } = attachment;
  return {
    fallback: '[no preview available]',
    ...attachment,
    ...(blocks === undefined ? {} : { blocks: asList(blocks).map(answeredObject) }),
  };
}

/** docs.slack.dev/reference/interaction-payloads/block_suggestion-payload, its example. */
const INPUT_DEFAULTS = { optional: false, dispatch_action: false };

function answered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(answered);
  return isJsonObject(value) ? answeredObject(value) : value;
}

export function answeredObject(object: JsonObject): JsonObject {
  const { type, text } = object;
  if (type === 'rich_text') return object;
  if (typeof text !== 'string' || (type !== 'plain_text' && type !== 'mrkdwn')) {
    const content = Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, answered(value)]),
    );
    return type === 'input' ? { ...INPUT_DEFAULTS, ...content } : content;
  }
  if (type === 'mrkdwn') return { verbatim: false, ...object, text: withEmojiNames(text) };
  return { emoji: true, ...object, text: object['emoji'] === false ? text : withEmojiNames(text) };
}

/** The one type of file that the bot uploads (the same page, "File types"), and what any other is. */
const CSV = { mimetype: 'text/csv', filetype: 'csv', pretty_type: 'CSV' };
const OTHER = { mimetype: 'application/octet-stream', filetype: 'binary', pretty_type: 'Binary' };

export function fileTypeOf({ name }: StoredFile): typeof CSV {
  return name.endsWith('.csv') ? CSV : OTHER;
}

/** Slack's JSON objects for files (docs.slack.dev/reference/objects/file-object). */
export function fileObject({ app, directory }: WorkspaceCore, file: StoredFile): JsonObject {
  const sharedIn = (kind: string) =>
    [...new Set(file.shares.map(({ channel }) => channel))].filter(
      (id) => directory.channel(id)?.kind === kind,
    );
  const name = encodeURIComponent(file.name);
  const address = `https://files.slack.com/files-pri/${app.teamId}-${file.id}`;
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    ...fileTypeOf(file),
    user: file.user,
    user_team: app.teamId,
    size: file.size,
    mode: 'hosted',
    editable: false,
    is_external: false,
    external_type: '',
    display_as_bot: false,
    username: '',
    is_public: sharedIn('public').length > 0,
    public_url_shared: false,
    url_private: `${address}/${name}`,
    url_private_download: `${address}/download/${name}`,
    permalink: `https://${app.teamDomain}.slack.com/files/${file.user}/${file.id}/${name}`,
    permalink_public: `https://slack-files.com/${app.teamId}-${file.id}-0123456789`,
    is_starred: false,
    has_more_shares: false,
    file_access: 'visible',
    channels: sharedIn('public'),
    groups: sharedIn('private'),
    ims: sharedIn('im'),
  };
}
