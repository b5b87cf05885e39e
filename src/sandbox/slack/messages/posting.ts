/** Parses the content of messages; adds, edits and removes them. */
import { withGeneratedIds } from '../blocks/elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asList, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { withEmojiNames } from '../objects/emoji-names.ts';
import type { Message, MessageMetadata } from '../state/timeline.ts';
import { checkBlocks, REFUSED_BLOCKS_TEXT, textLength } from '../validate/payload-rules.ts';
import { blocksError } from '../validate/rules.ts';
import { type ApiError, type CallArguments, errorReply, validationErrorReply } from '../web-api/calls.ts';
import { toRichText, withAddressLinks } from './typed-text.ts';

type NewMessage = {
  readonly channel: string;
  readonly content: MessageContent;
  readonly threadTs?: string | undefined;
  readonly onlyFor?: string | null;
  /** Through a response URL. */
  readonly response?: boolean;
  readonly files?: readonly string[];
};

export function postAsBot(core: WorkspaceCore, post: NewMessage): Message {
  const { channel, content, threadTs, onlyFor, response, files } = post;
  return add(core, {
    ...withDefaultContent(content),
    ts: core.ids.ts(),
    channel,
    user: core.app.botUser,
    bot: true,
    threadTs: threadTs ?? null,
    edited: null,
    onlyFor: onlyFor ?? null,
    ...(response ? { response } : {}),
    ...(files ? { files } : {}),
  });
}

export function postAsPerson(
  core: WorkspaceCore,
  typed: Pick<Message, 'user' | 'channel' | 'text' | 'threadTs'>,
): Message {
  return add(core, {
    ...withDefaultContent({ blocks: [toRichText(withEmojiNames(typed.text), core.ids.next('b'))] }),
    ts: core.ids.ts(),
    bot: false,
    edited: null,
    onlyFor: null,
    clientMsgId: core.ids.uuid(),
    ...typed,
  });
}

function add(core: WorkspaceCore, message: Message): Message {
  core.timeline.add(message);
  core.changed();
  return message;
}

/**
 * Edits a message of the bot. An edit with blocks is not marked as edited
 * (docs.slack.dev/reference/methods/chat.update). The mark names the bot, not its user, and a full second
 * (MercuryTechnologies/slack-web, tests/golden/UpdateRsp/actual.json).
 */
export function editAsBot(core: WorkspaceCore, message: Message, content: MessageContent): Message {
  const edited = { user: core.app.botId, ts: core.ids.ts().replace(/\d{6}$/, '000000') };
  const marked = (content.blocks ?? []).length > 0 ? {} : { edited };
  const changed = core.timeline.change(message, { ...content, ...marked });
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

/** The domain of the app that the URL is in; a domain includes its subdomains. */
export function unfurlDomainOf({ manifest }: WorkspaceCore, url: string): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  return manifest.unfurlDomains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}

/**
 * What a link shows under a message, as an app's own (docs.slack.dev/messaging/unfurling-links-in-messages); its blocks
 * have ids as all blocks do.
 */
export function unfurledAttachment(core: WorkspaceCore, url: string, attachment: JsonObject): JsonObject {
  const { app } = core;
  const { blocks, ...shown } = attachment;
  return {
    ...shown,
    ...(blocks === undefined ? {} : { blocks: withGeneratedIds(asList(blocks), core.ids) }),
    bot_id: app.botId,
    app_id: app.appId,
    bot_team_id: app.teamId,
    app_unfurl_url: url,
    is_app_unfurl: true,
  };
}

/** Shows something else for a link; the rest of the message is a person's. */
export function changeUnfurl(core: WorkspaceCore, message: Message, url: string, content: JsonObject): void {
  const attachments = message.attachments.map((each) =>
    each['app_unfurl_url'] === url ? { ...unfurledAttachment(core, url, content), id: each['id'] } : each,
  );
  core.timeline.change(message, { attachments });
  core.changed();
}

/** docs.slack.dev/reference/methods/chat.postMessage */
export const MAX_TEXT = 40_000;
/** The documentation has an error for this but no number; this limit is small on purpose. */
const MAX_METADATA = 8_000;

/** Only the fields that were sent; an update keeps the others. */
export type MessageContent = {
  readonly text?: string;
  readonly blocks?: readonly JsonObject[];
  readonly metadata?: MessageMetadata | null;
};
type ParsedContent = { readonly ok: true; readonly content: MessageContent } | ApiError;

export function parseContent(args: CallArguments, core: WorkspaceCore): ParsedContent {
  const text = args.text('text');
  const blocks = readBlocks(args, core);
  if (!blocks.ok) return blocks;
  const metadata = args.has('metadata') ? parseMetadata(args.structure('metadata')) : NOTHING;
  if (!metadata.ok) return metadata;
  return {
    ok: true,
    content: {
      ...(text === undefined ? {} : { text: withAddressLinks(text.slice(0, MAX_TEXT)) }),
      ...blocks.content,
      ...metadata.content,
    },
  };
}

const NOTHING = { ok: true, content: {} } as const;

export function isEmptyContent({ text, blocks }: MessageContent): boolean {
  return (text ?? '').trim() === '' && (blocks ?? []).length === 0;
}

function withDefaultContent(
  content: MessageContent,
): Pick<Message, 'text' | 'blocks' | 'attachments' | 'metadata'> {
  return { text: '', blocks: [], attachments: [], metadata: null, ...content };
}

function readBlocks(args: CallArguments, core: WorkspaceCore): ParsedContent {
  if (!args.has('blocks')) return NOTHING;
  const blocks = args.structure('blocks');
  if (!Array.isArray(blocks) || !blocks.every(isJsonObject)) return errorReply('invalid_blocks_format');
  const problems = checkBlocks(blocks, 'message');
  if (problems.length > 0) return validationErrorReply(blocksError(problems), problems);
  if (textLength(blocks) >= REFUSED_BLOCKS_TEXT) return errorReply('msg_blocks_too_long');
  return { ok: true, content: { blocks: withGeneratedIds(blocks, core.ids) } };
}

/** Message metadata (docs.slack.dev/messaging/message-metadata); an empty object means none. */
function parseMetadata(value: unknown): ParsedContent {
  if (!isJsonObject(value)) return errorReply('invalid_metadata_format');
  if (Object.keys(value).length === 0) return { ok: true, content: { metadata: null } };
  const { event_type, event_payload } = value;
  if (typeof event_type !== 'string' || event_type === '' || event_type.length > 255)
    return errorReply('invalid_metadata_schema');
  if (!isJsonObject(event_payload)) return errorReply('invalid_metadata_schema');
  if (isTooLarge(value)) return errorReply('metadata_too_large');
  return { ok: true, content: { metadata: { event_type, event_payload } } };
}

/** JSON nested too deep to be serialized counts as too large. */
function isTooLarge(value: unknown): boolean {
  try {
    return JSON.stringify(value).length > MAX_METADATA;
  } catch {
    return true;
  }
}
