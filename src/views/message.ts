/** A whole message within Slack's limits: what does not fit is left out from the end of its body, and said. */
import { context } from './blocks.ts';
import { type Mrkdwn, md } from './escape.ts';
import { LIMIT } from './limits.ts';
import type { Block, RenderedMessage } from './model.ts';

export type MessageParts = {
  /** A full sentence: notifications and screen readers have only this. */
  readonly text: Mrkdwn;
  readonly body: readonly Block[];
  /** Kept whatever happens to the body: buttons and what must be read. */
  readonly end?: readonly Block[];
};

/** Room for the block that says what was left out. */
const SPARE = 200;

/** The message, its body cut to what Slack takes. */
export function message({ text, body, end = [] }: MessageParts): RenderedMessage {
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
  const note = left === 0 ? [] : [context(md`${left} more parts did not fit into this message.`)];
  return { text, blocks: [...kept, ...note, ...end] };
}

/** Counted as JSON: dividers were seen to count too (slackapi/bolt-js issue 2509). */
function size(blocks: readonly Block[]): number {
  return JSON.stringify(blocks).length;
}
