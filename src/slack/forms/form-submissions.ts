/** What comes of a submitted form: its answer, and the forms that only read, of which nothing is stored. */
import type { Command } from '../../commands/core/command.ts';
import { onlyMatch } from '../../commands/devices.ts';
import { fieldOfError, formErrorOf } from '../../commands/forms/form-errors.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { backToForm, blocksWithError, formErrorText } from '../../views/forms/form-error-text.ts';
import { type AnswerWindowState, loadingWindow, type Modal } from '../../views/kit/answer-window.ts';
import { mapBothForms } from '../../views/kit/message.ts';
import { type RenderedMessage, renderView, type View } from '../../views/views.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import {
  type AcknowledgeForm,
  answerWindows,
  type CommandSource,
  isWindowClosed,
  type SendReply,
  showFirstAccepted,
} from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import type { FormState } from './form-payloads.ts';

type SubmittedForm = {
  readonly used: Pick<FormState, 'depth' | 'filled' | 'values'>;
  readonly caller: CommandSource;
  /** Input to open the form with again; null: the form requested a change, whose answer reaches the person in any way possible. */
  readonly reopenWith: { readonly command: string; readonly input: unknown } | null;
};

type FormOutcome = {
  readonly windows: readonly [Modal, ...Modal[]];
  /** The same as a message, where there is no window. */
  readonly message: RenderedMessage;
};

/** Errors are shown on the form; any other answer replaces it. Pure. */
export function formOutcomeOf(submitted: SubmittedForm, view: View): FormOutcome {
  const { filled, values } = submitted.used;
  const error = formErrorOf(view);
  const drawn = renderView(view);
  // Beside the error of a window that is closed, what was entered is kept.
  const message =
    error === null
      ? drawn
      : mapBothForms(drawn, (blocks) => [...blocks, ...backToForm(submitted.reopenWith)]);
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

/** Where changes requested from the answer's buttons belong: the conversation of the form. */
export function answerWindowStateOf({
  used: { depth },
  caller: { channel, thread },
}: Pick<SubmittedForm, 'used' | 'caller'>): AnswerWindowState {
  return { depth, channel, thread };
}

export type ReadSubmission = {
  readonly command: Command;
  readonly input: unknown;
  readonly used: FormState;
  readonly caller: CommandSource;
  /** The same for every delivery of one window in one state. */
  readonly key: string;
};

export type ReadSubmissionOptions = {
  readonly dispatch: Pick<Dispatch, 'runCommand'>;
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

const MAX_REMEMBERED = 1_000;

/** Accepts a form whose fields were read. Reading twice changes nothing, so other values start a new read. */
export function createReadSubmissions(options: ReadSubmissionOptions) {
  const { dispatch, web, reply, log } = options;
  const answer = async ({ used, caller, command, input }: ReadSubmission, view: View): Promise<void> => {
    const submitted = { used, caller, reopenWith: { command: command.name, input } };
    const updated = await showFirstAccepted(web, used.viewId, formOutcomeOf(submitted, view).windows);
    // Somebody who closed the window does not expect an answer.
    if (updated.kind === 'ok' || isWindowClosed(updated)) return;
    log.warn(
      { event: 'form.unanswered', reason: slackErrorText(updated) },
      'could not show the answer to a form',
    );
    await reply(caller)(view);
  };
  /** By window: the values submitted last, and their result. */
  const inProgress = new Map<string, { readonly inputText: string; readonly answered: Promise<View> }>();

  const look = async ({ command, input, used, caller, key }: ReadSubmission): Promise<View> => {
    const run = (name: string, inputText: unknown) =>
      dispatch.runCommand({ name, input: inputText, page: 0, caller, requestKey: key });
    const view = await run(command.name, input);
    const only = used.metadata?.inWindow === true ? onlyMatch(view) : null;
    return only === null ? view : run('device', { device: only });
  };

  /** The read in flight for these values, or a new one. */
  const lookOnce = (order: ReadSubmission, inputText: string) => {
    const before = inProgress.get(order.key);
    if (before?.inputText === inputText) return { looked: before, isFirst: false };
    const looked = { inputText, answered: look(order) };
    setNewest(inProgress, order.key, looked, MAX_REMEMBERED);
    return { looked, isFirst: true };
  };

  return async (order: ReadSubmission, ack: AcknowledgeForm): Promise<void> => {
    const { input, used, caller, key } = order;
    const { looked, isFirst } = lookOnce(order, JSON.stringify(input ?? null));
    const inWindow = used.metadata?.inWindow === true;
    await ack(inWindow ? { kind: 'window', window: loadingWindow(used.depth) } : undefined).catch(
      (error: unknown) => {
        // It runs anyway, and its answer replaces the form.
        log.warn({ event: 'form.unacknowledged', err: error }, 'could not acknowledge a form');
      },
    );
    const view = await looked.answered;
    if (!inWindow) return isFirst ? reply(caller)(view) : undefined;
    // The window shows the answer to the latest submission.
    if (inProgress.get(key) !== looked) return;
    await answer(order, view);
  };
}
