/** Buttons: what decides or changes something goes to the inbox; the rest is acknowledged, and opens a window or is answered. */
import type { RespondFn } from '@slack/bolt';
import { z } from 'zod';
import type { RecordsReader, Registry } from '../../commands/core/command.ts';
import {
  type ChannelId,
  newReference,
  type PersonId,
  type RequestId,
  requestId,
  type WindowId,
} from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
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
import { type ButtonValue, renderView, type View } from '../../views/views.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import type { PressedCard } from '../cards/duplicate-messages.ts';
import { decisionOutcome } from '../dispatch/decide.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import type { RefreshRequestNote } from '../dispatch/submit-request.ts';
import type { FormPlacement, FormRequest, OpenForm } from '../forms/open-form.ts';
import { type ButtonPress, readPress, readSubmission } from '../receiver/payloads.ts';
import type {
  AcknowledgeForm,
  CommandSource,
  FormAckResponse,
  PrivateReplies,
  SendReply,
} from '../replies/private-replies.ts';
import { createExportList, createShareAnswer } from '../sharing/share-answer.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb, ViewPlacement } from '../web-api/slack-web.ts';
import { createDecisionWindows, type DecisionWindowsOptions, isHalt, wantedIn } from './decision-windows.ts';
import type { Inbox } from './inbox.ts';

export type Acknowledge = () => Promise<void>;

/** What was pressed, wherever it stands. */
export type Press = {
  /** The action id up to its first colon: what the button does. */
  readonly action: string;
  /** Null: it cannot be read. */
  readonly value: ButtonValue | null;
  /** The card whose button it was; null: of none. */
  readonly card: PressedCard | null;
  readonly triggerId: string;
};

/** Who pressed it, and how its answers reach them. */
export type PressPlace = {
  readonly caller: CommandSource;
  /** Where a window goes that the press opens. */
  readonly window: FormPlacement;
  /** On the Home or in a window, where nothing of the channel is visible. */
  readonly inWindow?: true;
  readonly turns?: WindowId | undefined;
  readonly replaces?: boolean;
  /** Says why no window of a decision opens. */
  readonly refuse: SendReply;
  /** Says what stands in the way of a form, or has its button. */
  readonly unopened: SendReply;
  /** Replaces the note that has the button for a reason; null: there is none. */
  readonly note: SendReply | null;
  /** Called once the press is acknowledged: how its answer is shown. `isNeeded`: even if nobody waits for it any more. */
  readonly begin: (isNeeded: boolean) => SendReply;
};

export type ButtonActions = {
  readonly press: (payload: unknown, ack: Acknowledge, respond: RespondFn) => Promise<void>;
  /** The same for a button that is on no message. `find` may wait for Slack. */
  readonly pressAt: (press: Press, find: () => Promise<PressPlace>, ack: Acknowledge) => Promise<void>;
  /** The submission of a window in which something is decided, or of a reason. */
  readonly submit: (payload: unknown, ack: AcknowledgeForm) => Promise<void>;
};

export type ButtonActionsOptions = ReasonFormOptions & {
  readonly requests: DecisionWindowsOptions['windows'];
  readonly pressed: DecisionWindowsOptions['pressed'];
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly inbox: Pick<Inbox, 'take'>;
  readonly replies: Pick<PrivateReplies, 'viaResponseUrl'>;
  readonly web: SlackWeb;
  readonly openForm: OpenForm;
  readonly readersOf: ChannelReadersOf;
  /** Whether a channel may show personal data; absent: none may. */
  readonly isPersonal?: (channel: ChannelId) => boolean;
};

/** The sort menu: the list's input is on the block. */
const SORT_ACTION = 'sort';

/** Answers that replace a list (page, order, choice, refresh), or the question about a pause. */
const REPLACING_ACTIONS: readonly string[] = ['page', 'pick', 'refresh', 'pause', SORT_ACTION, MORE];
/** In private messages and windows these also replace the message, because a withdrawal ends what it says. */
export const REPLACES_MESSAGE: ReadonlySet<string> = new Set([...REPLACING_ACTIONS, 'withdraw']);
/** In a direct message the pressed message may be a card, which must stay; its withdrawal is answered beside it. */
const REPLACES_DIRECT_MESSAGE: ReadonlySet<string> = new Set(REPLACING_ACTIONS);

export function createButtonActions(options: ButtonActionsOptions): ButtonActions {
  const { registry, replies, inbox, web, log } = options;
  const reasons = createReasonForm(options);
  const windows = createDecisionWindows({ ...options, windows: options.requests });
  const answer = createPressAnswers(options);
  const showForm = createShowForm(options);

  const pressAt: ButtonActions['pressAt'] = async (press, find, ack) => {
    const { action, value, card, triggerId } = press;
    const wanted = wantedIn(action, value);
    const form = formIn(registry, value);
    const change = wanted === null && form === null ? changeIn(registry, press) : null;
    if (change !== null) {
      const { caller, replaces: replace = false, begin } = await find();
      await inbox.take({
        key: `press:${triggerId}`,
        interaction: { ...change, caller, ...(card === null ? {} : { on: card }) },
        accept: async () => {
          await ack();
          const reply = begin(true);
          return (view) => reply(view, { replace });
        },
        refuse: async (problem) => {
          await ack();
          await begin(true)({ kind: 'problem', problem });
        },
      });
      return;
    }
    await ack();
    const place = await find();
    const { caller, window: where, turns, refuse } = place;
    if (wanted !== null) {
      const request = { ...wanted, caller, on: card, turns };
      return windows.open(request, (modal) => web.showView(where, modal), refuse);
    }
    if (form !== null) return showForm(form, press, place);
    if (action === 'add_reason' && value?.do === 'decide') {
      const asked = { person: caller.person, approval: value.approval };
      return reasons.open(where, asked, place.note);
    }
    if (value === null) return place.begin(false)(unreadableValueProblem(log, action));
    if (action !== 'add_reason') await answer({ ...press, value }, place);
  };

  return {
    pressAt,
    press: (payload, ack, respond) => {
      const press = readPress(payload);
      const { caller, triggerId } = press;
      const reply = replies.viaResponseUrl(respond, caller);
      const place: PressPlace = {
        ...{ caller, refuse: reply, unopened: reply, note: reply, begin: () => reply },
        window: { kind: 'open', triggerId },
        replaces: replacesMessage(press),
      };
      return pressAt({ ...press, value: readPressedValue(press) }, async () => place, ack);
    },
    submit: async (payload, ack) => {
      if (!(await windows.submit(payload, ack))) await reasons.submit(payload, ack);
    },
  };
}

export function readPressedValue({
  action,
  block,
  value,
}: Pick<ButtonPress, 'action' | 'block' | 'value'>): ButtonValue | null {
  return action === SORT_ACTION ? readSortBlockId(block, value) : readButtonValue(value);
}

/** Whoever has the bot token can put any button beside any words, so our window says what it changes. Null: none. */
function formIn(registry: Registry, value: ButtonValue | null): Omit<FormRequest, 'caller'> | null {
  if (value?.do === 'form') return { command: value.command, prefill: value.input };
  if (value?.do !== 'run') return null;
  const command = registry.find(value.command);
  if (command === null || command.kind === 'read') return null;
  if (command.kind === 'setting' && command.byOnePress?.(value.input) === true) return null;
  // What takes the name of what it removes is typed by the person, never said by a button.
  const takesName = z.object({ confirm: z.string() }).safeParse(value.input).success;
  return { command: command.name, prefill: value.input, ...(takesName ? {} : { pressed: true }) };
}

/** What goes to the inbox: what a press decides or changes; null where it only reads. */
function changeIn(registry: Registry, { action, value }: Press) {
  if (value?.do === 'decide' && action === 'withdraw')
    return { kind: action, requestId: value.approval } as const;
  if (value?.do === 'control' && isHalt(value.control))
    return { kind: 'control', requestId: value.request, control: value.control } as const;
  // Another page of a list of settings only reads.
  if (value?.do !== 'run' || value.page !== undefined) return null;
  return registry.find(value.command)?.kind === 'setting'
    ? ({ kind: 'command', name: value.command, input: value.input } as const)
    : null;
}

function createShowForm({ dispatch, openForm }: ButtonActionsOptions) {
  return async (
    form: Omit<FormRequest, 'caller'>,
    { action, triggerId }: Press,
    { caller, window, inWindow, replaces = false, unopened, begin }: PressPlace,
  ): Promise<void> => {
    const fallbackView = await openForm(window, { ...form, caller, ...(inWindow && { inWindow }) });
    if (fallbackView !== null) return unopened(fallbackView);
    if (action !== MORE || !replaces) return;
    // The card again, with nothing selected in its menu: clients do not send an option that is already selected.
    const card = await dispatch.runCommand({
      ...{ name: 'device', input: form.prefill, page: 0, caller },
      requestKey: `press:${triggerId}`,
    });
    if (card.kind !== 'problem') await begin(false)(card, { replace: true });
  };
}

function createPressAnswers({ dispatch, web, log, readersOf, isPersonal }: ButtonActionsOptions) {
  const share = createShareAnswer(dispatch, web, readersOf, isPersonal);
  const exportList = createExportList({ dispatch, web, log });

  return async (
    { action, value, triggerId }: Press & { readonly value: ButtonValue },
    { caller, inWindow, replaces: replace = false, begin }: PressPlace,
  ): Promise<void> => {
    const reply = begin(false);
    const {
      command,
      input,
      page = 0,
    } = value.do === 'run' ? value : { command: 'device', input: deviceCommandInput(value) };
    const request = { name: command, input, page, caller, requestKey: `press:${triggerId}` };
    if (action === 'share') {
      const view = await share(request);
      if (view !== null) await reply(view);
      else if (inWindow) await reply({ kind: 'posted', channel: caller.channel });
      return;
    }
    if (action === 'export') return reply(await exportList(request));
    await reply(await dispatch.runCommand(request), { replace });
  };
}

function replacesMessage({ action, block, isPrivateMessage, isDirectMessage }: ButtonPress): boolean {
  return (
    (isPrivateMessage && REPLACES_MESSAGE.has(action)) ||
    (isDirectMessage && (REPLACES_DIRECT_MESSAGE.has(action) || block === REQUEST_ANSWER_BLOCK))
  );
}

function deviceCommandInput(value: ButtonValue): unknown {
  if (value.do !== 'device') return {};
  const { device, page } = value;
  return page === undefined ? { device } : { device, page };
}

function unreadableValueProblem(log: Log, action: string): View {
  const reference = newReference();
  log.error({ event: 'press.unreadable', action, reference }, 'could not read the value of a button');
  return { kind: 'problem', problem: { kind: 'unexpected', changed: 'nothing', reference } };
}

type ReasonRequest = { readonly person: PersonId; readonly approval: RequestId };

export type ReasonFormOptions = {
  readonly requests: Pick<RequestService, 'addReason'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest'> };
  readonly web: Pick<SlackWeb, 'showView'>;
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
