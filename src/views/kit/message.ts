/** Builds whole messages within Slack's limits: blocks that do not fit are dropped from the end of the body and counted. */
import { context } from './blocks.ts';
import { boldHeading, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from './escape.ts';
import { type Block, LIMIT, type RenderedMessage } from './limits.ts';

/** Blocks that some surfaces and workspaces do not support, with their replacement. */
export type RichWithFallback = {
  /** The blocks, in at most `room` characters as {@link jsonSize} counts them. */
  readonly rich: (room: number) => readonly Block[];
  readonly fallback: readonly Block[];
};

export type MessageBody = readonly (Block | RichWithFallback)[];

type MessageParts = {
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

/** The texts of a section, its fields or a context, in order. */
export function textsOf(block: Block): readonly Mrkdwn[] {
  return [block['text'], ...listOf(block['fields']), ...listOf(block['elements'])].flatMap(markupOf);
}

/** Longest fallback text: a notification shows its first lines, a screen reader reads all of it. Our own number. */
const LONGEST = 2_000;
const REST = md`…`;
const BAR = /[█░]+ ?/g;
/** Notifications show addresses: the ids alone are shorter. */
const TICKET_LINK = /<https:[^|<>]+\|([A-Z][A-Z0-9]+-\d+)>/g;

/**
 * The `text` of a message: `lead` in place of the first block, then the texts of the others, line by line. Notifications
 * and screen readers read only this (docs.slack.dev/reference/methods/chat.postMessage). Lines that do not fit are
 * replaced by a mark.
 */
export function fallbackText(lead: Mrkdwn, blocks: readonly Block[]): Mrkdwn {
  const rest = blocks.slice(1).flatMap((block) => linesOf(block));
  const kept: Mrkdwn[] = [lead];
  let room = LONGEST - lead.length - REST.length - 1;
  for (const line of rest) {
    room -= line.length + 1;
    if (room < 0) return joinMrkdwn([...kept, REST], '\n');
    kept.push(line);
  }
  return joinMrkdwn(kept, '\n');
}

/** Puts the label and value of a field on one line. */
function linesOf(block: Block): readonly Mrkdwn[] {
  const fields = listOf(block['fields']).flatMap(markupOf);
  if (fields.length > 0) {
    return fields.map((field) => {
      const [label = md``, ...value] = parts(field);
      return md`${label}: ${joinMrkdwn(value, ', ')}`;
    });
  }
  if (block.type === 'context') return [joinMrkdwn(textsOf(block), ' ')];
  return textsOf(block).flatMap(parts);
}

function parts(text: Mrkdwn): readonly Mrkdwn[] {
  // Bars are left out: their numbers are in the text beside them. Our markup never spans lines, so splitting is safe.
  return text.replaceAll(BAR, '').replaceAll(TICKET_LINK, '$1').split('\n').map(trustedMrkdwn);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The markup of a text object from `blocks.ts`; empty for other values, such as buttons. */
function markupOf(value: unknown): readonly Mrkdwn[] {
  return isMarkup(value) ? [value.text] : [];
}

function isMarkup(value: unknown): value is { readonly type: 'mrkdwn'; readonly text: Mrkdwn } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'mrkdwn';
}

/** The signs of states: one for each meaning, the same everywhere, and never without the state's name. */
export const SIGN = {
  /** Waiting or scheduled. */
  waiting: '⏳',
  /** Accepted, queued, answered: under way. */
  running: '▶️',
  /** Verified or resolved. */
  good: '✅',
  /** Not verified, partly, paused. */
  warning: '⚠️',
  /** Firing, denied, failed, not accepted. */
  failed: '⛔',
  unknown: '❓',
  /** Not sent, expired, withdrawn, stopped: over, and nothing failed. */
  ended: '▫️',
} as const;

export type Sign = (typeof SIGN)[keyof typeof SIGN];

/** The first line of a request's card: sign, state, command and device. One bold line where the name is harmless. */
export function stateTitle({ sign, words }: Labelled, what: string, name: string): Mrkdwn {
  const whole = boldHeading(`${words}: ${what}`, name);
  return whole.startsWith('*') && whole.endsWith('*')
    ? md`${trustedMrkdwn(sign)} ${whole}`
    : md`${trustedMrkdwn(sign)} *${trustedMrkdwn(words)}:* ${boldHeading(what, name)}`;
}

export type Labelled = { readonly sign: Sign; readonly words: string };
