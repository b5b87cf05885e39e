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
const LOOKING = md`Looking…\nThis form was sent before, with other values. What became of those is told here, or else in a message. With the values that you sent last nothing is done.`;

export type SentLast = { readonly command: string; readonly input: unknown; readonly root: string };

/** The answer to the first below words on both, and a button for a form with the values that were sent last. */
export function sentBefore(first: RenderedMessage, { command, input, root }: SentLast): RenderedMessage {
  const value = writeButtonValue({ do: 'form', command, input });
  const next =
    value === null ? md`Type ${code(`${root} ${command}`)} for a new form.` : md`A new form asks for them.`;
  const said = section(
    md`:warning: *This form was sent before, with other values.* What became of those stands below. With the values that you sent last nothing was done. ${next}`,
  );
  const anew =
    value === null
      ? []
      : actions(button({ action: 'form:anew', label: 'New form with the last values', value }));
  const { text, ...blocks } = inEachForm(first, (all) =>
    [said, ...anew, ...all].slice(0, LIMIT.messageBlocks),
  );
  return { ...blocks, text: `${TEXT} ${text}` };
}
const TEXT = md`This form was sent before, with other values; with the last ones nothing was done. Of the first:`;

/** Where nothing came of the first, so that its form, with the values that were sent last, asks for these alone. */
export function cameToNothing({ what, changed }: Wording): Wording {
  return {
    what: md`This form was sent before, with other values. Nothing came of those: ${what}`,
    changed,
    next: md`Below stand the values that you sent last: send the form to ask for them.`,
  };
}
