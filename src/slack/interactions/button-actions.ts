/** Buttons: reads the press, stores what must not be lost, acknowledges, and passes it on. */
import type { RespondFn } from '@slack/bolt';
import { z } from 'zod';
import type { RecordsReader, Registry } from '../../commands/core/command.ts';
import { type ChannelId, newReference, type PersonId, type RequestId, requestId } from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { NotStored } from '../../lib/not-stored.ts';
import type { AddReasonResult, RequestService } from '../../requests/decide/request-service.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import { MORE } from '../../views/device/device-buttons.ts';
import {
  EMPTY_REASON_ERROR,
  REASON_BLOCK,
  REASON_FORM_CALLBACK,
  reasonAddedWindow,
  reasonFailedText,
  reasonForm,
} from '../../views/forms/decision-window.ts';
import { answerWindow } from '../../views/kit/answer-window.ts';
import { readButtonValue, readSortBlockId } from '../../views/kit/buttons.ts';
import { REQUEST_ANSWER_BLOCK } from '../../views/requests/request-answers.ts';
import type { ButtonValue } from '../../views/types.ts';
import { renderView } from '../../views/views.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import { decisionOutcome } from '../dispatch/decide.ts';
import type { CommandRequest, Dispatch } from '../dispatch/dispatch-port.ts';
import type { RefreshRequestNote } from '../dispatch/submit-request.ts';
import { createErrorReporter, MarkedFailure } from '../dispatch/unexpected-errors.ts';
import type { FormRequest, OpenForm } from '../forms/open-form.ts';
import { type ButtonPress, readPress, readSubmission } from '../receiver/payloads.ts';
import type {
  AcknowledgeForm,
  FormAckResponse,
  PrivateReplies,
  SendReply,
} from '../replies/private-replies.ts';
import { createExportList, createShareAnswer } from '../sharing/share-answer.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb, ViewPlacement } from '../web-api/slack-web.ts';
import {
  createDecisionWindows,
  type DecisionWindows,
  type DecisionWindowsOptions,
  isHalt,
  wantedIn,
} from './decision-windows.ts';
import type { PressQueue, StoredPress } from './press-queue.ts';

export type Acknowledge = () => Promise<void>;
export type ButtonActions = Pick<ReasonForm, 'submit'> & {
  readonly askReason: ReasonForm['open'];
  readonly openWindow: DecisionWindows['open'];
  /** Whether a press on this button changes something: its answer is sent even if nobody waits for it. */
  readonly asksForChange: (value: ButtonValue) => boolean;
  /** The form that the press opens; null where it opens none. */
  readonly formOf: (value: ButtonValue) => Omit<FormRequest, 'caller'> | null;
  readonly press: (payload: unknown, ack: Acknowledge, respond: RespondFn) => Promise<void>;
};

export type ButtonActionsOptions = ReasonFormOptions & {
  readonly requests: DecisionWindowsOptions['windows'];
  readonly pressed: DecisionWindowsOptions['pressed'];
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly inbox: PressQueue;
  readonly replies: PrivateReplies;
  readonly web: SlackWeb;
  readonly openForm: OpenForm;
  readonly readersOf: ChannelReadersOf;
  /** Whether a channel may show personal data; absent: none may. */
  readonly isPersonal?: (channel: ChannelId) => boolean;
  readonly wakeWorker: () => void;
};

/** The sort menu: the list's input is on the block. */
const SORT_ACTION = 'sort';

/** Answers that replace a list (page, order, choice, refresh), or the question about a pause. */
const REPLACING_ACTIONS: readonly string[] = ['page', 'pick', 'refresh', 'pause', SORT_ACTION, MORE];
/** In private messages and windows these also replace the message, because a withdrawal ends what it says. */
export const REPLACES_MESSAGE: ReadonlySet<string> = new Set([...REPLACING_ACTIONS, 'withdraw']);
/** In a direct message the pressed message may be a card, which must stay; its withdrawal is answered beside it. */
const REPLACES_DIRECT_MESSAGE: ReadonlySet<string> = new Set(REPLACING_ACTIONS);

type ReadableButton = {
  readonly press: ButtonPress;
  readonly value: ButtonValue;
  readonly reply: SendReply;
  /** The answer replaces the message of the button. */
  readonly replace: boolean;
};

export function createButtonActions(options: ButtonActionsOptions): ButtonActions {
  const { registry, replies, log } = options;
  const reasons = createReasonForm(options);
  const windows = createDecisionWindows({ ...options, windows: options.requests });
  const storePress = createPressStorage(options);
  const formOf = createFormOf(registry);
  const answer = createPressAnswers({ ...options, formOf }, reasons);

  /** Another page of a list of settings only reads. */
  const asksForChange = (value: ButtonValue): boolean => {
    if (value.do !== 'run') return value.do === 'decide' || value.do === 'control';
    return registry.find(value.command)?.kind === 'setting' && value.page === undefined;
  };

  return {
    asksForChange,
    formOf,
    async press(payload, ack, respond) {
      const press = readPress(payload);
      const reply = replies.viaResponseUrl(respond, press.caller);
      const value =
        press.action === SORT_ACTION
          ? readSortBlockId(press.block, press.value)
          : readButtonValue(press.value);
      if (value === null) {
        await ack();
        await reply(unreadableValueProblem(log, press));
        return;
      }
      const button = { press, value, reply, replace: replacesMessage(press) };
      const wanted = wantedIn(press.action, value);
      if (wanted !== null) {
        await ack();
        const { caller, card: on, triggerId } = press;
        const where = { kind: 'open', triggerId } as const;
        return windows.open({ ...wanted, caller, on }, (modal) => options.web.showView(where, modal), reply);
      }
      const stored = formOf(value) === null ? toStore(press, value, asksForChange) : null;
      if (stored !== null) return storePress(stored, button, ack);
      await ack();
      await answer(button);
    },
    openWindow: windows.open,
    submit: async (payload, ack) => {
      if (!(await windows.submit(payload, ack))) await reasons.submit(payload, ack);
    },
    askReason: reasons.open,
  };
}

/** Whoever has the bot token can put any button beside any words, so a press opens a window of ours that says what it changes. */
function createFormOf(registry: Registry): ButtonActions['formOf'] {
  return (value) => {
    if (value.do === 'form') return { command: value.command, prefill: value.input };
    if (value.do !== 'run') return null;
    const command = registry.find(value.command);
    if (command === null || command.kind === 'read') return null;
    if (command.kind === 'setting' && command.byOnePress?.(value.input) === true) return null;
    // What takes the name of what it removes is typed by the person, never said by a button.
    const takesName = z.object({ confirm: z.string() }).safeParse(value.input).success;
    return { command: command.name, prefill: value.input, ...(takesName ? {} : { pressed: true }) };
  };
}

/** Stores a press before it is acknowledged; any replica handles it. */
function createPressStorage({ inbox, wakeWorker, log }: ButtonActionsOptions) {
  const failure = createErrorReporter(log);
  return async (
    stored: StoredPress,
    { press, reply, replace }: ReadableButton,
    ack: Acknowledge,
  ): Promise<void> => {
    const unstored = await inbox.store(stored, press.triggerId, reply, { replace }).then(
      () => null,
      (error: unknown) => {
        // A database that did not answer may have stored the press anyway.
        const thrown = error instanceof NotStored ? error : new MarkedFailure('unknown', error);
        return failure({ what: press.action, person: press.caller.person, thrown });
      },
    );
    await ack();
    if (unstored !== null) return reply({ kind: 'problem', problem: unstored });
    wakeWorker();
  };
}

function createPressAnswers(
  options: ButtonActionsOptions & Pick<ButtonActions, 'formOf'>,
  reasons: Pick<ReasonForm, 'open'>,
) {
  const { dispatch, web, openForm, formOf, log } = options;
  const share = createShareAnswer(dispatch, web, options.readersOf, options.isPersonal);
  const exportList = createExportList({ dispatch, web, log });

  const showForm = async (
    form: Omit<FormRequest, 'caller'>,
    { press, reply, replace }: ReadableButton,
  ): Promise<void> => {
    const { triggerId, caller } = press;
    const fallbackView = await openForm({ kind: 'open', triggerId }, { ...form, caller });
    if (fallbackView !== null) return reply(fallbackView);
    if (press.action !== MORE || !replace) return;
    // The card again, with nothing selected in its menu: clients do not send an option that is already selected.
    const card = await dispatch.runCommand(commandOf(press, { command: 'device', input: form.prefill }));
    if (card.kind !== 'problem') await reply(card, { replace: true });
  };

  return async (button: ReadableButton): Promise<void> => {
    const { press, value, reply, replace } = button;
    if (press.action === 'add_reason') {
      if (value.do !== 'decide') return;
      const asked = { person: press.caller.person, approval: value.approval };
      return reasons.open({ kind: 'open', triggerId: press.triggerId }, asked, reply);
    }
    const form = formOf(value);
    if (form !== null) return showForm(form, button);
    const shown = value.do === 'run' ? value : { command: 'device', input: deviceCommandInput(value) };
    const command = commandOf(press, shown);
    if (press.action === 'share') {
      const view = await share(command);
      if (view !== null) await reply(view);
      else if (press.isInWindow) await reply({ kind: 'posted', channel: press.caller.channel });
      return;
    }
    if (press.action === 'export') return reply(await exportList(command));
    await reply(await dispatch.runCommand(command), { replace });
  };
}

function commandOf(
  { caller, triggerId }: ButtonPress,
  { command, input, page = 0 }: Pick<Extract<ButtonValue, { do: 'run' }>, 'command' | 'input' | 'page'>,
): CommandRequest {
  return { name: command, input, page, caller, requestKey: `press:${triggerId}` };
}

function replacesMessage({ action, block, isPrivateMessage, isDirectMessage }: ButtonPress): boolean {
  return (
    (isPrivateMessage && REPLACES_MESSAGE.has(action)) ||
    (isDirectMessage && (REPLACES_DIRECT_MESSAGE.has(action) || block === REQUEST_ANSWER_BLOCK))
  );
}

/** What must survive a crash: decisions and requests; null for presses that only read. */
function toStore(
  { action, caller, card }: ButtonPress,
  value: ButtonValue,
  asksForChange: ButtonActions['asksForChange'],
): StoredPress | null {
  const where = card === null ? { caller } : { caller, on: card };
  if (value.do === 'decide' && action === 'withdraw')
    return { kind: action, ...where, requestId: value.approval };
  if (value.do === 'control' && isHalt(value.control))
    return { kind: 'control', ...where, requestId: value.request, control: value.control };
  if (value.do === 'run' && asksForChange(value))
    return { kind: 'request', ...where, name: value.command, input: value.input };
  return null;
}

function deviceCommandInput(value: ButtonValue): unknown {
  if (value.do !== 'device') return {};
  const { device, page } = value;
  return page === undefined ? { device } : { device, page };
}

function unreadableValueProblem(log: Log, press: ButtonPress) {
  const reference = newReference();
  log.error(
    { event: 'press.unreadable', action: press.action, reference },
    'could not read the value of a button',
  );
  return { kind: 'problem', problem: { kind: 'unexpected', changed: 'nothing', reference } } as const;
}

type ReasonForm = Readonly<ReturnType<typeof createReasonForm>>;

type ReasonRequest = { readonly person: PersonId; readonly approval: RequestId };

export type ReasonFormOptions = {
  readonly requests: Pick<RequestService, 'addReason'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest'> };
  readonly web: Pick<SlackWeb, 'showView'>;
  /** Renders the note for the request as it is now. */
  readonly refreshNote: RefreshRequestNote;
  readonly log: Log;
};

/** Open forms whose notes are remembered for refreshing: more than people have open. */
const MAX_REMEMBERED = 1_000;

/** The reason that a requester adds: its form, the answer to its submission, and the refreshed note. */
export function createReasonForm({ requests, ports, web, refreshNote, log }: ReasonFormOptions) {
  /** How to reach each note whose form is open; another replica leaves the note as it was. */
  const notes = new Map<string, SendReply>();
  const replaceNote = async (person: PersonId, request: RequestRecord): Promise<void> => {
    const key = keyOf({ person, approval: request.id });
    const reply = notes.get(key);
    notes.delete(key);
    await reply?.(await refreshNote(request), { replace: true });
  };

  return {
    /**
     * Opens the form. `reply` refreshes the note that has its button once the reason was given; null: there is none. Not
     * keyed by the window's id: the form may be submitted before Slack answered with that id.
     */
    async open(where: ViewPlacement, request: ReasonRequest, reply: SendReply | null): Promise<void> {
      if (reply !== null) setNewest(notes, keyOf(request), reply, MAX_REMEMBERED);
      const opened = await web.showView(where, reasonForm(request.approval));
      if (opened.kind !== 'ok')
        log.warn({ event: 'form.unopened', reason: slackErrorText(opened) }, 'could not open a form');
    },
    async submit(payload: unknown, ack: AcknowledgeForm): Promise<void> {
      const { form, subject, inputs, person, depth } = readSubmission(payload);
      if (form !== REASON_FORM_CALLBACK) return ack();
      const reason = (inputs.get(REASON_BLOCK) ?? '').trim();
      if (reason === '') return ack(reasonFieldError(EMPTY_REASON_ERROR));
      let added: AddReasonResult;
      try {
        added = await requests.addReason({ requestId: requestId(subject), person, reason });
      } catch (error) {
        const reference = newReference();
        log.error({ event: 'reason.failed', person, reference, err: error }, 'could not add a reason');
        return ack(reasonFieldError(reasonFailedText(reference)));
      }
      const about = { records: ports.records, requestId: requestId(subject) };
      const request = added.kind === 'added' ? await about.records.shownRequest(added.request.id) : null;
      if (added.kind === 'added' && request !== null) {
        await ack({ kind: 'window', window: reasonAddedWindow(request, depth) });
        return replaceNote(person, request);
      }
      // A retry would not help, and a field error shows no markup.
      const outcome = await decisionOutcome(
        added.kind === 'added' ? { kind: 'absent' } : added,
        'withdraw',
        about,
      );
      const { blocks } = renderView({ kind: 'decided', outcome });
      await ack({ kind: 'window', window: answerWindow(blocks, { depth }) });
    },
  };
}

const keyOf = ({ person, approval }: ReasonRequest): string => `${person} ${approval}`;

function reasonFieldError(words: string): FormAckResponse {
  return { kind: 'errors', errors: { [REASON_BLOCK]: words } };
}
