/**
 * Forms that request a change. A submission is stored before it is acknowledged, and any replica handles it and puts
 * the answer into the window. It is remembered for a day: one window in one state is requested once, however often it
 * is sent.
 */
import { z } from 'zod';
import type { Command, Registry } from '../../commands/core/command.ts';
import { onlyMatch } from '../../commands/devices.ts';
import { fieldOfError, formErrorOf } from '../../commands/forms/form-errors.ts';
import { type Clock, DAY, type Instant, instant, later, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { Store } from '../../store/port/store.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import { backToForm, blocksWithError, formErrorText } from '../../views/forms/form-error-text.ts';
import { type AnswerWindowState, loadingWindow, type Modal } from '../../views/kit/answer-window.ts';
import { mapBothForms } from '../../views/kit/message.ts';
import type { RenderedMessage, View } from '../../views/types.ts';
import { renderView } from '../../views/views.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import { isTransientFailure, MAX_TRIES, storedCallerSchema } from '../interactions/press-queue.ts';
import {
  type AcknowledgeForm,
  answerWindows,
  type CommandSource,
  isWindowClosed,
  type PrivateReplies,
  type SendReply,
  showFirstAccepted,
} from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import type { FormState } from './form-payloads.ts';

export type SubmissionQueueOptions = {
  readonly registry: Pick<Registry, 'find'>;
  readonly store: { readonly work: Pick<Store['work'], 'insert' | 'put' | 'hasten'> };
  readonly clock: Clock;
  readonly dispatch: Pick<Dispatch, 'runCommand'>;
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly sendEphemeral: PrivateReplies['sendEphemeral'];
  readonly sendDirect: PrivateReplies['sendDirect'];
  readonly log: Log;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export type StoredSubmission = 'stored' | 'duplicate';

export type SubmissionQueue = Readonly<ReturnType<typeof createSubmissionQueue>>;

/** Slack's limit for an acknowledgement (docs.slack.dev/interactivity/handling-user-interaction). */
const ACKNOWLEDGE_WITHIN_MS = 3 * SECOND;
/** A window that is submitted twice is so within minutes. */
const DEDUPLICATE_MS = DAY;
/** How long updating a window is tried while Slack gives no final answer; then the answer is a message. */
const WINDOW_TRIES_MS = 30 * SECOND;
const RETRY_MS = 5 * SECOND;

export function createSubmissionQueue(options: SubmissionQueueOptions) {
  const { registry, store, clock, dispatch, onFailpoint } = options;
  const show = createSubmissionAnswers(options);

  const put = (key: string, form: StoredForm, dueAt: Instant): Promise<void> =>
    store.work.put({ kind: 'form', key, dueAt, payload: toStoredForm(form) });

  /** A request has a key and is never made twice; a setting has none, so one that may have changed is not retried. */
  const mayRetry = (view: View, { command }: StoredFormHead): boolean =>
    isTransientFailure(view) && (registry.find(command)?.kind === 'write' || !mayHaveChanged(view));

  const submit = async (work: ClaimedWork, form: StoredFormHead): Promise<WorkResult> => {
    const { command: name, input, caller, takenAt: askedAt } = form;
    const requestKey = `press:${work.key}`;
    const view = await dispatch.runCommand({ name, input, page: 0, caller, requestKey, askedAt });
    if (mayRetry(view, form) && work.attempts < MAX_TRIES) return retrySoon(work, clock);
    // Stored before it is shown: otherwise a crash in between could request it again.
    const reopenWith = form.closes ? { command: name, input } : null;
    const outcome = formOutcomeOf({ ...form, reopenWith }, view);
    const isLate = view.kind === 'too-late';
    const at = clock.now();
    await put(work.key, { ...form, ...outcome, kind: 'answered', isTold: false, isLate, at }, at);
    return { kind: 'done' };
  };

  return {
    /** Stores a submission. Resolves when it is on disk: only then may it be acknowledged. */
    async store(key: string, submitted: FormSubmission): Promise<StoredSubmission> {
      const takenAt = clock.now();
      const inserted = await store.work.insert({
        kind: 'form',
        key,
        dueAt: later(takenAt, ACKNOWLEDGE_WITHIN_MS),
        payload: toStoredForm({ ...submitted, takenAt, kind: 'asked' }),
      });
      if (inserted === 'exists') return 'duplicate';
      await onFailpoint?.('form.recorded');
      return 'stored';
    },
    /** Lets a worker handle it. Not before the acknowledgement, whose “Looking…” would replace the answer in the window. */
    release: (key: string): Promise<void> => store.work.hasten('form', key, clock.now()),
    async handleWork(work: ClaimedWork): Promise<WorkResult> {
      const form = z.discriminatedUnion('kind', [submittedSchema, answeredSchema]).parse(work.payload);
      switch (form.kind) {
        case 'asked':
          return submit(work, form);
        case 'answered': {
          if (form.isTold) return { kind: 'done' };
          const next = await show(work, form);
          if (next !== null) return next;
          await put(work.key, { ...form, isTold: true }, later(clock.now(), DEDUPLICATE_MS));
          return { kind: 'done' };
        }
      }
    },
  };
}

/** Shows the answer to a stored submission. Null when shown; otherwise when to try again. */
function createSubmissionAnswers(options: SubmissionQueueOptions) {
  const { clock, web, sendEphemeral, sendDirect, log } = options;

  /** In the window, or as a message where the window cannot be updated in time. */
  const showAnswer = async ({
    used,
    caller,
    windows,
    message,
    at,
    closes,
  }: AnsweredStoredForm): Promise<WorkResult | null> => {
    const tell = async (): Promise<null> => {
      await sendEphemeral(caller, message, 'form');
      return null;
    };
    if (closes) return tell();
    const updated = await showFirstAccepted(web, used.viewId, windows);
    if (updated.kind === 'ok') return null;
    const next = later(clock.now(), updated.kind === 'throttled' ? updated.retryAfterMs : RETRY_MS);
    if (updated.kind !== 'refused' && next <= later(at, WINDOW_TRIES_MS))
      return { kind: 'again', dueAt: next };
    if (!isWindowClosed(updated))
      log.warn(
        { event: 'form.unanswered', reason: slackErrorText(updated) },
        'could not show the answer to a form',
      );
    return tell();
  };

  /** The window may be closed or forgotten, so the answer is a direct message, which notifies. */
  const showLateAnswer = async (
    work: ClaimedWork,
    { used, caller, windows, message }: AnsweredStoredForm,
  ): Promise<WorkResult | null> => {
    await showFirstAccepted(web, used.viewId, windows);
    const isTold = await sendDirect(caller, message, 'form', work);
    return isTold || work.attempts >= MAX_TRIES ? null : retrySoon(work, clock);
  };

  return (work: ClaimedWork, form: AnsweredStoredForm): Promise<WorkResult | null> =>
    form.isLate ? showLateAnswer(work, form) : showAnswer(form);
}

function retrySoon({ attempts }: ClaimedWork, clock: Clock): WorkResult {
  return { kind: 'again', dueAt: later(clock.now(), SECOND * 2 ** Math.min(attempts, MAX_TRIES)) };
}

function mayHaveChanged(view: View): boolean {
  return view.kind === 'problem' && 'changed' in view.problem && view.problem.changed === 'unknown';
}

export type FormSubmission = {
  readonly caller: CommandSource;
  readonly command: string;
  readonly input: unknown;
  readonly used: SubmittedFormState;
  /** Its window closed when it was submitted: the answer is a message. */
  readonly closes: boolean;
};
type StoredFormHead = FormSubmission & { readonly takenAt: Instant };
/** Its outcome is not known yet. */
type SubmittedStoredForm = StoredFormHead & { readonly kind: 'asked' };
/** `isTold`: the person was notified; the row stays so that the same form is not requested twice. */
type AnsweredStoredForm = StoredFormHead &
  FormOutcome & {
    readonly kind: 'answered';
    readonly at: Instant;
    readonly isTold: boolean;
    /** It was too late to request it; nobody looks at its window any more. */
    readonly isLate: boolean;
  };
type StoredForm = SubmittedStoredForm | AnsweredStoredForm;

const plainText = z.looseObject({ type: z.literal('plain_text'), text: z.string() });
const blocks = z.array(z.looseObject({ type: z.string(), block_id: z.string().exactOptional() }));
const modal = z.object({
  type: z.literal('modal'),
  callback_id: z.string(),
  private_metadata: z.string(),
  title: plainText,
  submit: plainText.exactOptional(),
  close: plainText.exactOptional(),
  blocks,
});

const headFields = {
  caller: storedCallerSchema,
  command: z.string(),
  input: z.unknown(),
  takenAt: z.number().transform(instant),
  closes: z.boolean(),
  used: z.object({
    viewId: z.string(),
    depth: z.int().positive(),
    filled: modal,
    values: z.record(z.string(), z.array(z.string())).transform((all) => new Map(Object.entries(all))),
  }),
};
const submittedSchema = z.object({
  kind: z.literal('asked'),
  ...headFields,
}) satisfies z.ZodType<SubmittedStoredForm>;
const answeredSchema = z.object({
  kind: z.literal('answered'),
  at: z.number().transform(instant),
  isTold: z.boolean(),
  isLate: z.boolean(),
  ...headFields,
  windows: z.tuple([modal]).rest(modal),
  message: z.object({ text: z.string(), blocks, plain: blocks.exactOptional() }),
}) satisfies z.ZodType<AnsweredStoredForm>;

function toStoredForm(form: StoredForm): unknown {
  const { viewId, depth, filled, values } = form.used;
  return { ...form, used: { viewId, depth, filled, values: Object.fromEntries(values) } };
}

type SubmittedFormState = Pick<FormState, 'viewId' | 'depth' | 'filled' | 'values'>;

type SubmittedForm = {
  readonly used: SubmittedFormState;
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
function formOutcomeOf(submitted: SubmittedForm, view: View): FormOutcome {
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
export function answerWindowStateOf(submitted: Pick<SubmittedForm, 'used' | 'caller'>): AnswerWindowState {
  const { used, caller } = submitted;
  return { depth: used.depth, channel: caller.channel, thread: caller.thread };
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

/** More than can be in flight. */
const MAX_REMEMBERED = 1_000;

/** Accepts a form whose fields were read. Reading twice changes nothing, so other values start a new read. */
export function createReadSubmissions(options: ReadSubmissionOptions) {
  const { dispatch, web, reply, log } = options;
  /** Shows the answer of a form that only reads. Does not throw. */
  const answer = async (submitted: SubmittedForm, view: View): Promise<void> => {
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
