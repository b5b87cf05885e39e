/** Buttons: reads the press, stores what must not be lost, acknowledges, and passes it on. */
import type { RespondFn } from '@slack/bolt';
import type { Registry } from '../../commands/core/registry.ts';
import { type ChannelId, newReference } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { NotStored } from '../../lib/not-stored.ts';
import { MORE } from '../../views/device/device-navigation.ts';
import { readButtonValue, readSortBlockId } from '../../views/kit/button-value.ts';
import type { ButtonValue } from '../../views/model.ts';
import { REQUEST_ANSWER_BLOCK } from '../../views/requests/request-answers.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import type { DecisionAction, Dispatch } from '../dispatch/dispatch-port.ts';
import { createErrorReporter, MaybeChanged } from '../dispatch/unexpected-errors.ts';
import type { OpenForm } from '../forms/open-form.ts';
import { type ButtonPress, readPress } from '../receiver/payloads.ts';
import type { PrivateReplies, SendReply } from '../replies/private-replies.ts';
import { createExportList } from '../sharing/export-list.ts';
import { createShareAnswer } from '../sharing/share-answer.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import type { PressQueue, StoredPress } from './press-queue.ts';
import { createReasonForm, type ReasonForm, type ReasonFormOptions } from './reason-form.ts';

export type Acknowledge = () => Promise<void>;
export type ButtonActions = Pick<ReasonForm, 'rememberNote' | 'submit'> & {
  /** Whether a press on this button requests a change: its answer is sent even if nobody waits for it. */
  readonly asksForChange: (value: ButtonValue) => boolean;
  readonly press: (payload: unknown, ack: Acknowledge, respond: RespondFn) => Promise<void>;
};

export type ButtonActionsOptions = ReasonFormOptions & {
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly inbox: PressQueue;
  readonly replies: PrivateReplies;
  readonly web: SlackWeb;
  readonly openForm: OpenForm;
  /** Which organizations read a channel. */
  readonly readersOf: ChannelReadersOf;
  /** Whether a channel may show personal data; absent: none may. */
  readonly isPersonal?: (channel: ChannelId) => boolean;
  /** Makes the worker look for due work now. */
  readonly wakeWorker: () => void;
};

/** The sort menu: the list's input is on the block. */
const SORT_ACTION = 'sort';

/** Answers that replace a list (page, order, choice, refresh), or the question about a pause. */
const REPLACING_ACTIONS: readonly string[] = [
  'page',
  'pick',
  'refresh',
  'remove',
  'pause',
  SORT_ACTION,
  MORE,
];
/** In private messages and windows these also replace the message, because a withdrawal ends what it says. */
export const REPLACES_MESSAGE: ReadonlySet<string> = new Set([...REPLACING_ACTIONS, 'withdraw']);
/** In a direct message the pressed message may be a card, which must stay; its withdrawal is answered beside it. */
const REPLACES_DIRECT_MESSAGE: ReadonlySet<string> = new Set(REPLACING_ACTIONS);

const DECISIONS: readonly DecisionAction[] = ['approve', 'deny', 'withdraw'];

export function createButtonActions(options: ButtonActionsOptions): ButtonActions {
  const { registry, dispatch, inbox, replies, web, openForm, wakeWorker, log } = options;
  const reasons = createReasonForm(options);
  const share = createShareAnswer(dispatch, web, options.readersOf, options.isPersonal);
  const failure = createErrorReporter(log);
  const exportList = createExportList({ dispatch, web, log });

  /** Another page of a list of settings only reads. */
  const asksForChange = (value: ButtonValue): boolean => {
    if (value.do !== 'run') return value.do === 'decide' || value.do === 'again';
    const kind = registry.find(value.command)?.kind;
    return kind === 'write' || (kind === 'setting' && value.page === undefined);
  };

  /** What must survive a crash: decisions and requests; null for presses that only read. */
  const toStore = (press: ButtonPress, value: ButtonValue): StoredPress | null => {
    const decision = DECISIONS.find((name) => name === press.action);
    const { caller, card } = press;
    const where = card === null ? {} : { on: card };
    if (value.do === 'decide' && decision !== undefined) {
      return { kind: 'decide', caller, approval: value.approval, seal: value.seal, decision, ...where };
    }
    if (value.do === 'again') return { kind: 'again', caller, operation: value.operation, ...where };
    if (value.do === 'run' && asksForChange(value)) {
      return { kind: 'request', caller, command: value.command, input: value.input, ...where };
    }
    return null;
  };

  /** The card again, with nothing selected in its menu: clients do not send an option that is already selected. */
  const redrawn = async (
    input: unknown,
    { caller, triggerId }: ButtonPress,
    reply: SendReply,
  ): Promise<void> => {
    const command = { name: 'device', input, page: 0, caller, requestKey: `press:${triggerId}` };
    const card = await dispatch.runCommand(command);
    if (card.kind !== 'problem') await reply(card, { replace: true });
  };

  return {
    asksForChange,
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
      const replace =
        (press.isPrivateMessage && REPLACES_MESSAGE.has(press.action)) ||
        (press.isDirectMessage &&
          (REPLACES_DIRECT_MESSAGE.has(press.action) || press.block === REQUEST_ANSWER_BLOCK));
      const stored = toStore(press, value);
      if (stored !== null) {
        const unstored = await inbox.store(stored, press.triggerId, reply, { replace }).then(
          () => null,
          (thrown: unknown) =>
            failure({ what: press.action, person: press.caller.person, thrown: withMaybeChanged(thrown) }),
        );
        await ack();
        if (unstored !== null) return reply({ kind: 'problem', problem: unstored });
        wakeWorker();
        return;
      }
      await ack();
      if (press.action === 'add_reason') {
        if (value.do !== 'decide') return;
        const asked = { person: press.caller.person, approval: value.approval };
        return reasons.open(press.triggerId, asked, reply);
      }
      if (value.do === 'form') {
        const { triggerId, caller } = press;
        const asked = { command: value.command, prefill: value.input, caller };
        const fallbackView = await openForm({ kind: 'open', triggerId }, asked);
        if (fallbackView !== null) await reply(fallbackView);
        else if (press.action === MORE && replace) await redrawn(value.input, press, reply);
        return;
      }
      const order =
        value.do === 'run' ? value : { command: 'device', input: deviceCommandInput(value), page: 0 };
      const command = {
        name: order.command,
        input: order.input,
        page: order.page ?? 0,
        caller: press.caller,
        requestKey: `press:${press.triggerId}`,
      };
      if (press.action === 'share') {
        const view = await share(command);
        if (view !== null) await reply(view);
        else if (press.isInWindow) await reply({ kind: 'posted', channel: press.caller.channel });
        return;
      }
      if (press.action === 'export') return reply(await exportList(command));
      await reply(await dispatch.runCommand(command), { replace });
    },
    submit: reasons.submit,
    rememberNote: reasons.rememberNote,
  };
}

/** A database that did not answer may have stored the press anyway. */
function withMaybeChanged(thrown: unknown): unknown {
  return thrown instanceof NotStored ? thrown : new MaybeChanged(thrown);
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
