/**
 * Buttons on the Home and in the windows that it opens. Neither has a response URL, so the answer goes to a window, opened
 * at once because a trigger expires after three seconds; what a button does is decided by `button-actions.ts`.
 */
import { z } from 'zod';
import { type ChannelId, type PersonId, personId, windowId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { DECISION_WINDOW_CALLBACK } from '../../views/forms/decision-window.ts';
import { HOME_CALLBACK, REFRESH_ACTION } from '../../views/home/home-tab.ts';
import {
  ANSWER_WINDOW_CALLBACK,
  type AnswerWindowState,
  answerWindow,
  loadingWindow,
  type Modal,
  readAnswerWindowState,
} from '../../views/kit/answer-window.ts';
import { renderView } from '../../views/views.ts';
import type { FormPlacement } from '../forms/open-form.ts';
import {
  type Acknowledge,
  type ButtonActions,
  type PressPlace,
  REPLACES_MESSAGE,
  readPressedValue,
} from '../interactions/button-actions.ts';
import {
  type CommandSource,
  isWindowClosed,
  type SendReply,
  showAnswer,
} from '../replies/private-replies.ts';
import { type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

const pressSchema = z.object({
  user: z.object({ id: z.string().transform(personId) }),
  view: z.object({
    id: z.string(),
    callback_id: z.enum([HOME_CALLBACK, ANSWER_WINDOW_CALLBACK, DECISION_WINDOW_CALLBACK]),
    private_metadata: z.string().default(''),
  }),
  trigger_id: z.string(),
  actions: z
    .tuple([
      z.object({
        action_id: z.string(),
        block_id: z.string().default(''),
        value: z.string().default(''),
        selected_option: z.object({ value: z.string() }).nullish(),
      }),
    ])
    .rest(z.unknown()),
});
type HomeActionPayload = z.output<typeof pressSchema>;
const homePayloadSchema = pressSchema.pick({ view: true });

/** Slack stacks at most three windows (docs.slack.dev/surfaces/modals). */
const MAX_WINDOWS = 3;
export type HomeActions = Readonly<ReturnType<typeof createHomeActions>>;

export type HomeActionsOptions = {
  readonly actions: Pick<ButtonActions, 'pressAt'>;
  readonly web: Pick<SlackWeb, 'showView'>;
  /** Where cards go that a person requests from the Home, and answers that no window could show. */
  readonly directTo: (person: PersonId) => Promise<ChannelId>;
  readonly onRefresh: (person: PersonId) => Promise<void>;
  /** Sends what no window could show. */
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

export function createHomeActions(options: HomeActionsOptions) {
  const { actions, directTo, onRefresh } = options;
  const placeOf = createPressPlaces(options);

  return {
    isHomeAction: (payload: unknown): boolean => homePayloadSchema.safeParse(payload).success,
    async onAction(payload: unknown, ack: Acknowledge): Promise<void> {
      const pressed = pressSchema.parse(payload);
      const { user, view, trigger_id: triggerId } = pressed;
      const [{ action_id, block_id: block, value: own, selected_option }] = pressed.actions;
      const action = action_id.split(':', 1)[0] ?? action_id;
      if (action === REFRESH_ACTION) {
        await ack();
        return onRefresh(user.id);
      }
      const value = readPressedValue({ action, block, value: selected_option?.value ?? own });
      const find = async (): Promise<PressPlace> => {
        const { channel, thread } = readAnswerWindowState(view.private_metadata);
        const caller = { person: user.id, channel: channel ?? (await directTo(user.id)), thread };
        return placeOf(pressed, caller, REPLACES_MESSAGE.has(action));
      };
      await actions.pressAt({ action, value, card: null, triggerId }, find, ack);
    },
  };
}

/** A window that shows an answer, or why Slack opened none. */
type AnswerPlace = {
  readonly state: AnswerWindowState;
  readonly shown: SlackResult<{ readonly id: string }>;
};

function createPressPlaces({ web, reply, log }: Omit<HomeActionsOptions, 'actions'>) {
  /** `isNeeded`: the answer is a message, too, where its window was closed. */
  const answerIn =
    (place: AnswerPlace | Promise<AnswerPlace>, caller: CommandSource, isNeeded: boolean): SendReply =>
    async (view) => {
      const { state, shown } = await place;
      const updated =
        shown.kind === 'ok' ? await showAnswer(web, shown.value.id, renderView(view), state) : shown;
      if (updated.kind === 'ok' || (isWindowClosed(updated) && !isNeeded)) return;
      log.warn({ event: 'home.unanswered', reason: slackErrorText(updated) }, 'could not show an answer');
      await reply(caller)(view);
    };

  return (pressed: HomeActionPayload, caller: CommandSource, replaces: boolean): PressPlace => {
    const { view } = pressed;
    const state = readAnswerWindowState(view.private_metadata);
    const window = formPlacementOf(pressed);
    const { depth = 1 } = window;
    const isHome = view.callback_id === HOME_CALLBACK;
    const own: AnswerPlace = { state, shown: { kind: 'ok', value: view } };
    const inOwn = answerIn(own, caller, false);
    /** Opened at once: a trigger expires after three seconds. */
    const open = async (modal: Modal): Promise<AnswerPlace> => ({
      state: { ...state, depth },
      shown: await web.showView(window, modal),
    });
    return {
      ...{ caller, window, inWindow: true },
      turns: isDecisionWindow(view) ? windowId(view.private_metadata) : undefined,
      note: window.kind === 'push' ? inOwn : null,
      unopened: isHome ? reply(caller) : inOwn,
      async refuse(answer) {
        const { shown } = await open(answerWindow(renderView(answer).blocks, { ...state, depth }));
        if (shown.kind !== 'ok') await reply(caller)(answer);
      },
      begin(isNeeded) {
        const isReplaced = (replaces && !isHome) || window.kind === 'replace';
        return answerIn(isReplaced ? own : open(loadingWindow(depth)), caller, isNeeded);
      },
    };
  };
}

/** A form goes on top of its window, as long as Slack accepts one more. */
function formPlacementOf({ view, trigger_id: triggerId }: HomeActionPayload): FormPlacement {
  if (view.callback_id === HOME_CALLBACK) return { kind: 'open', triggerId };
  const { depth } = readAnswerWindowState(view.private_metadata);
  return depth < MAX_WINDOWS && !isDecisionWindow(view)
    ? { kind: 'push', triggerId, depth: depth + 1 }
    : { kind: 'replace', viewId: view.id, depth };
}

/** Its buttons turn its pages. */
function isDecisionWindow({ callback_id }: HomeActionPayload['view']): boolean {
  return callback_id === DECISION_WINDOW_CALLBACK;
}
