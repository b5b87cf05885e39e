/**
 * A submitted form: its fields are read from memory within the acknowledgement, so that errors appear on the fields and
 * the input survives. Changes are stored before the acknowledgement, like presses; the window says “Looking…” and
 * becomes the answer, or the form again.
 */
import { z } from 'zod';
import type { Command, SharedPorts } from '../../commands/core/command.ts';
import type { Registry } from '../../commands/core/registry.ts';
import { requiredPermission } from '../../commands/core/required-permission.ts';
import { formOf } from '../../commands/forms/pressed-form.ts';
import type { FormValues } from '../../commands/forms/shared/command-form.ts';
import { timeAtEnd } from '../../commands/parser/time-words.ts';
import { decideAccess } from '../../lib/access.ts';
import { newReference } from '../../lib/ids.ts';
import { ALREADY_SENT_TEXT, formErrorText, unexpectedFormError } from '../../views/forms/form-error-text.ts';
import { blocksWithError } from '../../views/forms/resubmit-form.ts';
import { acceptedWindow, type Modal, textWindow } from '../../views/kit/answer-window.ts';
import { plainText } from '../../views/kit/escape.ts';
import type { CommandChoice } from '../../views/models/report-model.ts';
import type { CachedRoleLookup } from '../access/role-lookup.ts';
import type { AcknowledgeForm, FormAckResponse } from '../replies/answer-windows.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import {
  answerWindowStateOf,
  createReadSubmissions,
  type ReadSubmission,
  type ReadSubmissionOptions,
} from './form-answers.ts';
import { type FormMark, type FormState, readFormState } from './form-payloads.ts';
import type { StoredSubmission, SubmissionQueue } from './submission-queue.ts';

export type FormSubmitOptions = ReadSubmissionOptions & {
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly people: CachedRoleLookup;
  readonly submissions: Pick<SubmissionQueue, 'store' | 'release'>;
  readonly formMark: Pick<FormMark, 'verified'>;
  /** Called for a submitted form before its window changes. */
  readonly onSubmitted: (used: FormState) => void;
  /** Makes the worker look for due work now. */
  readonly wakeWorker: () => void;
};

const MAX_ERROR_LENGTH = 300;

export function createFormSubmit(options: FormSubmitOptions) {
  const { registry, ports, people, submissions, onSubmitted, wakeWorker, log } = options;
  const look = createReadSubmissions(options);

  const read = (command: Command, used: FormState): FormValues => {
    const role = people.knownRoleOf(used.person);
    // The answer says so; field values are nothing that this person may learn about.
    if (decideAccess(role, requiredPermission(command)) === 'refused') return { kind: 'input', input: {} };
    const form = formOf(command, used.metadata ?? {});
    if (form === null) throw new Error(`${command.name} has no form`);
    return form.read(used.values, used.metadata?.context, { ...ports, asker: used.person });
  };

  /** Shows the error on the first field, so that the input stays. */
  const failed = (used: FormState, thrown: unknown): FormAckResponse => {
    const reference = newReference();
    log.error({ event: 'form.failed', person: used.person, reference, err: thrown }, 'form failed');
    return errorOnFirstField(used, unexpectedFormError(reference));
  };

  const change = async (order: ReadSubmission, ack: AcknowledgeForm): Promise<void> => {
    const { command, input, used, caller } = order;
    const closes = used.metadata?.pressed === true && used.metadata.inWindow !== true;
    let stored: StoredSubmission;
    try {
      stored = await submissions.store(order.key, { caller, command: command.name, input, used, closes });
    } catch (error) {
      return ack(failed(used, error));
    }
    if (stored === 'duplicate') return ack(errorOnFirstField(used, ALREADY_SENT_TEXT));
    onSubmitted(used);
    const window = acceptedWindow(answerWindowStateOf({ used, caller }));
    await ack(closes ? undefined : { kind: 'window', window }).catch((error: unknown) => {
      // It is stored anyway, and its answer replaces the form.
      log.warn({ event: 'form.unacknowledged', err: error }, 'could not acknowledge a form');
    });
    await submissions.release(order.key).catch((error: unknown) => {
      // The worker picks it up when it is due.
      log.warn({ event: 'form.unreleased', err: error }, 'a submitted form was not started early');
    });
    wakeWorker();
  };

  return async (payload: unknown, ack: AcknowledgeForm): Promise<void> => {
    const used = readFormState(payload, options.formMark);
    const { metadata, person, viewId, hash } = used;
    const command = metadata === null ? null : registry.find(metadata.command);
    if (metadata === null || command === null) return ack(failed(used, new Error('a form of no command')));
    let result: FormValues;
    try {
      result = read(command, used);
    } catch (error) {
      return ack(failed(used, error));
    }
    if (result.kind === 'errors') return ack(errorsOnFields(used, result.errors));
    const { input } = result;
    const when =
      command.kind === 'write' && !isAskedAboutTime(used) ? timeTyped(input, metadata.context) : null;
    if (when !== null)
      return ack({ kind: 'window', window: timeQuestion(used, when, { command: command.name, input }) });
    const caller: CommandSource = { person, channel: metadata.channel, thread: metadata.thread };
    // One window in one state is one submission, however often it is sent and whatever its values are by then.
    const key = `form:${viewId}:${hash}`;
    const submission = { command, input, used, caller, key };
    if (command.kind !== 'read') return change(submission, ack);
    onSubmitted(used);
    await look(submission, ack);
  };
}

const withReason = z.object({ reason: z.string() });
const carriedInput = z.object({ input: withReason });

/** The time at the end of a reason that was not there when a button opened the form: that one was asked about. */
function timeTyped(input: unknown, context: unknown): string | null {
  const reason = withReason.safeParse(input).data?.reason;
  const isNew = reason !== undefined && reason !== carriedInput.safeParse(context).data?.input.reason;
  return isNew ? timeAtEnd(reason) : null;
}

const REQUEST_NOW = { type: 'plain_text', text: 'Request now' } as const;

function isAskedAboutTime({ filled }: FormState): boolean {
  return filled.submit?.text === REQUEST_NOW.text;
}

/** The form again, whose button says that it does not wait for the time. */
function timeQuestion({ filled }: FormState, when: string, choice: CommandChoice): Modal {
  const words = formErrorText({ kind: 'no-schedules', when, does: 'set', choice, needsApproval: null });
  return { ...filled, submit: REQUEST_NOW, blocks: blocksWithError(filled.blocks, words, null) };
}

/** Slack shows no error at all if one of them names a field that the window does not have. */
function errorsOnFields(used: FormState, errors: Readonly<Record<string, string>>): FormAckResponse {
  const plainErrors = Object.entries(errors).map(
    ([field, words]) => [field, plainText(words, MAX_ERROR_LENGTH)] as const,
  );
  const visibleErrors = plainErrors.filter(([field]) => used.values.has(field));
  if (visibleErrors.length === plainErrors.length && visibleErrors.length > 0)
    return { kind: 'errors', errors: Object.fromEntries(visibleErrors) };
  return errorOnFirstField(used, plainErrors.map(([, words]) => words).join(' '));
}

function errorOnFirstField({ values, depth }: FormState, words: string): FormAckResponse {
  const [first] = values.keys();
  return first === undefined
    ? { kind: 'window', window: textWindow(words, { depth }) }
    : { kind: 'errors', errors: { [first]: plainText(words, MAX_ERROR_LENGTH) } };
}
