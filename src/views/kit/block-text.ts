/** The words of blocks that we built, without their buttons and menus. */
import type { Block } from '../model.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from './escape.ts';

/** Each text of a section, its fields or a context, in order. */
export function textsOf(block: Block): readonly Mrkdwn[] {
  return [block['text'], ...listOf(block['fields']), ...listOf(block['elements'])].flatMap(markupOf);
}

/** Longest fallback text: a notification shows its first lines, a screen reader reads all of it. Our own number. */
const LONGEST = 2_000;
const REST = md`…`;
const BAR = /[█░]+ ?/g;

/**
 * What notifications and screen readers get: `lead` in the place of the first block's words, then the words of the
 * others, line by line (docs.slack.dev/reference/methods/chat.postMessage: they read no blocks). Lines that do not fit
 * are left out behind a mark.
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

/** A field is its label and its value, which belong on one line. */
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
  // Our markup never runs over the end of a line. A bar is for eyes alone: its numbers stand beside it in words.
  return text.replaceAll(BAR, '').split('\n').map(trustedMrkdwn);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Of a text object of `blocks.ts`, which is safe already; a button has its text a level deeper. */
function markupOf(value: unknown): readonly Mrkdwn[] {
  return isMarkup(value) ? [value.text] : [];
}

function isMarkup(value: unknown): value is { readonly type: 'mrkdwn'; readonly text: Mrkdwn } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'mrkdwn';
}
