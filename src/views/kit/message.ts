/** Builds whole messages within Slack's limits: blocks that do not fit are dropped from the end of the body and counted. */

import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import { fallbackText } from './block-text.ts';
import { context } from './blocks.ts';
import { type Mrkdwn, md } from './escape.ts';
import { LIMIT } from './limits.ts';

/** Blocks that some surfaces and workspaces do not support, with their replacement. */
export type RichWithFallback = {
  /** The blocks, in at most `room` characters as {@link jsonSize} counts them. */
  readonly rich: (room: number) => readonly Block[];
  readonly fallback: readonly Block[];
};

export type MessageBody = readonly (Block | RichWithFallback)[];

export type MessageParts = {
  /** The first block in words that make sense in a notification. The fallback text starts with it. */
  readonly text: Mrkdwn;
  readonly body: MessageBody;
  /** Always kept, even if the body is cut: buttons and required notes. */
  readonly footer?: readonly Block[];
};

/** Characters reserved for the note about dropped blocks. */
const SPARE_CHARACTERS = 200;
/** Characters reserved for the buttons that share and export an answer. */
const BUTTONS = 1_500;

/** Builds the message. With rich blocks it has two forms: `blocks`, and `plain` without them. */
export function buildMessage({ text, body, footer = [] }: MessageParts): RenderedMessage {
  const plain = fitBody(
    body.flatMap((part) => (isBlock(part) ? [part] : part.fallback)),
    footer,
  );
  const fallback = fallbackText(text, plain);
  return body.every(isBlock)
    ? { text: fallback, blocks: plain }
    : { text: fallback, blocks: fitBody(withRichBlocks(body, footer), footer), plain };
}

/** Applies a change to both forms of a message. */
export function mapBothForms(
  { text, blocks, plain }: RenderedMessage,
  change: (blocks: readonly Block[]) => readonly Block[],
): RenderedMessage {
  return { text, blocks: change(blocks), ...(plain === undefined ? {} : { plain: change(plain) }) };
}

export function fitsMessage(blocks: readonly Block[]): boolean {
  return blocks.length <= LIMIT.messageBlocks && jsonSize(blocks) <= LIMIT.messageTotal;
}

/** Characters as JSON, because Slack counts dividers too (slackapi/bolt-js issue 2509). */
export function jsonSize(blocks: readonly Block[]): number {
  return JSON.stringify(blocks).length;
}

function fitBody(body: readonly Block[], end: readonly Block[]): readonly Block[] {
  let room = LIMIT.messageTotal - jsonSize(end) - SPARE_CHARACTERS;
  let blocks = LIMIT.messageBlocks - end.length - 1;
  const fitting: Block[] = [];
  for (const block of body) {
    room -= jsonSize([block]);
    blocks -= 1;
    if (room < 0 || blocks < 0) break;
    fitting.push(block);
  }
  const left = body.length - fitting.length;
  const omittedNote = left === 0 ? [] : [context(md`${left} more parts didn’t fit in this message.`)];
  return [...fitting, ...omittedNote, ...end];
}

/** Gives rich blocks only the room that the others leave, so that they are shortened rather than dropped. */
function withRichBlocks(body: MessageBody, end: readonly Block[]): readonly Block[] {
  let room = LIMIT.messageTotal - jsonSize(end) - SPARE_CHARACTERS - BUTTONS - jsonSize(body.filter(isBlock));
  return body.flatMap((part) => {
    if (isBlock(part)) return [part];
    const blocks = part.rich(room);
    room -= jsonSize(blocks);
    return blocks;
  });
}

function isBlock(part: Block | RichWithFallback): part is Block {
  return 'type' in part;
}
