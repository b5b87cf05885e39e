/** A whole message within Slack's limits: what does not fit is left out from the end of its body, and said. */

import type { Block, RenderedMessage } from '../model.ts';
import { fallbackText } from './block-text.ts';
import { context } from './blocks.ts';
import { type Mrkdwn, md } from './escape.ts';
import { LIMIT } from './limits.ts';

/** What not every place and not every Slack takes, and what stands there instead. */
export type RichWithFallback = {
  /** Within `room` characters of JSON, as this file counts. */
  readonly rich: (room: number) => readonly Block[];
  readonly fallback: readonly Block[];
};

export type MessageBody = readonly (Block | RichWithFallback)[];

export type MessageParts = {
  /** The first block in words that stand alone: the fallback text begins with it, and goes on with the other blocks. */
  readonly text: Mrkdwn;
  readonly body: MessageBody;
  /** Kept whatever happens to the body: buttons and what must be read. */
  readonly footer?: readonly Block[];
};

/** Room for the block that says what was left out. */
const SPARE_CHARACTERS = 200;
/** Room for the buttons below an answer that share and export it. */
const BUTTONS = 1_500;

/** The message, its body cut to what Slack takes, in one form or in two. */
export function buildMessage({ text, body, footer = [] }: MessageParts): RenderedMessage {
  const plain = fitBody(body.flatMap(fallbackBlocks), footer);
  const fallback = fallbackText(text, plain);
  return body.every(isBlock)
    ? { text: fallback, blocks: plain }
    : { text: fallback, blocks: fitBody(withRichBlocks(body, footer), footer), plain };
}

/** The same done to each form of a message. */
export function mapBothForms(
  { text, blocks, plain }: RenderedMessage,
  change: (blocks: readonly Block[]) => readonly Block[],
): RenderedMessage {
  return { text, blocks: change(blocks), ...(plain === undefined ? {} : { plain: change(plain) }) };
}

/** Whether Slack takes so much in one message. */
export function fitsMessage(blocks: readonly Block[]): boolean {
  return blocks.length <= LIMIT.messageBlocks && jsonSize(blocks) <= LIMIT.messageTotal;
}

/** Counted as JSON: dividers were seen to count too (slackapi/bolt-js issue 2509). */
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

/** What is rich gets the room that the others leave: whole, it would be left out and take the rest with it. */
function withRichBlocks(body: MessageBody, end: readonly Block[]): readonly Block[] {
  let room = LIMIT.messageTotal - jsonSize(end) - SPARE_CHARACTERS - BUTTONS - jsonSize(body.filter(isBlock));
  return body.flatMap((part) => {
    if (isBlock(part)) return [part];
    const blocks = part.rich(room);
    room -= jsonSize(blocks);
    return blocks;
  });
}

function fallbackBlocks(part: Block | RichWithFallback): readonly Block[] {
  return isBlock(part) ? [part] : part.fallback;
}

function isBlock(part: Block | RichWithFallback): part is Block {
  return 'type' in part;
}
