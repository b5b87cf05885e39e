/**
 * Approve, Deny, Resume and Continue: a press anywhere opens a window, and only its submission decides. The window is stored
 * once Slack shows it, and its submission before it is acknowledged, because Slack never sends it again.
 */
import { channelId, newReference, type PersonId, type WindowId, windowId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { RequestService } from '../../requests/decide/request-service.ts';
import type { DecisionWindow } from '../../store/port/decision-windows.ts';
import {
  COMMENT_BLOCK,
  COUNT_BLOCK,
  commentIn,
  countError,
  DECISION_WINDOW_CALLBACK,
  decisionWindow,
  MARKED_BLOCK,
  readMarks,
  SUGGESTIONS_BLOCK,
  severalWindow,
  typedCount,
} from '../../views/forms/decision-window.ts';
import { answerWindow, type Modal } from '../../views/kit/answer-window.ts';
import type { DecisionWindowFacts, SeveralWindowFacts } from '../../views/models/request-model.ts';
import { type ButtonValue, type ControlKind, type DecisionOutcome, renderView } from '../../views/views.ts';
import type { PressedCard, PressedCards } from '../cards/duplicate-messages.ts';
import type { Dispatch, HaltAction, SeveralRequest, WindowRequest } from '../dispatch/dispatch-port.ts';
import { readSubmission } from '../receiver/payloads.ts';
import type { AcknowledgeForm, CommandSource, SendReply } from '../replies/private-replies.ts';
import { type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { ShownView } from '../web-api/slack-web.ts';
import type { Inbox } from './inbox.ts';

/** A press that takes a window, and the card on which it was pressed; null where it was no card. */
export type WindowPress = (WindowRequest | SeveralRequest) & {
  readonly on: PressedCard | null;
  /** The window whose page it turns, which it replaces. */
  readonly turns?: WindowId | undefined;
};

export type DecisionWindows = Readonly<ReturnType<typeof createDecisionWindows>>;

export type DecisionWindowsOptions = {
  readonly dispatch: Pick<Dispatch, 'openWindow'>;
  readonly windows: Pick<RequestService, 'recordWindow' | 'window'>;
  readonly pressed: PressedCards;
  readonly inbox: Pick<Inbox, 'take'>;
  readonly log: Log;
};

/** What a button would decide; null where a press on it takes no window. */
export function wantedIn(
  action: string,
  value: ButtonValue | null,
): Omit<WindowRequest, 'caller'> | Omit<SeveralRequest, 'caller'> | null {
  if (value?.do === 'several') return { wanted: { kind: 'several', page: value.page } };
  if (value?.do === 'decide' && (action === 'approve' || action === 'deny'))
    return { requestId: value.approval, wanted: { kind: action, seal: value.seal } };
  if (value?.do !== 'control') return null;
  const { request: requestId, control, hold } = value;
  return isHalt(control) ? null : { requestId, wanted: { kind: control, hold } };
}

/** What only stops decides by one press. */
export function isHalt(control: ControlKind): control is HaltAction {
  return control === 'pause' || control === 'stop' || control === 'close';
}

export function createDecisionWindows(options: DecisionWindowsOptions) {
  const { dispatch, windows, pressed, inbox, log } = options;
  return {
    /** `show` shows the window; where none opens, `reply` says why. */
    async open(
      { on, turns, ...request }: WindowPress,
      show: (window: Modal) => Promise<SlackResult<ShownView>>,
      reply: SendReply,
    ): Promise<void> {
      const instead = on === null ? null : await pressed.answerForCopy(on);
      if (instead !== null) return reply(instead);
      const answer = await dispatch.openWindow(request);
      const window = answer.kind === 'decided' && isWindow(answer.outcome) ? answer.outcome : null;
      if (window === null) return reply(answer);
      const shown = await show(window.kind === 'window' ? decisionWindow(window) : severalWindow(window));
      const { id, decides, devices, endsAt } = window;
      const { person: personId } = request.caller;
      const before = turns === undefined ? null : await windows.window(turns);
      const { channel, thread = null } =
        before?.personId === personId ? callerOf(before, personId) : request.caller;
      const row = { id, decides, devices, endsAt, personId, channel, thread, usedBy: null };
      const reason =
        shown.kind === 'ok'
          ? await windows.recordWindow({ ...row, view: shown.value }).then(() => null, String)
          : slackErrorText(shown);
      if (reason === null) return;
      log.warn({ event: 'form.unopened', reason }, 'could not open a window');
      await reply({ kind: 'decided', outcome: { kind: 'window-unopened' } });
    },
    /** False: the submission is of another form. */
    async submit(payload: unknown, ack: AcknowledgeForm): Promise<boolean> {
      const { form, subject, inputs, chosen, person, viewId, hash, depth } = readSubmission(payload);
      if (form !== DECISION_WINDOW_CALLBACK) return false;
      const [id, view, typed] = [windowId(subject), { id: viewId, hash }, inputs.get(COUNT_BLOCK) ?? ''];
      // Where it cannot be read, nothing is asked of the fields: the row is judged when the submission is handled.
      const opened = await windows.window(id).catch(() => null);
      const isOwn = opened?.personId === person && opened.view.id === viewId && opened.view.hash === hash;
      const asked = isOwn ? opened : null;
      const { marks, error } = readMarks(chosen);
      const miscounted = asked === null || asked.devices === null ? null : countError(typed, asked.devices);
      const [block, missing] =
        asked?.decides.kind === 'several' ? [MARKED_BLOCK, error] : [COUNT_BLOCK, miscounted];
      if (missing !== null) {
        await ack({ kind: 'errors', errors: { [block]: missing } });
        return true;
      }
      const caller = callerOf(asked, person);
      // Typed before the row may be there, so that it is judged with it.
      const devices = typedCount(typed) ?? undefined;
      const comment = commentIn(inputs.get(COMMENT_BLOCK), chosen.get(SUGGESTIONS_BLOCK)) ?? undefined;
      await inbox.take({
        // Each delivery is a submission of its own: of two, the window takes the first.
        key: `window:${newReference()}`,
        interaction: { kind: 'window', caller, id, view, devices, comment, marks },
        accept: async () => {
          // Closes the window: the card shows what follows.
          await ack();
          return null;
        },
        refuse: (problem) => {
          const { blocks } = renderView({ kind: 'problem', problem });
          return ack({ kind: 'window', window: answerWindow(blocks, { depth }) });
        },
      });
      return true;
    },
  };
}

function isWindow(outcome: DecisionOutcome): outcome is DecisionWindowFacts | SeveralWindowFacts {
  return outcome.kind === 'window' || outcome.kind === 'several-window';
}

/** Where the button was pressed; whoever submits what is not theirs is answered in a direct message. */
function callerOf(window: DecisionWindow | null, person: PersonId): CommandSource {
  if (window === null) return { person, channel: channelId(person) };
  const { channel, thread } = window;
  return { person, channel, thread: thread ?? undefined };
}
