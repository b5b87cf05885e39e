/** What a message says, read from the arguments of whatever way it is sent. */
import type { Arguments } from './arguments.ts';
import { withIds } from './blocks/ids.ts';
import type { Ids } from './ids.ts';
import { type Fields, isFields, listOf } from './json.ts';
import { type Refusal, refuse, refuseProblems } from './reply.ts';
import type { Message, Metadata } from './state/timeline.ts';
import { readMetadata } from './validate/metadata.ts';
import { blocksError, checkBlocks, MESSAGE_MAX, textLength } from './validate/payload.ts';

/** docs.slack.dev/reference/methods/chat.postMessage */
export const TEXT_CUT = 40_000;
const MARKDOWN_MAX = 12_000;
const MOST_ATTACHMENTS = 100;

/** Only what was sent; an update keeps the rest. */
export type Content = {
  readonly text?: string;
  readonly blocks?: readonly Fields[];
  readonly attachments?: readonly Fields[];
  readonly metadata?: Metadata | null;
};
export type ContentRead = { readonly ok: true; readonly content: Content } | Refusal;

export function readContent(args: Arguments, ids: Ids): ContentRead {
  const text = readText(args);
  if (!text.ok) return text;
  const blocks = readBlocks(args, ids);
  if (!blocks.ok) return blocks;
  const attachments = readAttachments(args, ids);
  if (!attachments.ok) return attachments;
  const metadata = args.has('metadata') ? readMetadata(args.structure('metadata')) : undefined;
  if (metadata && !metadata.ok) return refuse(metadata.error);
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

/** Whether there is anything to show. */
export function isEmpty({ text, blocks, attachments }: Content): boolean {
  return (text ?? '').trim() === '' && (blocks ?? []).length === 0 && (attachments ?? []).length === 0;
}

/** The content's part of a new message. */
export function wholeContent(
  content: Content,
): Pick<Message, 'text' | 'blocks' | 'attachments' | 'metadata'> {
  return { text: '', blocks: [], attachments: [], metadata: null, ...content };
}

function readText(args: Arguments): ContentRead {
  const markdown = args.text('markdown_text');
  const text = args.text('text');
  if (markdown === undefined)
    return { ok: true, content: text === undefined ? {} : { text: text.slice(0, TEXT_CUT) } };
  if (text !== undefined || args.has('blocks')) return refuse('markdown_text_conflict');
  return markdown.length > MARKDOWN_MAX ? refuse('msg_too_long') : { ok: true, content: { text: markdown } };
}

function readBlocks(args: Arguments, ids: Ids): ContentRead {
  const markdown = args.text('markdown_text');
  if (markdown !== undefined) {
    const blocks = withIds([{ type: 'markdown', text: markdown }], ids);
    return { ok: true, content: { blocks } };
  }
  if (!args.has('blocks')) return { ok: true, content: {} };
  const blocks = args.structure('blocks');
  if (!Array.isArray(blocks) || !blocks.every(isFields)) return refuse('invalid_blocks_format');
  const problems = checkBlocks(blocks, 'message');
  if (problems.length > 0) return refuseProblems(blocksError(problems), problems);
  if (textLength(blocks) >= MESSAGE_MAX) return refuse('msg_blocks_too_long');
  return { ok: true, content: { blocks: withIds(blocks, ids) } };
}

function readAttachments(args: Arguments, ids: Ids): ContentRead {
  if (!args.has('attachments')) return { ok: true, content: {} };
  const attachments = args.structure('attachments');
  if (!Array.isArray(attachments) || !attachments.every(isFields)) return refuse('invalid_attachments');
  if (attachments.length > MOST_ATTACHMENTS) return refuse('too_many_attachments');
  const problems = attachments.flatMap(({ blocks }, index) =>
    blocks === undefined ? [] : checkBlocks(blocks, 'message', `/attachments/${index}/blocks`),
  );
  if (problems.length > 0) return refuseProblems(blocksError(problems), problems);
  const named = attachments.map((attachment, index) => ({
    id: index + 1,
    ...attachment,
    ...(attachment['blocks'] ? { blocks: withIds(listOf(attachment['blocks']), ids) } : {}),
  }));
  return { ok: true, content: { attachments: named } };
}
