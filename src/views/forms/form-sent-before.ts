/**
 * A form that was sent a second time with other values, because Slack did not say that the first was taken: what became of
 * the first, and the plain words that the second was not asked for.
 */
import { type AnswerPlace, type AnswerWindow, answerWindow } from '../kit/answer-window.ts';
import { actions, button, section } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { code, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { inEachForm } from '../kit/message.ts';
import type { RenderedMessage } from '../model.ts';
import type { Wording } from '../problems/wording.ts';

/** Shown at once, as it has to be looked up. */
export function sentBeforeWindow(at: AnswerPlace): AnswerWindow {
  return answerWindow([section(LOOKING)], at);
}
const LOOKING = md`Looking…\nYou already sent this form with other values. The result of those will be shown here or in a message. Your latest values aren’t used.`;

export type SentLast = { readonly command: string; readonly input: unknown; readonly root: string };

/** The answer to the first below words on both, and a button for a form with the values that were sent last. */
export function sentBefore(first: RenderedMessage, { command, input, root }: SentLast): RenderedMessage {
  const value = writeButtonValue({ do: 'form', command, input });
  const next =
    value === null
      ? md`Type ${code(`${root} ${command}`)} to open a new form.`
      : md`Open a new form to use them.`;
  const said = section(
    md`*You already sent this form with other values.* The result of those is below. Your latest values weren’t used. ${next}`,
  );
  const anew =
    value === null
      ? []
      : actions(button({ action: 'form:anew', label: 'Open form with latest values', value }));
  const { text, ...blocks } = inEachForm(first, (all) =>
    [said, ...anew, ...all].slice(0, LIMIT.messageBlocks),
  );
  return { ...blocks, text: `${TEXT} ${text}` };
}
const TEXT = md`You already sent this form with other values. Your latest values weren’t used. Result of the first:`;

/** Where nothing came of the first, so that its form, with the values that were sent last, asks for these alone. */
export function cameToNothing({ what, changed }: Wording): Wording {
  return {
    what: md`You already sent this form with other values. That attempt failed: ${what}`,
    changed,
    next: md`Your latest values are below. Send the form to use them.`,
  };
}
