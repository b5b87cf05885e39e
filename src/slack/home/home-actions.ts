/**
 * Buttons on the Home and in the windows that it opens. Neither has a response URL, so the answer goes to a window,
 * opened at once because a trigger expires after three seconds. `button-actions.ts` handles the button as on a private
 * message.
 */
import { RespondError, type RespondFn } from '@slack/bolt';
import { z } from 'zod';
import {
  type ChannelId,
  type MessageTs,
  type PersonId,
  personId,
  type RequestId,
  windowId,
} from '../../lib/ids.ts';
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
import { readButtonValue } from '../../views/kit/buttons.ts';
import { hasRichBlocks } from '../../views/kit/charts.ts';
import type { Block, RenderedMessage } from '../../views/types.ts';
import { renderView } from '../../views/views.ts';
import type { FormPlacement, FormRequest, OpenForm } from '../forms/open-form.ts';
import { type Acknowledge, type ButtonActions, REPLACES_MESSAGE } from '../interactions/button-actions.ts';
import { wantedIn } from '../interactions/decision-windows.ts';
import {
  type CommandSource,
  isWindowClosed,
  type SendReply,
  showAnswer,
} from '../replies/private-replies.ts';
import { type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { ShownView, SlackWeb } from '../web-api/slack-web.ts';

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
      z.looseObject({
        action_id: z.string(),
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
  readonly actions: Pick<ButtonActions, 'press' | 'asksForChange' | 'formOf' | 'askReason' | 'openWindow'>;
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly openForm: OpenForm;
  /** Where cards go that a person requests from the Home, and answers that no window could show. */
  readonly directTo: (person: PersonId) => Promise<ChannelId>;
  readonly onRefresh: (person: PersonId) => Promise<void>;
  /** Sends what no window could show. */
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

export function createHomeActions(options: HomeActionsOptions) {
  const { actions, web, openForm, directTo, onRefresh, reply } = options;
  const windows = createPressWindows(options);

  /** Refreshes the note in the window below the form once a reason was given, because its button is used up. */
  const askReason = async (pressed: HomeActionPayload, approval: RequestId): Promise<void> => {
    const { view, user } = pressed;
    const where = formPlacementOf(pressed);
    const replaceNote: SendReply = async (note) => {
      await showAnswer(web, view.id, renderView(note), readAnswerWindowState(view.private_metadata));
    };
    const about = { person: user.id, approval };
    await actions.askReason(where, about, where.kind === 'push' ? replaceNote : null);
  };

  const channelOf = async ({ channel }: AnswerWindowState, person: PersonId): Promise<ChannelId> =>
    channel ?? (await directTo(person));

  const showForm = async (pressed: HomeActionPayload, form: Omit<FormRequest, 'caller'>): Promise<void> => {
    const { view, user } = pressed;
    const state = readAnswerWindowState(view.private_metadata);
    const caller = { person: user.id, channel: await channelOf(state, user.id), thread: state.thread };
    const instead = await openForm(formPlacementOf(pressed), { ...form, caller, inWindow: true });
    if (instead === null) return;
    if (view.callback_id === HOME_CALLBACK) return reply(caller)(instead);
    return windows.answer({ state, shown: { kind: 'ok', value: view } }, renderView(instead), false);
  };

  return {
    /** Whether a press came from the Home or one of its windows. */
    isHomeAction: (payload: unknown): boolean => homePayloadSchema.safeParse(payload).success,
    async onAction(payload: unknown, ack: Acknowledge): Promise<void> {
      const pressed = pressSchema.parse(payload);
      const { user, view } = pressed;
      const [{ action_id, value, selected_option }] = pressed.actions;
      const action = action_id.split(':', 1)[0] ?? action_id;
      if (action === REFRESH_ACTION) {
        await ack();
        return onRefresh(user.id);
      }
      const about = readButtonValue(selected_option?.value ?? value);
      if (action === 'add_reason') {
        await ack();
        return about?.do === 'decide' ? askReason(pressed, about.approval) : undefined;
      }
      const form = about && actions.formOf(about);
      if (form !== null) {
        await ack();
        return showForm(pressed, form);
      }
      const state = readAnswerWindowState(view.private_metadata);
      const wanted = wantedIn(action, about);
      if (wanted !== null) {
        await ack();
        const caller = { person: user.id, channel: await channelOf(state, user.id), thread: state.thread };
        const where = formPlacementOf(pressed);
        const place = { ...state, depth: where.depth ?? 1 };
        /** In a window like the form; whoever could get neither is answered in a message. */
        const answer: SendReply = async (shown) => {
          const opened = await web.showView(where, answerWindow(renderView(shown).blocks, place));
          if (opened.kind !== 'ok') await reply(caller)(shown);
        };
        const show = (modal: Modal) => web.showView(where, modal);
        const turns = isDecisionWindow(view) ? windowId(view.private_metadata) : undefined;
        return actions.openWindow({ ...wanted, caller, on: null, turns }, show, answer);
      }
      const isNeeded = about !== null && actions.asksForChange(about);
      const { ackAndShow, respond } = windows.forPress(pressed, action, { ack, isNeeded });
      const channel = await channelOf(state, user.id);
      await actions.press(asMessagePayload(pressed, channel, state.thread), ackAndShow, respond);
    },
  };
}

type AnswerWindowRef = {
  readonly state: AnswerWindowState;
  readonly shown: SlackResult<Pick<ShownView, 'id'>>;
};

function createPressWindows({ web, log }: Pick<HomeActionsOptions, 'web' | 'log'>) {
  const show = async (pressed: HomeActionPayload, action: string): Promise<AnswerWindowRef> => {
    const { view } = pressed;
    const state = readAnswerWindowState(view.private_metadata);
    const where = formPlacementOf(pressed);
    const isReplaced = view.callback_id !== HOME_CALLBACK && REPLACES_MESSAGE.has(action);
    if (isReplaced || where.kind === 'replace') return { state, shown: { kind: 'ok', value: view } };
    const { depth = 1 } = where;
    return { state: { ...state, depth }, shown: await web.showView(where, loadingWindow(depth)) };
  };

  /** Throws where the answer cannot be shown, like a lost response URL. `isNeeded`: also where the window was closed. */
  const answer = async (
    { state, shown }: AnswerWindowRef,
    message: RenderedMessage,
    isNeeded: boolean,
  ): Promise<void> => {
    if (shown.kind !== 'ok') throw new Error(`could not open a window: ${slackErrorText(shown)}`);
    const updated = await showAnswer(web, shown.value.id, message, state);
    if (updated.kind === 'ok' || (isWindowClosed(updated) && !isNeeded)) return;
    log.warn({ event: 'home.unanswered', reason: slackErrorText(updated) }, 'could not show an answer');
    throw new Error(slackErrorText(updated));
  };

  /** Opens the window once the press is acknowledged, and answers there as on a response URL. */
  const forPress = (
    pressed: HomeActionPayload,
    action: string,
    { ack, isNeeded }: { readonly ack: Acknowledge; readonly isNeeded: boolean },
  ) => {
    let window: Promise<AnswerWindowRef> | null = null;
    const ackAndShow = async (): Promise<void> => {
      await ack();
      window = show(pressed, action);
    };
    const respond: RespondFn = async (message) => {
      if (window === null || typeof message === 'string') throw new Error('no window for the answer');
      const blocks = 'blocks' in message ? blocksOf(message.blocks) : [];
      // The same error as Slack's own, so that the answer is sent again without these blocks.
      if (hasRichBlocks(blocks)) throw new RespondError('a window has no place for such blocks', 400);
      await answer(await window, { text: message.text ?? '', blocks }, isNeeded);
      return new Response('ok');
    };
    return { ackAndShow, respond };
  };
  return { answer, forPress };
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

/** The same press, shaped like one on a private message. */
function asMessagePayload(
  { user, trigger_id, actions }: HomeActionPayload,
  channel: ChannelId,
  thread: MessageTs | undefined,
) {
  const inThread = thread === undefined ? {} : { thread_ts: thread };
  const container = { type: 'view', message_ts: '0', is_ephemeral: true, ...inThread };
  return { user, channel: { id: channel }, container, trigger_id, actions };
}

/** Blocks as `private-replies.ts` passes them: made by our own builders. */
function blocksOf(rawBlocks: unknown): readonly Block[] {
  return Array.isArray(rawBlocks) ? rawBlocks : [];
}
