/** Slack's Web API as far as the product uses it: transport only. Outcomes are values; nothing here throws. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownBlock, ModalView } from '@slack/types';
import {
  type ChatPostMessageArguments,
  type ConversationsHistoryResponse,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import { type Clock, SECOND, waitOn } from '../../lib/clock.ts';
import {
  type ChannelId,
  channelId,
  type MessageTs,
  messageTs,
  type PersonId,
  personId,
  type UserGroupId,
} from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { HomeTab } from '../../views/home/home-tab.ts';
import type { Modal } from '../../views/kit/answer-window.ts';
import type { Block, RenderedMessage } from '../../views/views.ts';
import type { SlackClients } from './clients.ts';
import { type HistoryPart, readCardsInHistory, readIsExternal, readMemberChannels } from './paged-reads.ts';
import {
  doneResult,
  isContentRefused,
  readSlackError,
  requiredField,
  type SlackResult,
  slackErrorText,
  slackResult,
} from './slack-errors.ts';

export type MessageRef = { readonly channel: ChannelId; readonly ts: MessageTs };
type MessageMetadata = {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string | number | Readonly<Record<string, number>>>>;
};
export type CardMessage = RenderedMessage & {
  readonly metadata: MessageMetadata;
  /** Of a card whose edits are paced: what people wait for; an edit that changes it goes first. Never sent. */
  readonly stage?: string | undefined;
  /** Posted as a reply to this message; null: it waits for another that is not posted yet. Absent: in the channel. */
  readonly thread?: MessageRef | null;
};
export type Identity = {
  readonly botUserId: PersonId;
  readonly teamId: string;
  /** The Enterprise Grid organization of the team; null: none is stated. */
  readonly enterpriseId: string | null;
  /** Installed for all teams of the enterprise at once. */
  readonly isOrgWide: boolean;
  readonly botId: string | null;
  /** Null where Slack does not say; then it is not checked. */
  readonly appId: string | null;
  /** The token's current scopes; reinstalling the app may change them without changing the token. */
  readonly scopes: readonly string[];
};

/** A new window, one on top of the window with the trigger, or one in place of a window, as long as it has this `hash`. */
export type ViewPlacement =
  | { readonly kind: 'open' | 'push'; readonly triggerId: string }
  | { readonly kind: 'replace'; readonly viewId: string; readonly hash?: string };
/** A window as it was shown: any change gives it another hash. */
export type ShownView = { readonly id: string; readonly hash: string };

export type SlackWeb = Readonly<ReturnType<typeof createSlackWeb>>;

/** `settleMs`: wall time before a look for what may have been done. */
export function createSlackWeb(clients: SlackClients, settleMs?: number) {
  return {
    ...createMessageCalls(clients),
    ...createSoughtCalls(clients, settleMs),
    ...createConversationCalls(clients),
    showView: (where: ViewPlacement, modal: Modal) =>
      slackResult(async (): Promise<ShownView> => {
        const [view, { views }] = [modalView(modal), clients.writes];
        const { view: shown } =
          where.kind === 'replace'
            ? await views.update({ view_id: where.viewId, view, ...(where.hash && { hash: where.hash }) })
            : await views[where.kind]({ trigger_id: where.triggerId, view });
        return { id: requiredField(shown?.id, 'view.id'), hash: requiredField(shown?.hash, 'view.hash') };
      }),
    publishHome: (user_id: PersonId, { blocks, ...view }: HomeTab) =>
      doneResult(() =>
        clients.writes.views.publish({ user_id, view: { ...view, blocks: knownBlocks(blocks) } }),
      ),
    identity: () =>
      slackResult(async () => {
        const answer = await clients.reads.auth.test();
        return {
          botUserId: personId(requiredField(answer.user_id, 'user_id')),
          teamId: requiredField(answer.team_id, 'team_id'),
          enterpriseId: answer.enterprise_id ?? null,
          isOrgWide: answer.is_enterprise_install === true,
          botId: answer.bot_id ?? null,
          appId: await appIdOf(clients.reads, answer.bot_id),
          scopes: answer.response_metadata?.scopes ?? [],
        };
      }),
  };
}

/** A message that is tried until it is sent. */
export type TriedMessage = { readonly key: string; readonly attempts: number };

function createMessageCalls({ writes, reads }: SlackClients) {
  return {
    post: (channel: ChannelId, message: CardMessage) =>
      slackResult(async () => {
        const answer = await writes.chat.postMessage({
          channel,
          ...messageBody(message),
          ...inThread(message.thread?.ts),
        } satisfies ChatPostMessageArguments);
        return messageRefOf(answer, channel);
      }),
    update: ({ channel, ts }: MessageRef, message: CardMessage) =>
      doneResult(() => writes.chat.update({ channel, ts, ...messageBody(message) })),
    ephemeral: (channel: ChannelId, user: PersonId, { text, blocks }: RenderedMessage, thread?: MessageTs) =>
      doneResult(() =>
        writes.chat.postEphemeral({ channel, user, text, blocks: knownBlocks(blocks), ...inThread(thread) }),
      ),
    permalink: async ({ channel, ts }: MessageRef): Promise<string | null> => {
      const link = await slackResult(() => reads.chat.getPermalink({ channel, message_ts: ts }));
      return link.kind === 'ok' ? (link.value.permalink ?? null) : null;
    },
    remove: ({ channel, ts }: MessageRef) => doneResult(() => writes.chat.delete({ channel, ts })),
    /** Unfurls the links of a message; by address. */
    unfurl: ({ channel, ts }: MessageRef, shown: ReadonlyMap<string, RenderedMessage>) =>
      doneResult(() => {
        const unfurls = Object.fromEntries(
          [...shown].map(([url, { text, blocks }]) => [url, { fallback: text, blocks: knownBlocks(blocks) }]),
        );
        return writes.chat.unfurl({ channel, ts, unfurls });
      }),
  };
}

/** Calls whose effect stands in a conversation, where it is looked for before it is sent once more. */
function createSoughtCalls({ writes, reads, upload }: SlackClients, settleMs?: number) {
  const sought = <T>(call: SoughtCall<T>) => lookBeforeRepeat(reads, call, settleMs);
  return {
    /** Posts a message that is no card. `tried`: its key, and whether it was tried before. */
    say: (channel: ChannelId, message: RenderedMessage, thread?: MessageTs, tried?: TriedMessage) => {
      const metadata = answerMark(tried?.key);
      const body = { channel, ...messageText(message), ...inThread(thread), metadata };
      return sought({
        send: () => slackResult(async () => messageRefOf(await writes.chat.postMessage(body), channel)),
        place: { channel, thread },
        isIt: (found) => isMarked(found, metadata),
        valueOf: (found) => messageRefOf(found, channel),
        mayBeThere: (tried?.attempts ?? 0) > 0,
      });
    },
    edit: ({ channel, ts }: MessageRef, message: RenderedMessage) =>
      sought({
        send: () => doneResult(() => writes.chat.update({ channel, ts, ...messageText(message) })),
        place: { channel },
        // We posted it, so nobody else can edit it.
        isIt: (found) => found.ts === ts && found.edited !== undefined,
        valueOf: () => null,
      }),
    /** Posts a text file with a comment in a channel, for everybody there. Its value is the file's address. */
    sendFile: async (
      channel: ChannelId,
      { name, text, comment }: { readonly name: string; readonly text: string; readonly comment: string },
    ) => {
      const bytes = Buffer.from(text);
      // Nobody sees an upload that is not completed, so a failure before that needs no look.
      const uploaded = await slackResult(async () => {
        const answer = await writes.files.getUploadURLExternal({ filename: name, length: bytes.length });
        await upload(requiredField(answer.upload_url, 'upload_url'), bytes);
        return requiredField(answer.file_id, 'file_id');
      });
      if (uploaded.kind !== 'ok') return uploaded;
      const file = { id: uploaded.value, title: name };
      const linkOf = ({ files = [] }: { readonly files?: readonly { id?: string; permalink?: string }[] }) =>
        files.find(({ id }) => id === file.id)?.permalink ?? null;
      return sought({
        send: () =>
          slackResult(async () =>
            linkOf(
              await writes.files.completeUploadExternal({
                files: [file],
                channel_id: channel,
                initial_comment: comment,
              }),
            ),
          ),
        place: { channel },
        isIt: ({ files = [] }) => files.some(({ id }) => id === file.id),
        valueOf: linkOf,
      });
    },
  };
}

function createConversationCalls({ writes, reads }: SlackClients) {
  return {
    /** A page of the channel's history, only messages with card metadata, whoever posted them. */
    cardsInHistory: (channel: ChannelId, part: HistoryPart) =>
      slackResult(() => readCardsInHistory(reads, channel, part)),
    /** The channels, including private ones, that the bot is a member of. */
    memberChannels: () =>
      slackResult(() => readMemberChannels(reads, { types: 'public_channel,private_channel' })),
    /** The private channels that both the bot and this person are members of. */
    privateChannelsWith: (user: PersonId) =>
      slackResult(() => readMemberChannels(reads, { types: 'private_channel', user })),
    /** Whether another organization reads the channel, or is invited to it; null where Slack does not say. */
    isExternal: (channel: ChannelId) => slackResult(() => readIsExternal(reads, channel)),
    openDirect: (person: PersonId) =>
      slackResult(async () => {
        const answer = await writes.conversations.open({ users: person });
        return channelId(requiredField(answer.channel?.id, 'channel.id'));
      }),
    userGroupMembers: (usergroup: UserGroupId) =>
      slackResult(async (): Promise<readonly PersonId[]> => {
        const answer = await reads.usergroups.users.list({ usergroup });
        return (answer.users ?? []).map(personId);
      }),
    /** IANA name; null where Slack has none. */
    timeZone: (user: PersonId) =>
      slackResult(async () => (await reads.users.info({ user })).user?.tz ?? null),
    /** Whether the person's account exists and is not deactivated. */
    isActive: async (user: PersonId) => {
      const answer = await slackResult(async () => (await reads.users.info({ user })).user?.deleted !== true);
      const isGone = answer.kind === 'refused' && answer.error === 'user_not_found';
      return isGone ? ({ kind: 'ok', value: false } as const) : answer;
    },
  };
}

function messageBody({ metadata, ...message }: CardMessage) {
  return {
    ...messageText(message),
    metadata: { event_type: metadata.event_type, event_payload: { ...metadata.event_payload } },
  };
}

function messageText({ text, blocks }: RenderedMessage) {
  return { text, blocks: knownBlocks(blocks), unfurl_links: false, unfurl_media: false };
}

function inThread(thread: MessageTs | undefined) {
  return thread === undefined ? {} : { thread_ts: thread };
}

function messageRefOf(answer: { channel?: string; ts?: string }, requestedChannel: ChannelId): MessageRef {
  return {
    channel: channelId(answer.channel ?? requestedChannel),
    ts: messageTs(requiredField(answer.ts, 'ts')),
  };
}

/** A window as Slack's API takes it. */
export function modalView({ blocks, ...view }: Modal): ModalView {
  return { ...view, blocks: knownBlocks(blocks) };
}

/** Our builders make only documented blocks; the SDK's union is narrower than what JSON can say. */
function knownBlocks(blocks: readonly Block[]): KnownBlock[] {
  return blocks.map((block) => block as KnownBlock);
}

/** `auth.test` does not say which app a token belongs to; its bot does. */
async function appIdOf(reads: SlackClients['reads'], bot: string | undefined): Promise<string | null> {
  if (bot === undefined) return null;
  const answer = await slackResult(() => reads.bots.info({ bot }));
  return answer.kind === 'ok' ? (answer.value.bot?.app_id ?? null) : null;
}

/** Whatever Slack did before it answered with an error, it has done by then; wall time, because it waits for Slack. */
const SETTLE_MS = 3 * SECOND;
/** The newest messages of a channel, where ours is seconds old. */
const HISTORY_PAGE = 200;
/** The most of a thread, which begins with its oldest (docs.slack.dev/reference/methods/conversations.replies). */
const THREAD_PAGE = 1_000;

type FoundMessage = NonNullable<ConversationsHistoryResponse['messages']>[number];

/** A call whose effect is a message or file that is no card; cards have their own record (`src/slack/cards/tracked-calls.ts`). */
type SoughtCall<T> = {
  readonly send: () => Promise<SlackResult<T>>;
  readonly place: { readonly channel: ChannelId; readonly thread?: MessageTs | undefined };
  /** Whether this message shows that it was carried out. */
  readonly isIt: (message: FoundMessage) => boolean;
  readonly valueOf: (found: FoundMessage) => T;
  /** An earlier try may have sent it: looked for first. */
  readonly mayBeThere?: boolean;
};

/** Sends at most twice, the second time only after a look that did not find it. A call that may still be carried out is not repeated. */
async function lookBeforeRepeat<T>(
  reads: WebClient,
  call: SoughtCall<T>,
  settleMs = SETTLE_MS,
): Promise<SlackResult<T>> {
  const before = call.mayBeThere === true ? await slackResult(() => findMessage(reads, call)) : null;
  if (before !== null && before.kind !== 'ok') return before;
  if (before !== null && before.value !== null) return { kind: 'ok', value: call.valueOf(before.value) };
  for (let sent = 1; ; sent += 1) {
    const answer = await call.send();
    if (answer.kind !== 'uncertain') return answer;
    await sleep(settleMs);
    const found = await slackResult(() => findMessage(reads, call));
    if (found.kind === 'ok' && found.value !== null) return { kind: 'ok', value: call.valueOf(found.value) };
    if (found.kind !== 'ok' || answer.inFlight || sent > 1) return answer;
  }
}

/** Metadata by which a message that is no card is recognized. */
function answerMark(id: string = randomUUID()) {
  return { event_type: 'patchbay_answer', event_payload: { id } };
}

function isMarked({ metadata }: FoundMessage, mark: ReturnType<typeof answerMark>): boolean {
  const payload: Readonly<Record<string, unknown>> | undefined = metadata?.event_payload;
  return payload?.['id'] === mark.event_payload.id;
}

async function findMessage(
  reads: WebClient,
  { place: { channel, thread }, isIt }: Pick<SoughtCall<unknown>, 'place' | 'isIt'>,
): Promise<FoundMessage | null> {
  const part = { channel, include_all_metadata: true };
  const { messages = [], has_more } =
    thread === undefined
      ? await reads.conversations.history({ ...part, limit: HISTORY_PAGE })
      : await reads.conversations.replies({ ...part, limit: THREAD_PAGE, ts: thread });
  const found = messages.find(isIt);
  if (found !== undefined) return found;
  if (thread !== undefined && has_more === true) throw new Error('the thread is longer than a page');
  return null;
}

/** The same message without charts and tables, or as text alone; null where there is nothing simpler. */
export function simplerMessage<M extends RenderedMessage>(message: M): M | null {
  const { plain, blocks } = message;
  if (plain !== undefined) return { ...message, blocks: plain, plain: undefined };
  return blocks.length === 0 ? null : { ...message, blocks: [] };
}

/** Sends the message in the best form that Slack accepts. */
export async function sendWithFallback<T, M extends RenderedMessage>(
  message: M,
  send: (message: M) => Promise<SlackResult<T>>,
): Promise<SlackResult<T>> {
  const sent = await send(message);
  if (sent.kind !== 'refused' || !isContentRefused(sent.error)) return sent;
  const less = simplerMessage(message);
  return less === null ? sent : sendWithFallback(less, send);
}

/** A start that fails until somebody fixes something: one clear line, no stack. */
export class StartupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartFailure';
  }
}

/** What to do stands in the same line: whoever starts the product may see no other. */
export const tokenRejected = (variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', reason: string): string =>
  `Slack rejected ${variable}: ${reason}. Set it to the token shown on the app’s page at api.slack.com/apps, then start again. “npm run doctor” checks it.`;

/** Slack may be unreachable while we start, as after an outage of both. */
const MAX_TRIES = 30;
const PAUSE_MS = 2 * SECOND;

export async function signIn(web: Pick<SlackWeb, 'identity'>, clock: Clock, log: Log): Promise<Identity> {
  for (let tries = 1; ; tries += 1) {
    const answer = await web.identity();
    if (answer.kind === 'ok') {
      if (answer.value.appId === null)
        log.warn(
          { event: 'slack.app-unknown' },
          'Slack did not name the app: the app id of payloads is not checked',
        );
      return answer.value;
    }
    const reason = slackErrorText(answer);
    if (answer.kind === 'refused') throw new StartupError(tokenRejected('SLACK_BOT_TOKEN', reason));
    if (tries === MAX_TRIES) throw new StartupError(`No answer from Slack at SLACK_API_URL: ${reason}`);
    log.warn({ event: 'slack.sign-in-delayed', tries, reason }, 'Slack is not answering, retrying');
    await waitOn(clock, answer.kind === 'throttled' ? answer.retryAfterMs : PAUSE_MS);
  }
}

/** The startup error for an error of `apps.connections.open`; null where it is none. */
export function startupErrorOf(error: unknown): StartupError | null {
  const kinds = [WebAPIPlatformError, WebAPIRequestError, WebAPIHTTPError];
  if (!kinds.some((kind) => error instanceof kind)) return null;
  const fault = readSlackError(error);
  return new StartupError(
    fault.kind === 'refused'
      ? tokenRejected('SLACK_APP_TOKEN', fault.error)
      : `No answer from Slack at SLACK_API_URL: ${slackErrorText(fault)}`,
  );
}
