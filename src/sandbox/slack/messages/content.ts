/** The content of a message, parsed from the arguments of every way to send one. */

import type { WorkspaceCore } from '../core/core.ts';
import { asList, isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { Message, MessageMetadata } from '../state/timeline.ts';
import { parseMetadata } from '../validate/metadata-rules.ts';
import { slackFileProblems } from '../validate/slack-files.ts';
import { blocksError, checkBlocks, MAX_MESSAGE_BLOCKS, textLength } from '../validate/whole-payload-rules.ts';
import type { CallArguments } from '../web-api/calls/arguments.ts';
import { type ApiError, errorReply, validationErrorReply } from '../web-api/calls/replies.ts';
import { storedBlocks } from './stored-blocks.ts';

/** docs.slack.dev/reference/methods/chat.postMessage */
export const MAX_TEXT = 40_000;
const MAX_MARKDOWN = 12_000;
const MAX_ATTACHMENTS = 100;

/** Only the fields that were sent; an update keeps the others. */
export type MessageContent = {
  readonly text?: string;
  readonly blocks?: readonly JsonObject[];
  readonly attachments?: readonly JsonObject[];
  readonly metadata?: MessageMetadata | null;
};
export type ParsedContent = { readonly ok: true; readonly content: MessageContent } | ApiError;

export function parseContent(args: CallArguments, core: WorkspaceCore): ParsedContent {
  const text = readText(args);
  if (!text.ok) return text;
  const blocks = readBlocks(args, core);
  if (!blocks.ok) return blocks;
  const attachments = readAttachments(args, core);
  if (!attachments.ok) return attachments;
  const metadata = args.has('metadata') ? parseMetadata(args.structure('metadata')) : undefined;
  if (metadata && !metadata.ok) return errorReply(metadata.error);
  return {
    ok: true,
    content: {
      ...text.content,
      ...blocks.content,
      ...attachments.content,
      ...(metadata ? { metadata: metadata.metadata } : {}),
    },
  };
}

/** Whether there is nothing to show. */
export function isEmptyContent({ text, blocks, attachments }: MessageContent): boolean {
  return (text ?? '').trim() === '' && (blocks ?? []).length === 0 && (attachments ?? []).length === 0;
}

/** The content fields of a new message. */
export function withDefaultContent(
  content: MessageContent,
): Pick<Message, 'text' | 'blocks' | 'attachments' | 'metadata'> {
  return { text: '', blocks: [], attachments: [], metadata: null, ...content };
}

function readText(args: CallArguments): ParsedContent {
  const markdown = args.text('markdown_text');
  const text = args.text('text');
  if (markdown === undefined)
    return { ok: true, content: text === undefined ? {} : { text: text.slice(0, MAX_TEXT) } };
  if (text !== undefined || args.has('blocks')) return errorReply('markdown_text_conflict');
  return markdown.length > MAX_MARKDOWN
    ? errorReply('msg_too_long')
    : { ok: true, content: { text: markdown } };
}

function readBlocks(args: CallArguments, core: WorkspaceCore): ParsedContent {
  const markdown = args.text('markdown_text');
  if (markdown !== undefined) {
    const blocks = storedBlocks(core, [{ type: 'markdown', text: markdown }]);
    return { ok: true, content: { blocks } };
  }
  if (!args.has('blocks')) return { ok: true, content: {} };
  const blocks = args.structure('blocks');
  if (!Array.isArray(blocks) || !blocks.every(isJsonObject)) return errorReply('invalid_blocks_format');
  const problems = problemsOf(blocks, '/blocks', core.files);
  if (problems.length > 0) return validationErrorReply(blocksError(problems), problems);
  if (textLength(blocks) >= MAX_MESSAGE_BLOCKS) return errorReply('msg_blocks_too_long');
  return { ok: true, content: { blocks: storedBlocks(core, blocks) } };
}

function problemsOf(blocks: unknown, pointer: string, { isPicture }: WorkspaceCore['files']) {
  const problems = checkBlocks(blocks, 'message', pointer);
  return problems.length > 0 ? problems : slackFileProblems(blocks, pointer, isPicture);
}

/** `false` is none: they may be a boolean (slack-ruby/slack-api-ref, f4837c0c, chat.postMessage). */
function readAttachments(args: CallArguments, core: WorkspaceCore): ParsedContent {
  if (!args.has('attachments') || args.denied('attachments')) return { ok: true, content: {} };
  const attachments = args.structure('attachments');
  if (!Array.isArray(attachments) || !attachments.every(isJsonObject))
    return errorReply('invalid_attachments');
  if (attachments.length > MAX_ATTACHMENTS) return errorReply('too_many_attachments');
  const problems = attachments.flatMap(({ blocks }, index) =>
    blocks === undefined ? [] : problemsOf(blocks, `/attachments/${index}/blocks`, core.files),
  );
  // Not `invalid_blocks`: github.com/mozilla-iam/sso-dashboard-configuration/pull/718.
  if (problems.length > 0) return validationErrorReply('invalid_attachments', problems);
  const named = attachments.map((attachment, index) => ({
    id: index + 1,
    ...attachment,
    ...(attachment['blocks'] ? { blocks: storedBlocks(core, asList(attachment['blocks'])) } : {}),
  }));
  return { ok: true, content: { attachments: named } };
}
