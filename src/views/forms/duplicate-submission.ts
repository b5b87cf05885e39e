/**
 * A form that was submitted twice with different values, because Slack did not confirm the first: shows the result of the
 * first, and says that the second was not used.
 */
import { type AnswerWindow, type AnswerWindowState, answerWindow } from '../kit/answer-window.ts';
import { actions, button, section } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { inlineCode, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { mapBothForms } from '../kit/message.ts';
import type { RenderedMessage } from '../model.ts';
import type { ProblemParts } from '../problems/problem-parts.ts';

/** Shown right away, while the result of the first is looked up. */
export function duplicateWindow(at: AnswerWindowState): AnswerWindow {
  return answerWindow([section(LOOKING_AT_FIRST)], at);
}
const LOOKING_AT_FIRST = md`Looking…\nYou already sent this form with other values. The result of those will be shown here or in a message. Your latest values aren’t used.`;

export type DuplicateSubmission = {
  readonly command: string;
  readonly input: unknown;
  readonly root: string;
};

/** The result of the first below a note on both, with a button that opens a form with the latest values. */
export function duplicateMessage(
  first: RenderedMessage,
  { command, input, root }: DuplicateSubmission,
): RenderedMessage {
  const value = writeButtonValue({ do: 'form', command, input });
  const next =
    value === null
      ? md`Type ${inlineCode(`${root} ${command}`)} to open a new form.`
      : md`Open a new form to use them.`;
  const answerBlock = section(
    md`*You already sent this form with other values.* The result of those is below. Your latest values weren’t used. ${next}`,
  );
  const secondBlock =
    value === null
      ? []
      : actions(button({ action: 'form:anew', label: 'Open form with latest values', value }));
  const { text, ...blocks } = mapBothForms(first, (all) =>
    [answerBlock, ...secondBlock, ...all].slice(0, LIMIT.messageBlocks),
  );
  return { ...blocks, text: `${DUPLICATE_TEXT} ${text}` };
}
const DUPLICATE_TEXT = md`You already sent this form with other values. Your latest values weren’t used. Result of the first:`;

/** The first failed, so its form is shown again with the latest values, and submitting it uses these. */
export function firstFailedText({ what, changed }: ProblemParts): ProblemParts {
  return {
    what: md`You already sent this form with other values. That attempt failed: ${what}`,
    changed,
    next: md`Your latest values are below. Send the form to use them.`,
  };
}
