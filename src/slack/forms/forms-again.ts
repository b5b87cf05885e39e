/** What is told of a form that was sent a second time, with other values than the first. Pure. */
import { notedBlocks } from '../../views/forms/form-again.ts';
import { cameToNothing, sentBefore } from '../../views/forms/form-sent-before.ts';
import { answerWindows } from '../answer-windows.ts';
import { type FormAnswered, placeOf } from './forms-answer.ts';
import type { AnsweredForm, FormAgain } from './forms-stored.ts';

/**
 * What became of the first, and that the second was not asked for. Where nothing came of the first, its window is the form
 * with the values of the second, to be sent.
 */
export function againAnswered(
  first: AnsweredForm,
  form: FormAgain,
  root: string,
): Pick<FormAnswered, 'windows' | 'message'> {
  const message = sentBefore(first.message, { command: form.command, input: form.input, root });
  const windows = answerWindows(message, placeOf(form));
  if (first.stood === null) return { windows, message };
  const { filled } = form.used;
  const blocks = notedBlocks(filled.blocks, cameToNothing(first.stood), null);
  return { windows: [{ ...filled, blocks }, ...windows], message };
}
