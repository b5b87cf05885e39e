/** A whole message within Slack's limits: what does not fit is left out from the end of its body, and said. */

import type { Block, RenderedMessage } from '../model.ts';
import { fallbackText } from './block-text.ts';
import { context } from './blocks.ts';
import { type Mrkdwn, md } from './escape.ts';
import { LIMIT } from './limits.ts';

/** What not every place and not every Slack takes, and what stands there instead. */
export type Richer = {
  /** Within `room` characters of JSON, as this file counts. */
  readonly rich: (room: number) => readonly Block[];
  readonly plain: readonly Block[];
};

export type Body = readonly (Block | Richer)[];

export type MessageParts = {
  /** The first block in words that stand alone: the fallback text begins with it, and goes on with the other blocks. */
  readonly text: Mrkdwn;
  readonly body: Body;
  /** Kept whatever happens to the body: buttons and what must be read. */
  readonly end?: readonly Block[];
};

/** Room for the block that says what was left out. */
const SPARE = 200;
/** Room for the buttons below an answer that share and export it. */
const BUTTONS = 1_500;

/** The message, its body cut to what Slack takes, in one form or in two. */
export function message({ text, body, end = [] }: MessageParts): RenderedMessage {
  const plain = fitted(body.flatMap(plainly), end);
  const fallback = fallbackText(text, plain);
  return body.every(isBlock)
    ? { text: fallback, blocks: plain }
    : { text: fallback, blocks: fitted(richly(body, end), end), plain };
}

/** The same done to each form of a message. */
export function inEachForm(
  { text, blocks, plain }: RenderedMessage,
  change: (blocks: readonly Block[]) => readonly Block[],
): RenderedMessage {
  return { text, blocks: change(blocks), ...(plain === undefined ? {} : { plain: change(plain) }) };
}

/** Whether Slack takes so much in one message. */
export function fits(blocks: readonly Block[]): boolean {
  return blocks.length <= LIMIT.messageBlocks && size(blocks) <= LIMIT.messageTotal;
}

/** Counted as JSON: dividers were seen to count too (slackapi/bolt-js issue 2509). */
export function size(blocks: readonly Block[]): number {
  return JSON.stringify(blocks).length;
}

function fitted(body: readonly Block[], end: readonly Block[]): readonly Block[] {
  let room = LIMIT.messageTotal - size(end) - SPARE;
  let blocks = LIMIT.messageBlocks - end.length - 1;
  const kept: Block[] = [];
  for (const block of body) {
    room -= size([block]);
    blocks -= 1;
    if (room < 0 || blocks < 0) break;
    kept.push(block);
  }
  const left = body.length - kept.length;
  const note = left === 0 ? [] : [context(md`${left} more parts didn’t fit in this message.`)];
  return [...kept, ...note, ...end];
}

/** What is rich gets the room that the others leave: whole, it would be left out and take the rest with it. */
function richly(body: Body, end: readonly Block[]): readonly Block[] {
  let room = LIMIT.messageTotal - size(end) - SPARE - BUTTONS - size(body.filter(isBlock));
  return body.flatMap((part) => {
    if (isBlock(part)) return [part];
    const blocks = part.rich(room);
    room -= size(blocks);
    return blocks;
  });
}

function plainly(part: Block | Richer): readonly Block[] {
  return isBlock(part) ? [part] : part.plain;
}

function isBlock(part: Block | Richer): part is Block {
  return 'type' in part;
}
