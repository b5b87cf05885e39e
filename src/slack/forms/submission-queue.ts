/**
 * Forms that ask for a change. What was sent is stored before Slack is told that it was taken, and whichever replica works
 * it off brings the window to its answer. It is remembered for a day: the same form, sent once more because Slack lost
 * the acknowledgement, is told what came of the first and is never asked for twice.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Registry } from '../../commands/core/registry.ts';
import { type Clock, DAY, type Instant, later, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import type { Log } from '../../lib/log.ts';
import type { ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { WorkResult } from '../../store/work/worker.ts';
import type { View } from '../../views/model.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import { isTransientFailure, MAX_TRIES } from '../interactions/press-queue.ts';
import { isWindowClosed, showFirstAccepted } from '../replies/answer-windows.ts';
import type { PrivateReplies } from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import { answerDuplicate, type FormOutcome, formOutcomeOf } from './form-answers.ts';
import {
  type AnsweredStoredForm,
  type DuplicateStoredForm,
  readFirstSubmission,
  readStoredForm,
  type StoredForm,
  type StoredFormHead,
  toStoredForm,
} from './stored-submissions.ts';

export type SubmissionQueueOptions = {
  readonly registry: Pick<Registry, 'find'>;
  readonly store: { readonly work: Pick<Store['work'], 'insert' | 'put' | 'payload' | 'hasten'> };
  readonly clock: Clock;
  readonly dispatch: Pick<Dispatch, 'runCommand'>;
  readonly web: Pick<SlackWeb, 'updateView'>;
  readonly sendEphemeral: PrivateReplies['sendEphemeral'];
  readonly sendDirect: PrivateReplies['sendDirect'];
  readonly root: string;
  readonly log: Log;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export type AcceptedSubmission = {
  /** What is released once Slack knows that the form was taken. */
  readonly key: string;
  /** Whether the same window was sent before, and if so, whether with these values. */
  readonly duplicateOf: 'no' | 'same' | 'others';
};

export type SubmissionQueue = {
  /** Stores a form. Resolves when it is on disk: only then may it be acknowledged. */
  readonly store: (key: string, form: StoredFormHead) => Promise<AcceptedSubmission>;
  /** From now on it is worked off: before its acknowledgement, that would take the answer's place in the window. */
  readonly release: (key: string) => Promise<void>;
  /** Handler of `form` work. */
  readonly handleWork: (work: ClaimedWork) => Promise<WorkResult>;
};

/** Slack waits so long for an acknowledgement (docs.slack.dev/interactivity/handling-user-interaction). */
const ACKNOWLEDGE_WITHIN_MS = 3 * SECOND;
/** A form that is sent again is sent within minutes. */
const DEDUPLICATE_MS = DAY;
/** So long a window is tried while Slack does not say that it cannot be changed; then the answer is a message. */
const WINDOW_TRIES_MS = 30 * SECOND;
const RETRY_MS = 5 * SECOND;

export function createSubmissionQueue(options: SubmissionQueueOptions): SubmissionQueue {
  const { registry, store, clock, dispatch, web, sendEphemeral, sendDirect, root, log, onFailpoint } =
    options;

  const put = (key: string, form: StoredForm, dueAt: Instant): Promise<void> =>
    store.work.put({ kind: 'form', key, dueAt, payload: toStoredForm(form) });

  const insert = (key: string, form: StoredForm) =>
    store.work.insert({
      kind: 'form',
      key,
      dueAt: later(clock.now(), ACKNOWLEDGE_WITHIN_MS),
      payload: toStoredForm(form),
    });

  const retrySoon = ({ attempts }: ClaimedWork): WorkResult => ({
    kind: 'again',
    dueAt: later(clock.now(), SECOND * 2 ** Math.min(attempts, MAX_TRIES)),
  });

  /** A request carries its key and is never made twice; of a setting that may have been changed that is not known. */
  const mayRetry = (view: View, { command }: StoredFormHead): boolean =>
    isTransientFailure(view) && (registry.find(command)?.kind === 'write' || !mayHaveChanged(view));

  const submit = async (work: ClaimedWork, form: StoredFormHead): Promise<WorkResult> => {
    const { command: name, input, caller, takenAt: askedAt = work.dueAt } = form;
    const requestKey = `press:${work.key}`;
    const view = await dispatch.runCommand({ name, input, page: 0, caller, requestKey, askedAt });
    if (mayRetry(view, form) && work.attempts < MAX_TRIES) return retrySoon(work);
    // Known before it is told: told first, it could be asked for again after a crash.
    const outcome = formOutcomeOf({ ...form, reopenWith: null }, view);
    const isLate = view.kind === 'too-late';
    const at = clock.now();
    await put(work.key, { ...form, ...outcome, kind: 'answered', isTold: false, isLate, at }, at);
    return { kind: 'done' };
  };

  /** In the window or, where that cannot be reached until then, in a message. Null: it was; else when to try again. */
  const showAnswer = async (
    { used, caller }: StoredFormHead,
    { windows, message }: Pick<FormOutcome, 'windows' | 'message'>,
    until: Instant,
  ): Promise<WorkResult | null> => {
    const updated = await showFirstAccepted(web, used.viewId, windows);
    if (updated.kind === 'ok') return null;
    const next = later(clock.now(), updated.kind === 'throttled' ? updated.retryAfterMs : RETRY_MS);
    if (updated.kind !== 'refused' && next <= until) return { kind: 'again', dueAt: next };
    if (!isWindowClosed(updated))
      log.warn(
        { event: 'form.unanswered', reason: slackErrorText(updated) },
        'could not show the answer to a form',
      );
    await sendEphemeral(caller, message, 'form');
    return null;
  };

  /** Its window may be closed, or open and forgotten: so it is told where it makes itself heard. */
  const showLateAnswer = async (
    work: ClaimedWork,
    { used, caller, windows, message }: AnsweredStoredForm,
  ): Promise<WorkResult | null> => {
    await showFirstAccepted(web, used.viewId, windows);
    const isTold = await sendDirect(caller, message, 'form');
    return isTold || work.attempts >= MAX_TRIES ? null : retrySoon(work);
  };

  const answerDuplicateForm = async (work: ClaimedWork, form: DuplicateStoredForm): Promise<WorkResult> => {
    const payload = await store.work.payload('form', form.of);
    if (payload === null) return { kind: 'done' };
    const first = readFirstSubmission(payload);
    if (first.kind === 'asked' || !first.isTold) return retrySoon(work);
    const answer = form.differs ? answerDuplicate(first, form, root) : first;
    return (await showAnswer(form, answer, clock.now())) ?? { kind: 'done' };
  };

  return {
    async store(key, submitted) {
      const form = { ...submitted, takenAt: clock.now() };
      const inserted = await insert(key, { ...form, kind: 'asked' });
      if (inserted.kind === 'inserted') {
        await onFailpoint?.('form.recorded');
        return { key, duplicateOf: 'no' };
      }
      const first = readFirstSubmission(inserted.payload);
      const differs = !isDeepStrictEqual(first.input ?? null, JSON.parse(JSON.stringify(form.input ?? null)));
      const again = `${key}:again:${randomUUID()}`;
      await insert(again, { ...form, kind: 'again', of: key, differs });
      return { key: again, duplicateOf: differs ? 'others' : 'same' };
    },
    release: (key) => store.work.hasten('form', key, clock.now()),
    async handleWork(work) {
      const form = readStoredForm(work.payload);
      switch (form.kind) {
        case 'asked':
          return submit(work, form);
        case 'again':
          return answerDuplicateForm(work, form);
        case 'answered': {
          if (form.isTold) return { kind: 'done' };
          const next =
            form.isLate === true
              ? await showLateAnswer(work, form)
              : await showAnswer(form, form, later(form.at, WINDOW_TRIES_MS));
          if (next !== null) return next;
          await put(work.key, { ...form, isTold: true }, later(clock.now(), DEDUPLICATE_MS));
          return { kind: 'done' };
        }
      }
    },
  };
}

function mayHaveChanged(view: View): boolean {
  return view.kind === 'problem' && 'changed' in view.problem && view.problem.changed === 'unknown';
}
