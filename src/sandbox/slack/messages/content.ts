/** The content of a message, parsed from the arguments of every way to send one. */

import { withGeneratedIds } from '../blocks/find-elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { Message, MessageMetadata } from '../state/timeline.ts';
import { checkBlocks, REFUSED_BLOCKS_TEXT, textLength } from '../validate/payload-rules.ts';
import { blocksError } from '../validate/validation-problem.ts';
import type { CallArguments } from '../web-api/calls/arguments.ts';
import { type ApiError, errorReply, validationErrorReply } from '../web-api/calls/replies.ts';
import { withAddressLinks } from './typed-text.ts';

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
export type ParsedContent = { readonly ok: true; readonly content: MessageContent } | ApiError;

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

/** Whether there is nothing to show. */
export function isEmptyContent({ text, blocks }: MessageContent): boolean {
  return (text ?? '').trim() === '' && (blocks ?? []).length === 0;
}

/** The content fields of a new message. */
export function withDefaultContent(
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
