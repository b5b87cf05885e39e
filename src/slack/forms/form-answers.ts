/** The answer to a submitted form, in its own window: what came of it, or the form again with what stood in the way. */
import { fieldOfError, formErrorOf } from '../../commands/forms/shared/form-errors.ts';
import type { Log } from '../../lib/log.ts';
import { duplicateMessage, firstFailedText } from '../../views/forms/duplicate-submission.ts';
import { formErrorText } from '../../views/forms/form-error-text.ts';
import { backToForm, blocksWithError } from '../../views/forms/resubmit-form.ts';
import type { AnswerWindowState } from '../../views/kit/answer-window.ts';
import { mapBothForms } from '../../views/kit/message.ts';
import type { RenderedMessage, View } from '../../views/model.ts';
import type { ProblemParts } from '../../views/problems/problem-parts.ts';
import { renderView } from '../../views/render.ts';
import { answerWindows, isWindowClosed, showFirstAccepted } from '../replies/answer-windows.ts';
import type { CommandSource, SendReply } from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { Modal, SlackWeb } from '../web-api/slack-web.ts';
import type { FormState } from './form-payloads.ts';
import type { AnsweredStoredForm, DuplicateStoredForm } from './stored-submissions.ts';

/** The window as it was when its form was sent. */
export type SubmittedFormState = Pick<FormState, 'viewId' | 'depth' | 'filled' | 'values'>;

export type SubmittedForm = {
  readonly used: SubmittedFormState;
  readonly caller: CommandSource;
  /** What it looked for, to go on from; null: it asked for a change, whose answer is told wherever there is a way. */
  readonly reopenWith: { readonly command: string; readonly input: unknown } | null;
};

export type FormOutcome = {
  /** What its window becomes, the best first. */
  readonly windows: readonly [Modal, ...Modal[]];
  /** The same where there is no window. */
  readonly message: RenderedMessage;
  /** What stood in the way, so that nothing came of it; null: it was not in vain. */
  readonly stood: ProblemParts | null;
};

/** What stood in the way is noted on the form; any other answer takes its place. Pure. */
export function formOutcomeOf(submitted: SubmittedForm, view: View): FormOutcome {
  const { filled, values } = submitted.used;
  const message = renderView(view);
  const error = formErrorOf(view);
  const place = answerWindowStateOf(submitted);
  if (error === null) {
    const back = backToForm(submitted.reopenWith);
    const windows = answerWindows(
      mapBothForms(message, (blocks) => [...blocks, ...back]),
      place,
    );
    return { windows, message, stood: null };
  }
  const errorText = formErrorText(error);
  const again = { ...filled, blocks: blocksWithError(filled.blocks, errorText, fieldOfError(error, values)) };
  return { windows: [again, ...answerWindows(message, place)], message, stood: errorText };
}

export type FormAnswerOptions = {
  readonly web: Pick<SlackWeb, 'updateView'>;
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

/** Shows the answer to what only looked. Does not throw. */
export type AnswerForm = (submitted: SubmittedForm, view: View) => Promise<void>;

export function createAnswerForm({ web, reply, log }: FormAnswerOptions): AnswerForm {
  return async (submitted, view) => {
    const updated = await showFirstAccepted(
      web,
      submitted.used.viewId,
      formOutcomeOf(submitted, view).windows,
    );
    // Who closed the window does not look for it any more.
    if (updated.kind === 'ok' || isWindowClosed(updated)) return;
    log.warn(
      { event: 'form.unanswered', reason: slackErrorText(updated) },
      'could not show the answer to a form',
    );
    await reply(submitted.caller)(view);
  };
}

/** What the buttons of the answer ask for belongs where the form was asked for. */
export function answerWindowStateOf({
  used,
  caller,
}: Pick<SubmittedForm, 'used' | 'caller'>): AnswerWindowState {
  return { depth: used.depth, channel: caller.channel, thread: caller.thread };
}

/** What is told of a form that was sent a second time, with other values than the first. Pure. */

/**
 * What became of the first, and that the second was not asked for. Where nothing came of the first, its window is the form
 * with the values of the second, to be sent.
 */
export function answerDuplicate(
  first: AnsweredStoredForm,
  form: DuplicateStoredForm,
  root: string,
): Pick<FormOutcome, 'windows' | 'message'> {
  const message = duplicateMessage(first.message, { command: form.command, input: form.input, root });
  const windows = answerWindows(message, answerWindowStateOf(form));
  if (first.stood === null) return { windows, message };
  const { filled } = form.used;
  const blocks = blocksWithError(filled.blocks, firstFailedText(first.stood), null);
  return { windows: [{ ...filled, blocks }, ...windows], message };
}
