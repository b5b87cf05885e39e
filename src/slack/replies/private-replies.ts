/**
 * Private answers: through the response URL while it lives, else as an ephemeral message. Slack shows them to nobody else,
 * so they cannot be looked for: one whose outcome is unknown is sent once more and then left, since a second copy does no
 * harm. What its buttons do is checked when they are pressed.
 */
import type { RespondArguments, RespondFn } from '@slack/bolt';
import { SECOND } from '../../lib/clock.ts';
import type { ChannelId, MessageTs, PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { DELAY_MESSAGE, LOOKING_MESSAGE } from '../../views/answers/reply-notices.ts';
import {
  type AnswerWindowState,
  answerWindow,
  type Modal,
  textWindow,
} from '../../views/kit/answer-window.ts';
import { type RenderedMessage, renderView, type View } from '../../views/views.ts';
import {
  isChannelRefused,
  isWindowRefused,
  readRespondError,
  readResponse,
  type SlackResult,
  slackErrorText,
} from '../web-api/slack-errors.ts';
import { type MessageRef, type SlackWeb, sendWithFallback, type TriedMessage } from '../web-api/slack-web.ts';

/** Who asked, and where; `thread` where it was in one. */
export type CommandSource = {
  readonly person: PersonId;
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
};

export type ReplyOptions = {
  /** Replaces the private message whose button was pressed, as list pages do. */
  readonly replace?: boolean;
};
export type SendReply = (view: View, options?: ReplyOptions) => Promise<void>;

/** Replies to one person for one question. Neither function throws. */
export type DelayedReply = {
  /** How long to stay silent: longer where the notice cannot be replaced. */
  readonly delayNoticeAfterMs: number;
  readonly sendDelayNotice: () => Promise<void>;
  readonly sendAnswer: (view: View) => Promise<void>;
};

export type PrivateReplies = Readonly<ReturnType<typeof createPrivateReplies>>;

/** Delay before a notice: one that becomes the answer, and one that stays above it. */
const EDITABLE_NOTICE_AFTER_MS = SECOND;
const LASTING_NOTICE_AFTER_MS = 5 * SECOND;

type PrivateRepliesOptions = { readonly web: SlackWeb; readonly log: Log };

export function createPrivateReplies(options: PrivateRepliesOptions) {
  const { sendEphemeral, sendDirect, postInChannel } = createMessageSenders(options);
  const ephemeral =
    (caller: CommandSource): SendReply =>
    (view) =>
      sendEphemeral(caller, renderView(view), view.kind);
  const respondOrSend = async (
    respond: RespondFn,
    caller: CommandSource,
    view: View,
    place: ResponsePlace,
  ): Promise<void> => {
    const message = renderView(view);
    let sent = await respondWith(respond, message, place);
    // Replacing twice shows it once.
    if (place.replace && sent.kind === 'uncertain') sent = await respondWith(respond, message, place);
    else if (sent.kind === 'uncertain') return sendEphemeral(caller, message, view.kind, 1);
    if (sent.kind !== 'ok') await sendEphemeral(caller, message, view.kind);
  };

  return {
    ephemeral,
    sendEphemeral,
    sendDirect,
    viaResponseUrl:
      (respond: RespondFn, caller: CommandSource): SendReply =>
      async (view, { replace = false } = {}) => {
        const { thread } = caller;
        await respondOrSend(respond, caller, view, { replace, thread });
      },
    // A slash command's response URL cannot edit messages; only one from a button on that message can, and nothing else
    // edits an ephemeral message (docs.slack.dev/interactivity/handling-user-interaction).
    toCommand: (respond: RespondFn, caller: CommandSource): DelayedReply => ({
      delayNoticeAfterMs: LASTING_NOTICE_AFTER_MS,
      sendDelayNotice: async () => {
        await respondWith(respond, DELAY_MESSAGE, { replace: false });
      },
      sendAnswer: async (view) => {
        await respondOrSend(respond, caller, view, { replace: false });
      },
    }),
    /** Only the asker sees the answer, in the thread of the question. */
    toMention: (caller: CommandSource): DelayedReply => ({
      delayNoticeAfterMs: LASTING_NOTICE_AFTER_MS,
      sendDelayNotice: () => sendEphemeral(caller, DELAY_MESSAGE, 'late', 1),
      sendAnswer: ephemeral(caller),
    }),
    toDirectMessage: (caller: CommandSource): DelayedReply => {
      let waiting: MessageRef | null = null;
      return {
        delayNoticeAfterMs: EDITABLE_NOTICE_AFTER_MS,
        sendDelayNotice: async () => {
          waiting = await postInChannel(caller, LOOKING_MESSAGE, 'looking');
        },
        sendAnswer: async (view) => {
          const message = renderView(view);
          const place = waiting;
          const edited = place && (await sendWithFallback(message, (each) => options.web.edit(place, each)));
          if (edited?.kind !== 'ok') await postInChannel(caller, message, view.kind);
        },
      };
    },
  };
}

/** Sends rendered messages; what could not be sent goes to the log. */
function createMessageSenders({ web, log }: PrivateRepliesOptions) {
  const logLost = (view: string, reason: string): void => {
    log.warn({ event: 'reply.lost', view, reason }, 'could not show a private reply');
  };
  const postDirect = async (
    { person }: CommandSource,
    message: RenderedMessage,
    tried?: TriedMessage,
  ): Promise<SlackResult<unknown>> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    return sendWithFallback(message, (form) => web.say(direct.value, form, undefined, tried));
  };
  /**
   * An ephemeral message where it was asked; a direct message where that place accepts none. `what` names it in the log;
   * `times`: how often at most, while the outcome is unknown.
   */
  const sendEphemeral = async (
    caller: CommandSource,
    message: RenderedMessage,
    what: string,
    times = 2,
  ): Promise<void> => {
    const sent = await sendWithFallback(message, (form) =>
      web.ephemeral(caller.channel, caller.person, form, caller.thread),
    );
    if (sent.kind === 'ok') return;
    if (sent.kind === 'uncertain' && times > 1) return sendEphemeral(caller, message, what, times - 1);
    // Slash commands work in channels that the bot is not in; its own messages do not.
    const direct =
      sent.kind === 'refused' && isChannelRefused(sent.error) ? await postDirect(caller, message) : sent;
    if (direct.kind !== 'ok') logLost(what, slackErrorText(direct));
  };
  /** A direct message, which notifies the person. False where Slack refused it, or it may not have arrived. */
  const sendDirect = async (
    caller: CommandSource,
    message: RenderedMessage,
    what: string,
    tried: TriedMessage,
  ): Promise<boolean> => {
    const sent = await postDirect(caller, message, tried);
    if (sent.kind !== 'ok') logLost(what, slackErrorText(sent));
    return sent.kind === 'ok';
  };
  const postInChannel = async (
    caller: CommandSource,
    message: RenderedMessage,
    what: string,
  ): Promise<MessageRef | null> => {
    const form = await sendWithFallback(message, (each) => web.say(caller.channel, each, caller.thread));
    if (form.kind === 'ok') return form.value;
    logLost(what, slackErrorText(form));
    return null;
  };
  return { sendEphemeral, sendDirect, postInChannel };
}

type ResponsePlace = { readonly replace: boolean; readonly thread?: MessageTs | undefined };

function respondWith(
  respond: RespondFn,
  message: RenderedMessage,
  { replace, thread }: ResponsePlace,
): Promise<SlackResult<null>> {
  return sendWithFallback(message, ({ text, blocks }) =>
    sendResponse(respond, {
      response_type: 'ephemeral',
      replace_original: replace,
      // A replaced message stays in its place.
      ...(replace || thread === undefined ? {} : { thread_ts: thread }),
      text,
      blocks: blocks.map((block) => ({ ...block })),
    }),
  );
}

async function sendResponse(respond: RespondFn, message: RespondArguments): Promise<SlackResult<null>> {
  try {
    // Bolt gives none where the payload had no address of Slack's: that throws, too.
    const response = await respond(message);
    return readResponse(await response.text());
  } catch (error) {
    return readRespondError(error);
  }
}

/** The direct message channel of each person: the place for answers to requests from outside any channel. */
export type DirectChannels = Readonly<ReturnType<typeof createDirectChannels>>;

const MAX_REMEMBERED = 10_000;

/** `fallback` is used where Slack opens no direct message. */
export function createDirectChannels(web: Pick<SlackWeb, 'openDirect'>, fallback: ChannelId) {
  const known = new Map<PersonId, ChannelId>();
  /** The channel that Slack just named. */
  const remember = (person: PersonId, channel: ChannelId): void => {
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(person, channel);
  };
  return {
    remember,
    async channelOf(person: PersonId): Promise<ChannelId> {
      const before = known.get(person);
      if (before !== undefined) return before;
      const opened = await web.openDirect(person);
      if (opened.kind !== 'ok') return fallback;
      remember(person, opened.value);
      return opened.value;
    },
  };
}

type Web = Pick<SlackWeb, 'showView'>;

/** The windows for an answer, best first; the last has text alone. A window takes no charts and tables. */
export function answerWindows(
  { text, blocks, plain = blocks }: RenderedMessage,
  place: AnswerWindowState,
): readonly [Modal, ...Modal[]] {
  const words = textWindow(text, place);
  return plain.length > 0 ? [answerWindow(plain, place), words] : [words];
}

/** Replaces the open window with the first of these that Slack accepts. */
export async function showFirstAccepted(
  web: Web,
  viewId: string,
  [best, ...others]: readonly [Modal, ...Modal[]],
): Promise<SlackResult<unknown>> {
  const updated = await web.showView({ kind: 'replace', viewId }, best);
  const [next, ...rest] = others;
  if (next === undefined || updated.kind !== 'refused' || !isWindowRefused(updated.error)) return updated;
  return showFirstAccepted(web, viewId, [next, ...rest]);
}

/** Shows an answer in the window; as text alone where Slack refuses its blocks. */
export function showAnswer(
  web: Web,
  viewId: string,
  message: RenderedMessage,
  place: AnswerWindowState,
): Promise<SlackResult<unknown>> {
  return showFirstAccepted(web, viewId, answerWindows(message, place));
}

/** Whether the window was closed: Slack no longer knows it. */
export function isWindowClosed(result: SlackResult<unknown>): boolean {
  return result.kind === 'refused' && result.error === 'not_found';
}

/** Errors on fields, which keep the form open, or the window that replaces it; neither closes it. */
export type FormAckResponse =
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'window'; readonly window: Modal };
export type AcknowledgeForm = (answer?: FormAckResponse) => Promise<void>;
