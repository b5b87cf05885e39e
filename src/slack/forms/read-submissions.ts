/** A submitted form of a read command: answered in its window if it has no conversation, else by message. */

import type { Command } from '../../commands/core/command.ts';
import { onlyMatch } from '../../commands/forms/find-form.ts';
import type { Log } from '../../lib/log.ts';
import { setNewest } from '../../lib/newest.ts';
import { loadingWindow } from '../../views/kit/answer-window.ts';
import type { View } from '../../views/model.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import type { AcknowledgeForm } from '../replies/form-acknowledgement.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { createAnswerForm, type FormAnswerOptions } from './form-answers.ts';
import type { FormState } from './form-payloads.ts';

export type ReadSubmission = {
  readonly command: Command;
  readonly input: unknown;
  readonly used: FormState;
  readonly caller: CommandSource;
  /** The same for every delivery of one window in one state. */
  readonly key: string;
};

export type ReadSubmissionOptions = FormAnswerOptions & {
  readonly dispatch: Pick<Dispatch, 'runCommand'>;
  readonly log: Log;
};

/** More than can be in flight. */
const MAX_REMEMBERED = 1_000;

/** Accepts a form whose fields were read. Reading twice changes nothing, so other values start a new read. */
export function createReadSubmissions(options: ReadSubmissionOptions) {
  const { dispatch, reply, log } = options;
  const answer = createAnswerForm(options);
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
    const { command, input, used, caller, key } = order;
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
    await answer({ used, caller, reopenWith: { command: command.name, input } }, view);
  };
}
