/**
 * Presses on the Home and in the windows that it opens. Neither has a response URL: the answer stands in a window,
 * opened at once because a trigger lives three seconds. What a press means is the business of `actions.ts`, which
 * takes it like one on a private message.
 */
import { RespondError, type RespondFn } from '@slack/bolt';
import { z } from 'zod';
import { type ApprovalId, type ChannelId, type MessageTs, type PersonId, personId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { reasonForm } from '../../views/forms/reason-form.ts';
import { HOME, REFRESH } from '../../views/home/home.ts';
import {
  ANSWER_WINDOW,
  type AnswerPlace,
  lookingWindow,
  readAnswerPlace,
} from '../../views/kit/answer-window.ts';
import { readButtonValue } from '../../views/kit/button-value.ts';
import { isRich } from '../../views/kit/charts.ts';
import type { Block, RenderedMessage } from '../../views/model.ts';
import { render } from '../../views/render.ts';
import { type Ack, type Actions, TAKES_PLACE } from '../actions.ts';
import { isClosed, showAnswer } from '../answer-windows.ts';
import { type Asked, faultText } from '../faults.ts';
import type { FormWhere, OpenForm } from '../forms/forms-window.ts';
import type { Caller, Reply } from '../replies.ts';
import type { Modal, SlackWeb } from '../web.ts';

const pressSchema = z.object({
  user: z.object({ id: z.string().transform(personId) }),
  view: z.object({
    id: z.string(),
    callback_id: z.enum([HOME, ANSWER_WINDOW]),
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
type HomePressed = z.output<typeof pressSchema>;
const ours = pressSchema.pick({ view: true });

/** Slack lays at most three windows over each other (docs.slack.dev/surfaces/modals). */
const MOST_WINDOWS = 3;
export type HomePress = {
  /** Whether a press is one of these. */
  readonly takes: (payload: unknown) => boolean;
  readonly press: (payload: unknown, ack: Ack) => Promise<void>;
};

export type HomePressOptions = {
  readonly actions: Pick<Actions, 'press' | 'asksForChange' | 'noteOf'>;
  readonly web: Pick<SlackWeb, 'openView' | 'pushView' | 'updateView'>;
  readonly openForm: OpenForm;
  /** Where cards go that a person asks for from here, and answers that no window took. */
  readonly directTo: (person: PersonId) => Promise<ChannelId>;
  readonly onRefresh: (person: PersonId) => Promise<void>;
  /** Says what no window was opened for. */
  readonly tell: (caller: Caller) => Reply;
  readonly log: Log;
};

export function createHomePress(options: HomePressOptions): HomePress {
  const { actions, web, openForm, directTo, onRefresh, tell, log } = options;
  const show = async ({ view, trigger_id }: HomePressed, action: string): Promise<Window> => {
    if (view.callback_id === HOME) {
      return { place: { depth: 1 }, id: await web.openView(trigger_id, lookingWindow(1)) };
    }
    const place = readAnswerPlace(view.private_metadata);
    const { depth } = place;
    if (TAKES_PLACE.has(action) || depth >= MOST_WINDOWS)
      return { place, id: { kind: 'ok', value: view.id } };
    const above = { ...place, depth: depth + 1 };
    return { place: above, id: await web.pushView(trigger_id, lookingWindow(above.depth)) };
  };

  /**
   * Throws where the answer cannot be shown: then it goes the way of a lost response URL. `isNeeded`: also where the
   * window was closed; who closes one that only looks does not want its answer any more.
   */
  const answer = async (
    { place, id }: Window,
    message: RenderedMessage,
    isNeeded: boolean,
  ): Promise<void> => {
    if (id.kind !== 'ok') throw new Error(`could not open a window: ${faultText(id)}`);
    const shown = await showAnswer(web, id.value, message, place);
    if (shown.kind === 'ok' || (isClosed(shown) && !isNeeded)) return;
    log.warn({ event: 'home.unanswered', reason: faultText(shown) }, 'could not show an answer');
    throw new Error(faultText(shown));
  };

  /** The note in the window below the form is said anew once a reason was given: its button was used. */
  const askReason = async (pressed: HomePressed, approval: ApprovalId): Promise<void> => {
    const { view, user } = pressed;
    const where = whereOf(pressed);
    if (where.kind === 'push') {
      actions.noteOf({ person: user.id, approval }, async (note) => {
        await showAnswer(web, view.id, render(note), readAnswerPlace(view.private_metadata));
      });
    }
    const opened = await opensAt(where, reasonForm(approval), web);
    if (opened.kind !== 'ok')
      log.warn({ event: 'form.unopened', reason: faultText(opened) }, 'could not open a form');
  };

  const channelOf = async ({ channel }: AnswerPlace, person: PersonId): Promise<ChannelId> =>
    channel ?? (await directTo(person));

  return {
    takes: (payload) => ours.safeParse(payload).success,
    async press(payload, ack) {
      const pressed = pressSchema.parse(payload);
      const { user } = pressed;
      const [{ action_id, value, selected_option }] = pressed.actions;
      const action = action_id.split(':', 1)[0] ?? action_id;
      if (action === REFRESH) {
        await ack();
        return onRefresh(user.id);
      }
      const about = readButtonValue(selected_option?.value ?? value);
      const place = readAnswerPlace(pressed.view.private_metadata);
      if (action === 'add_reason') {
        await ack();
        return about?.do === 'decide' ? askReason(pressed, about.approval) : undefined;
      }
      if (about?.do === 'form') {
        await ack();
        const caller = { person: user.id, channel: await channelOf(place, user.id), thread: place.thread };
        const asked = { command: about.command, given: about.input, caller, inWindow: true } as const;
        const instead = await openForm(whereOf(pressed), asked);
        if (instead === null) return;
        if (pressed.view.callback_id === HOME) return tell(caller)(instead);
        return answer({ place, id: { kind: 'ok', value: pressed.view.id } }, render(instead), false);
      }
      const isNeeded = about !== null && actions.asksForChange(about);
      let window: Promise<Window> | null = null;
      const ackAndShow = async (): Promise<void> => {
        await ack();
        window = show(pressed, action);
      };
      const respond: RespondFn = async (message) => {
        if (window === null || typeof message === 'string') throw new Error('no window for the answer');
        const blocks = 'blocks' in message ? blocksOf(message.blocks) : [];
        // As Slack's own door says it, so that the same answer comes again without them.
        if (isRich(blocks)) throw new RespondError('a window has no place for such blocks', 400);
        await answer(await window, { text: message.text ?? '', blocks }, isNeeded);
        return new Response('ok');
      };
      const channel = await channelOf(place, user.id);
      await actions.press(asOnMessage(pressed, channel, place.thread), ackAndShow, respond);
    },
  };
}

/** The window of an answer, or why there is none. */
type Window = { readonly place: AnswerPlace; readonly id: Asked<string> };

/** A form stands over the window in which it was asked for, as long as Slack takes one more. */
function whereOf({ view, trigger_id: triggerId }: HomePressed): FormWhere {
  if (view.callback_id === HOME) return { kind: 'open', triggerId };
  const { depth } = readAnswerPlace(view.private_metadata);
  return depth < MOST_WINDOWS
    ? { kind: 'push', triggerId, depth }
    : { kind: 'replace', viewId: view.id, depth };
}

/** The id of its window, where that is a new one. */
function opensAt(where: FormWhere, form: Modal, web: HomePressOptions['web']): Promise<Asked<string | null>> {
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
function asOnMessage(
  { user, trigger_id, actions }: HomePressed,
  channel: ChannelId,
  thread: MessageTs | undefined,
) {
  const inThread = thread === undefined ? {} : { thread_ts: thread };
  const container = { type: 'view', message_ts: '0', is_ephemeral: true, ...inThread };
  return { user, channel: { id: channel }, container, trigger_id, actions };
}

/** Blocks as `replies.ts` gives them: of our own making. */
function blocksOf(given: unknown): readonly Block[] {
  return Array.isArray(given) ? given : [];
}
