/**
 * The inbox: what people press and submit in Slack to decide or request something. Slack never sends it again once it was
 * acknowledged, so it is stored first, and handled after that by any replica; after a crash, from the store. Handling it
 * twice changes nothing: decisions compare and set, requests carry the key, and the answer to a form is stored before it
 * is shown.
 */
import { z } from 'zod';
import type { Registry } from '../../commands/core/command.ts';
import { type Clock, DAY, type Instant, instant, later, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { channelId, messageTs, personId, requestId, windowId } from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { NotStored } from '../../lib/not-stored.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { Store } from '../../store/port/store.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import { type RenderedMessage, renderView, type View } from '../../views/views.ts';
import { type PressedCards, pressedCardSchema } from '../cards/duplicate-messages.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import { createErrorReporter, MarkedFailure, type ReportedProblem } from '../dispatch/unexpected-errors.ts';
import { formOutcomeOf } from '../forms/form-submissions.ts';
import {
  type CommandSource,
  isWindowClosed,
  type PrivateReplies,
  showFirstAccepted,
} from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

const plainText = z.looseObject({ type: z.literal('plain_text'), text: z.string() });
const blocks = z.array(z.looseObject({ type: z.string(), block_id: z.string().exactOptional() })).readonly();
const modal = z.object({
  type: z.literal('modal'),
  callback_id: z.string(),
  private_metadata: z.string(),
  title: plainText,
  submit: plainText.exactOptional(),
  close: plainText.exactOptional(),
  blocks,
});

const formSchema = z.object({
  /** Its window closed when it was submitted: the answer is a message. */
  closes: z.boolean(),
  viewId: z.string(),
  depth: z.int().positive(),
  /** The form with what was entered. */
  filled: modal,
  values: z.array(z.tuple([z.string(), z.array(z.string()).readonly()])),
});
const answerSchema = z.object({
  at: z.number().transform(instant),
  windows: z.tuple([modal]).rest(modal).readonly(),
  /** The same where there is no window. */
  message: z.object({ text: z.string(), blocks, plain: blocks.optional() }),
  /** It was too late to request it; nobody looks at its window any more. */
  isLate: z.boolean(),
  /** The row stays, so that the same form is not requested twice. */
  isTold: z.boolean(),
});

const head = {
  caller: z.object({
    person: z.string().transform(personId),
    channel: z.string().transform(channelId),
    thread: z.string().transform(messageTs).optional(),
  }),
  on: pressedCardSchema.optional(),
};
const aboutRequest = { ...head, requestId: z.string().transform(requestId) };
const interactionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('withdraw'), ...aboutRequest }),
  z.object({ kind: z.literal('control'), ...aboutRequest, control: z.enum(['pause', 'stop', 'close']) }),
  /** The submission of a window that decides something. */
  z.object({
    kind: z.literal('window'),
    ...head,
    id: z.string().transform(windowId),
    view: z.object({ id: z.string(), hash: z.string() }),
    devices: z.int().positive().optional(),
    comment: z.string().optional(),
    marks: z
      .object({
        decision: z.enum(['approve', 'deny']),
        requests: z.array(z.string().transform(requestId)).readonly(),
      })
      .optional(),
  }),
  /** `form`: where it was submitted; absent: by a press. */
  z.object({
    kind: z.literal('command'),
    ...head,
    name: z.string(),
    input: z.unknown(),
    form: formSchema.optional(),
  }),
]);
export type Interaction = z.output<typeof interactionSchema>;

const storedSchema = interactionSchema.and(
  z.object({ takenAt: z.number().transform(instant), answer: answerSchema.optional() }),
);
type StoredInteraction = z.output<typeof storedSchema>;
type StoredForm = z.output<typeof formSchema>;
type FormAnswer = z.output<typeof answerSchema>;

export type TakenInteraction = {
  /** The same for each delivery that counts as one. */
  readonly key: string;
  readonly interaction: Interaction;
  /** Acknowledges it, once it is on disk. Returns how its answer is shown while this process lives; null: by a message. */
  readonly accept: () => Promise<((view: View) => Promise<void>) | null>;
  /** Acknowledges it, and says why it could not be stored. */
  readonly refuse: (problem: ReportedProblem) => Promise<void>;
};

export type InboxOptions = {
  readonly store: { readonly work: Pick<Store['work'], 'insert' | 'put' | 'hasten'> };
  readonly clock: Clock;
  readonly registry: Pick<Registry, 'find'>;
  readonly dispatch: Pick<Dispatch, 'withdraw' | 'control' | 'submitWindow' | 'runCommand'>;
  readonly pressed: PressedCards;
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly replies: Pick<PrivateReplies, 'sendEphemeral' | 'sendDirect'>;
  readonly wakeWorker: () => void;
  readonly log: Log;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export type Inbox = Readonly<ReturnType<typeof createInbox>>;

/** Replies that wait in memory: more than are in flight at once. */
const MAX_PENDING_REPLIES = 1_000;
/** Slack's limit for an acknowledgement (docs.slack.dev/interactivity/handling-user-interaction). */
const ACKNOWLEDGE_WITHIN_MS = 3 * SECOND;
/** A window that is submitted twice is so within minutes. */
const DEDUPLICATE_MS = DAY;
/** Tries over about two minutes before the person gets the failure. */
const MAX_TRIES = 7;

export function createInbox(options: InboxOptions) {
  const { store, clock, wakeWorker, log, onFailpoint } = options;
  const failure = createErrorReporter(log);
  const run = createRun(options);
  const deliver = createAnswers(options);
  const showInWindow = createShowInWindow(options);
  /** Replies to what this process stored; the answer to anything else is a message. */
  const pending = new Map<string, (view: View) => Promise<void>>();

  /** False: the form was stored before. Of a press that is delivered again, each is answered. */
  const record = async ({ key, interaction }: TakenInteraction, takenAt: Instant): Promise<boolean> => {
    // Not before the acknowledgement, whose “Looking…” would replace the answer.
    const dueAt = later(takenAt, ACKNOWLEDGE_WITHIN_MS);
    const work = { kind: 'inbox', key, dueAt, payload: { ...interaction, takenAt } } as const;
    if (interaction.kind === 'command' && interaction.form !== undefined)
      return (await store.work.insert(work)) === 'inserted';
    await store.work.put(work);
    return true;
  };

  const keepAnswer = (work: ClaimedWork, answer: FormAnswer, dueAt: Instant): Promise<void> => {
    const payload = { ...z.looseObject({}).parse(work.payload), answer };
    return store.work.put({ kind: 'inbox', key: work.key, dueAt, payload });
  };

  /** Shows the stored answer to a form; the row stays for as long as the form may be submitted again. */
  const answerForm = async (
    work: ClaimedWork,
    { caller, form, answer }: { caller: CommandSource; form: StoredForm; answer: FormAnswer },
  ): Promise<WorkResult> => {
    if (answer.isTold) return DONE;
    const told = await deliver(work, { ...answer, caller, name: 'form' }, () => showInWindow(form, answer));
    if (told.kind === 'done')
      await keepAnswer(work, { ...answer, isTold: true }, later(clock.now(), DEDUPLICATE_MS));
    return told;
  };

  return {
    /** Stores it, and only then has it acknowledged and handled. False: the same form was stored before. */
    async take(taken: TakenInteraction): Promise<boolean> {
      const { key, interaction, accept, refuse } = taken;
      const takenAt = clock.now();
      try {
        if (!(await record(taken, takenAt))) return false;
      } catch (error) {
        // A database that did not answer may have stored it anyway.
        const thrown = error instanceof NotStored ? error : new MarkedFailure('unknown', error);
        await refuse(failure({ what: interaction.kind, person: interaction.caller.person, thrown }));
        return true;
      }
      await onFailpoint?.('inbox.recorded');
      try {
        const reply = await accept();
        if (reply !== null) setNewest(pending, key, reply, MAX_PENDING_REPLIES);
        // Work is claimed in the order in which it is due.
        await store.work.hasten('inbox', key, takenAt);
      } catch (error) {
        // It is stored anyway, and handled when it is due.
        const line = { event: 'inbox.unacknowledged', kind: interaction.kind, err: error };
        log.warn(line, 'could not acknowledge what was stored, or not start it at once');
      }
      wakeWorker();
      return true;
    },
    async handleWork(work: ClaimedWork): Promise<WorkResult> {
      const item = storedSchema.parse(work.payload);
      const { caller, answer } = item;
      const form = item.kind === 'command' ? item.form : undefined;
      if (form !== undefined && answer !== undefined) return answerForm(work, { caller, form, answer });
      const { view, isTriedAgain } = await run(item, work);
      if (isTriedAgain) return retrySoon(clock, work);
      const isLate = view.kind === 'too-late';
      if (item.kind === 'command' && form !== undefined) {
        // Stored before it is shown: otherwise a crash in between could request it again.
        const reopenWith = form.closes ? { command: item.name, input: item.input } : null;
        const used = { ...form, values: new Map(form.values) };
        const outcome = formOutcomeOf({ used, caller, reopenWith }, view);
        const at = clock.now();
        await keepAnswer(work, { ...outcome, at, isLate, isTold: false }, at);
        return DONE;
      }
      const reply = pending.get(work.key);
      pending.delete(work.key);
      const what = { caller, message: renderView(view), name: view.kind, isLate };
      return deliver(work, what, async () => {
        await reply?.(view);
        return reply === undefined ? 'nowhere' : 'shown';
      });
    },
  };
}

function createRun({ registry, dispatch, pressed }: InboxOptions) {
  const viewOf = async (item: StoredInteraction, { key, attempts }: ClaimedWork): Promise<View> => {
    const instead = item.on === undefined ? null : await pressed.answerForCopy(item.on);
    if (instead !== null) return instead;
    const { takenAt: askedAt } = item;
    switch (item.kind) {
      case 'withdraw':
        return dispatch.withdraw(item);
      case 'control':
        return dispatch.control(item);
      case 'command': {
        const { name, input, caller } = item;
        return dispatch.runCommand({ name, input, caller, page: 0, requestKey: key, askedAt });
      }
      case 'window':
        return dispatch.submitWindow({ ...item, submission: key, isFirstTry: attempts === 0, askedAt });
    }
  };
  /** Only a setting of a form may not: a request has a key, and one press sets what may be set twice. */
  const mayRunAgain = (item: StoredInteraction, view: View): boolean =>
    item.kind !== 'command' ||
    item.form === undefined ||
    registry.find(item.name)?.kind === 'write' ||
    !mayHaveChanged(view);

  return async (item: StoredInteraction, work: ClaimedWork) => {
    const view = await viewOf(item, work);
    const isTriedAgain =
      (isUnknownWindow(view) && work.attempts === 0) ||
      (isTransientFailure(view) && work.attempts < MAX_TRIES && mayRunAgain(item, view));
    return { view, isTriedAgain };
  };
}

const DONE = { kind: 'done' } as const;

type Answer = {
  readonly caller: CommandSource;
  readonly message: RenderedMessage;
  readonly name: string;
  readonly isLate: boolean;
};
/** What came of showing an answer where it was asked for; a result: it is tried there again. */
type Shown = 'shown' | 'nowhere' | WorkResult;

function createAnswers({ clock, replies: { sendEphemeral, sendDirect } }: InboxOptions) {
  return async (
    work: ClaimedWork,
    { caller, message, name, isLate }: Answer,
    showInPlace: () => Promise<Shown>,
  ): Promise<WorkResult> => {
    const shown = await showInPlace();
    if (isLate) {
      // Nobody waits for it any more, so it is a direct message, which notifies.
      const isTold = await sendDirect(caller, message, name, work);
      return isTold || work.attempts >= MAX_TRIES ? DONE : retrySoon(clock, work);
    }
    if (shown === 'nowhere') await sendEphemeral(caller, message, name);
    return typeof shown === 'string' ? DONE : shown;
  };
}

/** How long updating a window is tried while Slack gives no final answer; then the answer is a message. */
const WINDOW_TRIES_MS = 30 * SECOND;
const RETRY_MS = 5 * SECOND;

function createShowInWindow({ clock, web, log }: InboxOptions) {
  return async ({ closes, viewId }: StoredForm, { windows, at }: FormAnswer): Promise<Shown> => {
    if (closes) return 'nowhere';
    const updated = await showFirstAccepted(web, viewId, windows);
    if (updated.kind === 'ok') return 'shown';
    const dueAt = later(clock.now(), updated.kind === 'throttled' ? updated.retryAfterMs : RETRY_MS);
    if (updated.kind !== 'refused' && dueAt <= later(at, WINDOW_TRIES_MS)) return { kind: 'again', dueAt };
    if (!isWindowClosed(updated)) {
      const reason = slackErrorText(updated);
      log.warn({ event: 'form.unanswered', reason }, 'could not show the answer to a form');
    }
    return 'nowhere';
  };
}

function retrySoon(clock: Clock, { attempts }: ClaimedWork): WorkResult {
  return { kind: 'again', dueAt: later(clock.now(), SECOND * 2 ** Math.min(attempts, MAX_TRIES)) };
}

/** Slack does not say who the person is, or the database does not answer. Slack does not send it again, so it is retried here. */
function isTransientFailure(view: View): boolean {
  if (view.kind === 'decided' && view.outcome.kind === 'several')
    return view.outcome.results.some(({ outcome }) => outcome.kind === 'failed');
  if (view.kind !== 'problem') return false;
  return view.problem.kind === 'rights-unknown' || view.problem.kind === 'unexpected';
}

function mayHaveChanged(view: View): boolean {
  return view.kind === 'problem' && 'changed' in view.problem && view.problem.changed === 'unknown';
}

/** Its row may still be on its way. */
function isUnknownWindow(view: View): boolean {
  if (view.kind !== 'decided' || view.outcome.kind !== 'window-refused') return false;
  return view.outcome.why === 'unknown-window';
}
