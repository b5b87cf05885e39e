/** Private answer to *Request again*, where some devices could not be requested. */
import { ROOT } from '../root-command.ts';
import { fallbackText } from './kit/block-text.ts';
import { lines, section } from './kit/blocks.ts';
import { md, strong, trusted } from './kit/escape.ts';
import { fits, inEachForm, message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';
import { problemWords } from './problems/problem-words.ts';
import { count } from './words.ts';

const BUDGET = 5_000;

/** `requested`: the answer about those that were; null: none was. */
export function renderRequestedAgain(
  { leftOut }: Extract<View, { kind: 'requested-again' }>,
  requested: RenderedMessage | null,
): RenderedMessage {
  if (leftOut.length === 0 && requested === null) {
    const text = md`Everything was already sent. Nothing was requested.`;
    return message({ text, body: [section(text)] });
  }
  const why = leftOut.map(({ name, problem }) => md`${strong(name)}: ${problemWords(problem, ROOT).what}`);
  const list = lines(why, { budget: BUDGET, more: (left) => md`${left} more not shown.` });
  if (requested === null) {
    const text = md`Nothing was requested for ${count(leftOut.length, 'device')}:`;
    return message({ text, body: [section(text), ...list] });
  }
  const note = section(md`Not requested for ${count(leftOut.length, 'device')}:`);
  const both = inEachForm(requested, (blocks) => {
    const more = [...blocks, note, ...list];
    return fits(more) ? more : [...blocks, note];
  });
  // The text stands for all blocks that are not given here.
  return { ...both, text: fallbackText(trusted(requested.text), [note, note, ...list]) };
}
