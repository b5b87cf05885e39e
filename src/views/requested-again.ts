/** Private answer to somebody who requested again what was not sent, where some of it could not be requested. */
import { ROOT } from '../root-command.ts';
import { lines, section } from './kit/blocks.ts';
import { md, strong } from './kit/escape.ts';
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
    const text = md`Everything of this was sent. Nothing was requested.`;
    return message({ text, body: [section(text)] });
  }
  const why = leftOut.map(({ name, problem }) => md`${strong(name)}: ${problemWords(problem, ROOT).what}`);
  const list = lines(why, { budget: BUDGET, more: (left) => md`${left} more did not fit.` });
  if (requested === null) {
    const text = md`None of the ${count(leftOut.length, 'device')} can be requested now. Nothing was requested.`;
    return message({ text, body: [section(text), ...list] });
  }
  const note = section(md`Not requested for ${count(leftOut.length, 'device')}:`);
  return inEachForm(requested, (blocks) => {
    const more = [...blocks, note, ...list];
    return fits(more) ? more : [...blocks, note];
  });
}
