/**
 * Presses on the Home and in the windows that it opens. Neither has a response URL: the answer stands in a window,
 * opened at once because a trigger lives three seconds. What a press means is the business of `actions.ts`, which
 * takes it like one on a private message.
 */
import { RespondError, type RespondFn } from '@slack/bolt';
import { z } from 'zod';
import { type ApprovalId, type ChannelId, type MessageTs, type PersonId, personId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { reasonForm } from '../../views/forms/reason-window.ts';
import { HOME_CALLBACK, REFRESH_ACTION } from '../../views/home/home-tab.ts';
import {
  ANSWER_WINDOW_CALLBACK,
  type AnswerWindowState,
  loadingWindow,
  readAnswerWindowState,
} from '../../views/kit/answer-window.ts';
import { readButtonValue } from '../../views/kit/button-value.ts';
import { hasRichBlocks } from '../../views/kit/charts.ts';
import type { Block, RenderedMessage } from '../../views/model.ts';
import { renderView } from '../../views/render.ts';
import type { FormPlacement, OpenForm } from '../forms/open-form.ts';
import { type Acknowledge, type ButtonActions, REPLACES_MESSAGE } from '../interactions/button-actions.ts';
import { isWindowClosed, showAnswer } from '../replies/answer-windows.ts';
import type { CommandSource, SendReply } from '../replies/private-replies.ts';
import { type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { Modal, SlackWeb } from '../web-api/slack-web.ts';

const pressSchema = z.object({
  user: z.object({ id: z.string().transform(personId) }),
  view: z.object({
    id: z.string(),
    callback_id: z.enum([HOME_CALLBACK, ANSWER_WINDOW_CALLBACK]),
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

/** Slack lays at most three windows over each other (docs.slack.dev/surfaces/modals). */
const MAX_WINDOWS = 3;
export type HomeActions = {
  /** Whether a press is one of these. */
  readonly isHomeAction: (payload: unknown) => boolean;
  readonly onAction: (payload: unknown, ack: Acknowledge) => Promise<void>;
};

export type HomeActionsOptions = {
  readonly actions: Pick<ButtonActions, 'press' | 'asksForChange' | 'rememberNote'>;
  readonly web: Pick<SlackWeb, 'openView' | 'pushView' | 'updateView'>;
  readonly openForm: OpenForm;
  /** Where cards go that a person asks for from here, and answers that no window took. */
  readonly directTo: (person: PersonId) => Promise<ChannelId>;
  readonly onRefresh: (person: PersonId) => Promise<void>;
  /** Says what no window was opened for. */
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

export function createHomeActions(options: HomeActionsOptions): HomeActions {
  const { actions, web, openForm, directTo, onRefresh, reply, log } = options;
  const show = async ({ view, trigger_id }: HomeActionPayload, action: string): Promise<AnswerWindowRef> => {
    if (view.callback_id === HOME_CALLBACK) {
      return { state: { depth: 1 }, viewId: await web.openView(trigger_id, loadingWindow(1)) };
    }
    const state = readAnswerWindowState(view.private_metadata);
    const { depth } = state;
    if (REPLACES_MESSAGE.has(action) || depth >= MAX_WINDOWS)
      return { state, viewId: { kind: 'ok', value: view.id } };
    const above = { ...state, depth: depth + 1 };
    return { state: above, viewId: await web.pushView(trigger_id, loadingWindow(above.depth)) };
  };

  /**
   * Throws where the answer cannot be shown: then it goes the way of a lost response URL. `isNeeded`: also where the
   * window was closed; who closes one that only looks does not want its answer any more.
   */
  const answer = async (
    { state, viewId }: AnswerWindowRef,
    message: RenderedMessage,
    isNeeded: boolean,
  ): Promise<void> => {
    if (viewId.kind !== 'ok') throw new Error(`could not open a window: ${slackErrorText(viewId)}`);
    const updated = await showAnswer(web, viewId.value, message, state);
    if (updated.kind === 'ok' || (isWindowClosed(updated) && !isNeeded)) return;
    log.warn({ event: 'home.unanswered', reason: slackErrorText(updated) }, 'could not show an answer');
    throw new Error(slackErrorText(updated));
  };

  /** The note in the window below the form is said anew once a reason was given: its button was used. */
  const askReason = async (pressed: HomeActionPayload, approval: ApprovalId): Promise<void> => {
    const { view, user } = pressed;
    const where = formPlacementOf(pressed);
    if (where.kind === 'push') {
      actions.rememberNote({ person: user.id, approval }, async (note) => {
        await showAnswer(web, view.id, renderView(note), readAnswerWindowState(view.private_metadata));
      });
    }
    const opened = await openFormAt(where, reasonForm(approval), web);
    if (opened.kind !== 'ok')
      log.warn({ event: 'form.unopened', reason: slackErrorText(opened) }, 'could not open a form');
  };

  const channelOf = async ({ channel }: AnswerWindowState, person: PersonId): Promise<ChannelId> =>
    channel ?? (await directTo(person));

  return {
    isHomeAction: (payload) => homePayloadSchema.safeParse(payload).success,
    async onAction(payload, ack) {
      const pressed = pressSchema.parse(payload);
      const { user } = pressed;
      const [{ action_id, value, selected_option }] = pressed.actions;
      const action = action_id.split(':', 1)[0] ?? action_id;
      if (action === REFRESH_ACTION) {
        await ack();
        return onRefresh(user.id);
      }
      const about = readButtonValue(selected_option?.value ?? value);
      const state = readAnswerWindowState(pressed.view.private_metadata);
      if (action === 'add_reason') {
        await ack();
        return about?.do === 'decide' ? askReason(pressed, about.approval) : undefined;
      }
      if (about?.do === 'form') {
        await ack();
        const caller = { person: user.id, channel: await channelOf(state, user.id), thread: state.thread };
        const formRequest = { command: about.command, prefill: about.input, caller, inWindow: true } as const;
        const instead = await openForm(formPlacementOf(pressed), formRequest);
        if (instead === null) return;
        if (pressed.view.callback_id === HOME_CALLBACK) return reply(caller)(instead);
        return answer({ state, viewId: { kind: 'ok', value: pressed.view.id } }, renderView(instead), false);
      }
      const isNeeded = about !== null && actions.asksForChange(about);
      let window: Promise<AnswerWindowRef> | null = null;
      const ackAndShow = async (): Promise<void> => {
        await ack();
        window = show(pressed, action);
      };
      const respond: RespondFn = async (message) => {
        if (window === null || typeof message === 'string') throw new Error('no window for the answer');
        const blocks = 'blocks' in message ? blocksOf(message.blocks) : [];
        // As Slack's own door says it, so that the same answer comes again without them.
        if (hasRichBlocks(blocks)) throw new RespondError('a window has no place for such blocks', 400);
        await answer(await window, { text: message.text ?? '', blocks }, isNeeded);
        return new Response('ok');
      };
      const channel = await channelOf(state, user.id);
      await actions.press(asMessagePayload(pressed, channel, state.thread), ackAndShow, respond);
    },
  };
}

/** The window of an answer, or why there is none. */
type AnswerWindowRef = { readonly state: AnswerWindowState; readonly viewId: SlackResult<string> };

/** A form stands over the window in which it was asked for, as long as Slack takes one more. */
function formPlacementOf({ view, trigger_id: triggerId }: HomeActionPayload): FormPlacement {
  if (view.callback_id === HOME_CALLBACK) return { kind: 'open', triggerId };
  const { depth } = readAnswerWindowState(view.private_metadata);
  return depth < MAX_WINDOWS
    ? { kind: 'push', triggerId, depth }
    : { kind: 'replace', viewId: view.id, depth };
}

/** The id of its window, where that is a new one. */
function openFormAt(
  where: FormPlacement,
  form: Modal,
  web: HomeActionsOptions['web'],
): Promise<SlackResult<string | null>> {
  switch (where.kind) {
    case 'open':
      return web.openView(where.triggerId, form);
    case 'push':
      return web.pushView(where.triggerId, form);
    case 'replace':
      return web.updateView(where.viewId, form);
  }
}

/** The same press as one on a private message. */
function asMessagePayload(
  { user, trigger_id, actions }: HomeActionPayload,
  channel: ChannelId,
  thread: MessageTs | undefined,
) {
  const inThread = thread === undefined ? {} : { thread_ts: thread };
  const container = { type: 'view', message_ts: '0', is_ephemeral: true, ...inThread };
  return { user, channel: { id: channel }, container, trigger_id, actions };
}

/** Blocks as `replies.ts` gives them: of our own making. */
function blocksOf(rawBlocks: unknown): readonly Block[] {
  return Array.isArray(rawBlocks) ? rawBlocks : [];
}
