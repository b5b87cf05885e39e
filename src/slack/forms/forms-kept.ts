/**
 * Forms that ask for a change. What was sent is stored before Slack is told that it was taken, and whichever replica works
 * it off brings the window to its answer. It is remembered for a day: the same form, sent once more because Slack lost
 * the acknowledgement, is told what came of the first and is never asked for twice.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Clock, DAY, type Instant, later, SECOND } from '../../clock.ts';
import type { Registry } from '../../commands/registry.ts';
import type { Log } from '../../log.ts';
import type { OnStep } from '../../steps.ts';
import type { ClaimedWork } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { WorkResult } from '../../store/worker.ts';
import type { View } from '../../views/model.ts';
import { isClosed, showFirst } from '../answer-windows.ts';
import type { Dispatch } from '../dispatch.ts';
import { faultText } from '../faults.ts';
import { isPassing, TRIES } from '../inbox.ts';
import type { Replies } from '../replies.ts';
import type { SlackWeb } from '../web.ts';
import { againAnswered } from './forms-again.ts';
import { answered, type FormAnswered } from './forms-answer.ts';
import {
  type AnsweredForm,
  type FormAgain,
  readFirst,
  readStored,
  type SentForm,
  type StoredForm,
  toStored,
} from './forms-stored.ts';

export type KeptFormsOptions = {
  readonly registry: Pick<Registry, 'find'>;
  readonly store: { readonly work: Pick<Store['work'], 'insert' | 'put' | 'payload' | 'hasten'> };
  readonly clock: Clock;
  readonly dispatch: Pick<Dispatch, 'command'>;
  readonly web: Pick<SlackWeb, 'updateView'>;
  readonly whisper: Replies['whisper'];
  readonly direct: Replies['direct'];
  readonly root: string;
  readonly log: Log;
  readonly onStep?: OnStep | undefined;
};

export type Taken = {
  /** What is released once Slack knows that the form was taken. */
  readonly key: string;
  /** Whether the same window was sent before, and if so, whether with these values. */
  readonly before: 'no' | 'same' | 'others';
};

export type KeptForms = {
  /** Stores a form. Resolves when it is on disk: only then may it be acknowledged. */
  readonly take: (key: string, form: SentForm) => Promise<Taken>;
  /** From now on it is worked off: before its acknowledgement, that would take the answer's place in the window. */
  readonly release: (key: string) => Promise<void>;
  /** Handler of `form` work. */
  readonly workOff: (work: ClaimedWork) => Promise<WorkResult>;
};

/** Slack waits so long for an acknowledgement (docs.slack.dev/interactivity/handling-user-interaction). */
const HELD_MS = 3 * SECOND;
/** A form that is sent again is sent within minutes. */
const REMEMBERED_MS = DAY;
/** So long a window is tried while Slack does not say that it cannot be changed; then the answer is a message. */
const REACHED_MS = 30 * SECOND;
const NEXT_TRY_MS = 5 * SECOND;

export function createKeptForms(options: KeptFormsOptions): KeptForms {
  const { registry, store, clock, dispatch, web, whisper, direct, root, log, onStep } = options;

  const put = (key: string, form: StoredForm, dueAt: Instant): Promise<void> =>
    store.work.put({ kind: 'form', key, dueAt, payload: toStored(form) });

  const insert = (key: string, form: StoredForm) =>
    store.work.insert({
      kind: 'form',
      key,
      dueAt: later(clock.now(), HELD_MS),
      payload: toStored(form),
    });

  const inAMoment = ({ attempts }: ClaimedWork): WorkResult => ({
    kind: 'again',
    dueAt: later(clock.now(), SECOND * 2 ** Math.min(attempts, TRIES)),
  });

  /** A request carries its key and is never made twice; of a setting that may have been changed that is not known. */
  const mayBeTried = (view: View, { command }: SentForm): boolean =>
    isPassing(view) && (registry.find(command)?.kind === 'write' || !mayHaveChanged(view));

  const ask = async (work: ClaimedWork, form: SentForm): Promise<WorkResult> => {
    const { command: name, input, caller, takenAt: askedAt = work.dueAt } = form;
    const requestKey = `press:${work.key}`;
    const view = await dispatch.command({ name, input, page: 0, caller, requestKey, askedAt });
    if (mayBeTried(view, form) && work.attempts < TRIES) return inAMoment(work);
    // Known before it is told: told first, it could be asked for again after a crash.
    const known = answered({ ...form, back: null }, view);
    const isLate = view.kind === 'too-late';
    const at = clock.now();
    await put(work.key, { ...form, ...known, kind: 'answered', isTold: false, isLate, at }, at);
    return { kind: 'done' };
  };

  /** In the window or, where that cannot be reached until then, in a message. Null: it was; else when to try again. */
  const bring = async (
    { used, caller }: SentForm,
    { windows, message }: Pick<FormAnswered, 'windows' | 'message'>,
    until: Instant,
  ): Promise<WorkResult | null> => {
    const shown = await showFirst(web, used.viewId, windows);
    if (shown.kind === 'ok') return null;
    const next = later(clock.now(), shown.kind === 'throttled' ? shown.retryAfterMs : NEXT_TRY_MS);
    if (shown.kind !== 'refused' && next <= until) return { kind: 'again', dueAt: next };
    if (!isClosed(shown))
      log.warn({ event: 'form.unanswered', reason: faultText(shown) }, 'could not show the answer to a form');
    await whisper(caller, message, 'form');
    return null;
  };

  /** Its window may be closed, or open and forgotten: so it is told where it makes itself heard. */
  const bringLate = async (
    work: ClaimedWork,
    { used, caller, windows, message }: AnsweredForm,
  ): Promise<WorkResult | null> => {
    await showFirst(web, used.viewId, windows);
    const isTold = await direct(caller, message, 'form');
    return isTold || work.attempts >= TRIES ? null : inAMoment(work);
  };

  const sayAgain = async (work: ClaimedWork, form: FormAgain): Promise<WorkResult> => {
    const payload = await store.work.payload('form', form.of);
    if (payload === null) return { kind: 'done' };
    const first = readFirst(payload);
    if (first.kind === 'asked' || !first.isTold) return inAMoment(work);
    const answer = form.differs ? againAnswered(first, form, root) : first;
    return (await bring(form, answer, clock.now())) ?? { kind: 'done' };
  };

  return {
    async take(key, given) {
      const form = { ...given, takenAt: clock.now() };
      const inserted = await insert(key, { ...form, kind: 'asked' });
      if (inserted.kind === 'inserted') {
        await onStep?.('form.recorded');
        return { key, before: 'no' };
      }
      const first = readFirst(inserted.payload);
      const differs = !isDeepStrictEqual(first.input ?? null, JSON.parse(JSON.stringify(form.input ?? null)));
      const again = `${key}:again:${randomUUID()}`;
      await insert(again, { ...form, kind: 'again', of: key, differs });
      return { key: again, before: differs ? 'others' : 'same' };
    },
    release: (key) => store.work.hasten('form', key, clock.now()),
    async workOff(work) {
      const form = readStored(work.payload);
      switch (form.kind) {
        case 'asked':
          return ask(work, form);
        case 'again':
          return sayAgain(work, form);
        case 'answered': {
          if (form.isTold) return { kind: 'done' };
          const next =
            form.isLate === true
              ? await bringLate(work, form)
              : await bring(form, form, later(form.at, REACHED_MS));
          if (next !== null) return next;
          await put(work.key, { ...form, isTold: true }, later(clock.now(), REMEMBERED_MS));
          return { kind: 'done' };
        }
      }
    },
  };
}

function mayHaveChanged(view: View): boolean {
  return view.kind === 'problem' && 'changed' in view.problem && view.problem.changed === 'unknown';
}
