/** The answer to a submitted form, in its own window: the result, or the form again with the error. */
import { fieldOfError, formErrorOf } from '../../commands/forms/shared/form-errors.ts';
import type { Log } from '../../lib/log.ts';
import { formErrorText } from '../../views/forms/form-error-text.ts';
import { backToForm, blocksWithError } from '../../views/forms/resubmit-form.ts';
import type { AnswerWindowState, Modal } from '../../views/kit/answer-window.ts';
import { mapBothForms } from '../../views/kit/message.ts';
import type { RenderedMessage, View } from '../../views/model.ts';
import { renderView } from '../../views/render.ts';
import { answerWindows, isWindowClosed, showFirstAccepted } from '../replies/answer-windows.ts';
import type { CommandSource, SendReply } from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import type { FormState } from './form-payloads.ts';

/** The window as it was submitted. */
export type SubmittedFormState = Pick<FormState, 'viewId' | 'depth' | 'filled' | 'values'>;

export type SubmittedForm = {
  readonly used: SubmittedFormState;
  readonly caller: CommandSource;
  /**
   * Input to search again with; null: the form requested a change, whose answer reaches the person in any way possible.
   */
  readonly reopenWith: { readonly command: string; readonly input: unknown } | null;
};

export type FormOutcome = {
  /** What the window shows instead, best first. */
  readonly windows: readonly [Modal, ...Modal[]];
  /** The same as a message, where there is no window. */
  readonly message: RenderedMessage;
};

/** Errors are shown on the form; any other answer replaces it. Pure. */
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
    return { windows, message };
  }
  const errorText = formErrorText(error);
  const again = { ...filled, blocks: blocksWithError(filled.blocks, errorText, fieldOfError(error, values)) };
  return { windows: [again, ...answerWindows(message, place)], message };
}

export type FormAnswerOptions = {
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

/** Shows the answer of a form that only reads. Does not throw. */
export type AnswerForm = (submitted: SubmittedForm, view: View) => Promise<void>;

export function createAnswerForm({ web, reply, log }: FormAnswerOptions): AnswerForm {
  return async (submitted, view) => {
    const updated = await showFirstAccepted(
      web,
      submitted.used.viewId,
      formOutcomeOf(submitted, view).windows,
    );
    // Somebody who closed the window does not expect an answer.
    if (updated.kind === 'ok' || isWindowClosed(updated)) return;
    log.warn(
      { event: 'form.unanswered', reason: slackErrorText(updated) },
      'could not show the answer to a form',
    );
    await reply(submitted.caller)(view);
  };
}

/** Where changes requested from the answer's buttons belong: the conversation of the form. */
export function answerWindowStateOf({
  used,
  caller,
}: Pick<SubmittedForm, 'used' | 'caller'>): AnswerWindowState {
  return { depth: used.depth, channel: caller.channel, thread: caller.thread };
}
