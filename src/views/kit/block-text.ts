/** Derives a message's fallback text from its blocks, without buttons and menus. */
import type { Block } from '../models/rendered-model.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from './escape.ts';

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
