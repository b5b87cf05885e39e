/** Buttons: reads the press, stores what must not be lost, acknowledges, and lets others act. */
import type { RespondFn } from '@slack/bolt';
import type { Registry } from '../commands/registry.ts';
import { type ChannelId, newReference } from '../ids.ts';
import type { Log } from '../log.ts';
import { NotStored } from '../not-stored.ts';
import { ASKED_BLOCK } from '../views/asked.ts';
import { MORE } from '../views/device/device-nav.ts';
import { readButtonValue, readSorted } from '../views/kit/button-value.ts';
import type { ButtonValue } from '../views/model.ts';
import type { Decision, Dispatch } from './dispatch.ts';
import type { ReachOf } from './external.ts';
import { createFailure } from './failure.ts';
import type { OpenForm } from './forms/forms-window.ts';
import type { Inbox, StoredPress } from './inbox.ts';
import { MaybeChanged } from './maybe-changed.ts';
import { type Press, readPress } from './payloads.ts';
import { createReasons, type Reasons, type ReasonsOptions } from './reasons.ts';
import type { Replies, Reply } from './replies.ts';
import { createExport } from './sharing/export.ts';
import { createShare } from './sharing/share.ts';
import type { Modal, SlackWeb } from './web.ts';

export type Ack = () => Promise<void>;
/** Words on fields, which leave the form open, or the window that takes its place; neither closes it. */
export type FormAnswer =
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'window'; readonly window: Modal };
export type FormAck = (answer?: FormAnswer) => Promise<void>;

export type Actions = Pick<Reasons, 'noteOf' | 'submit'> & {
  /** Whether a press on such a button asks for something to be done: its answer is told, also where nobody looks. */
  readonly asksForChange: (value: ButtonValue) => boolean;
  readonly press: (payload: unknown, ack: Ack, respond: RespondFn) => Promise<void>;
};

export type ActionsOptions = ReasonsOptions & {
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly inbox: Inbox;
  readonly replies: Replies;
  readonly web: SlackWeb;
  readonly openForm: OpenForm;
  /** Who reads a channel besides us. */
  readonly reachOf: ReachOf;
  /** Whether a channel is shown what is personal; absent: none is. */
  readonly isPersonal?: (channel: ChannelId) => boolean;
  /** Looks for due work now. */
  readonly kick: () => void;
};

/** A press on the menu of orders: its list stands on the block. */
const SORT = 'sort';

/** A page, an order, a choice or a newer state takes the place of a list, and the pause that of its question. */
const TURNS: readonly string[] = ['page', 'pick', 'refresh', 'remove', 'pause', SORT, MORE];
/** On a private message and in a window these end what it says: a withdrawal takes the place of the request, too. */
export const TAKES_PLACE: ReadonlySet<string> = new Set([...TURNS, 'withdraw']);
/** A card may stand in a direct message too, and has none of these; its withdrawal is told beside it. */
const TAKES_PLACE_IN_DIRECT: ReadonlySet<string> = new Set(TURNS);

const DECISIONS: readonly Decision[] = ['approve', 'deny', 'withdraw'];

export function createActions(options: ActionsOptions): Actions {
  const { registry, dispatch, inbox, replies, web, openForm, kick, log } = options;
  const reasons = createReasons(options);
  const share = createShare(dispatch, web, options.reachOf, options.isPersonal);
  const failure = createFailure(log);
  const exportList = createExport({ dispatch, web, log });

  /** Another page of a list of settings only reads. */
  const asksForChange = (value: ButtonValue): boolean => {
    if (value.do !== 'run') return value.do === 'decide' || value.do === 'again';
    const kind = registry.find(value.command)?.kind;
    return kind === 'write' || (kind === 'setting' && value.page === undefined);
  };

  /** What of this press must survive a crash: decisions and requests; null for what only reads. */
  const toStore = (press: Press, value: ButtonValue): StoredPress | null => {
    const decision = DECISIONS.find((name) => name === press.action);
    const { caller, on } = press;
    const where = on === null ? {} : { on };
    if (value.do === 'decide' && decision !== undefined) {
      return { kind: 'decide', caller, approval: value.approval, seal: value.seal, decision, ...where };
    }
    if (value.do === 'again') return { kind: 'again', caller, operation: value.operation, ...where };
    if (value.do === 'run' && asksForChange(value)) {
      return { kind: 'request', caller, command: value.command, input: value.input, ...where };
    }
    return null;
  };

  /** The card anew, with nothing chosen in its menu: clients do not send an option again that is chosen already. */
  const redrawn = async (input: unknown, { caller, triggerId }: Press, reply: Reply): Promise<void> => {
    const command = { name: 'device', input, page: 0, caller, requestKey: `press:${triggerId}` };
    const card = await dispatch.command(command);
    if (card.kind !== 'problem') await reply(card, { replace: true });
  };

  return {
    asksForChange,
    async press(payload, ack, respond) {
      const press = readPress(payload);
      const reply = replies.viaResponseUrl(respond, press.caller);
      const value =
        press.action === SORT ? readSorted(press.block, press.value) : readButtonValue(press.value);
      if (value === null) {
        await ack();
        await reply(unexpected(log, press));
        return;
      }
      const replace =
        (press.onPrivateMessage && TAKES_PLACE.has(press.action)) ||
        (press.inDirectMessage && (TAKES_PLACE_IN_DIRECT.has(press.action) || press.block === ASKED_BLOCK));
      const stored = toStore(press, value);
      if (stored !== null) {
        const unstored = await inbox.take(stored, press.triggerId, reply, { replace }).then(
          () => null,
          (thrown: unknown) =>
            failure({ what: press.action, person: press.caller.person, thrown: maybe(thrown) }),
        );
        await ack();
        if (unstored !== null) return reply({ kind: 'problem', problem: unstored });
        kick();
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
        const asked = { command: value.command, given: value.input, caller };
        const instead = await openForm({ kind: 'open', triggerId }, asked);
        if (instead !== null) await reply(instead);
        else if (press.action === MORE && replace) await redrawn(value.input, press, reply);
        return;
      }
      const order = value.do === 'run' ? value : { command: 'device', input: deviceInput(value), page: 0 };
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
        else if (press.inWindow) await reply({ kind: 'posted', channel: press.caller.channel });
        return;
      }
      if (press.action === 'export') return reply(await exportList(command));
      await reply(await dispatch.command(command), { replace });
    },
    submit: reasons.submit,
    noteOf: reasons.noteOf,
  };
}

/** A database that did not answer may have stored the press all the same. */
function maybe(thrown: unknown): unknown {
  return thrown instanceof NotStored ? thrown : new MaybeChanged(thrown);
}

function deviceInput(value: ButtonValue): unknown {
  if (value.do !== 'device') return {};
  const { device, page } = value;
  return page === undefined ? { device } : { device, page };
}

function unexpected(log: Log, press: Press) {
  const reference = newReference();
  log.error(
    { event: 'press.unreadable', action: press.action, reference },
    'could not read the value of a button',
  );
  return { kind: 'problem', problem: { kind: 'unexpected', changed: 'nothing', reference } } as const;
}
