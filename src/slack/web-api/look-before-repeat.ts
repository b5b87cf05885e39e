/**
 * Messages and files that are no cards: where the outcome is unknown, the conversation is read before one is sent once
 * more. Cards have their own record (`src/slack/cards/tracked-calls.ts`).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConversationsHistoryResponse, WebClient } from '@slack/web-api';
import { SECOND } from '../../lib/clock.ts';
import { type ChannelId, type MessageTs, messageTs } from '../../lib/ids.ts';
import type { SlackResult } from './slack-errors.ts';

/** Whatever Slack did before it answered with an error, it has done by then; wall time, because it waits for Slack. */
const SETTLE_MS = 3 * SECOND;
/** The newest messages of a channel, where ours is seconds old. */
const HISTORY_PAGE = 200;
/** The most of a thread, which begins with its oldest (docs.slack.dev/reference/methods/conversations.replies). */
const THREAD_PAGE = 1_000;

type FoundMessage = NonNullable<ConversationsHistoryResponse['messages']>[number];
type MessagePlace = { readonly channel: ChannelId; readonly ts: MessageTs };
type LookPlace = { readonly channel: ChannelId; readonly thread?: MessageTs | undefined };
/** Not in the conversation. */
export const ABSENT = 'absent';

/**
 * Sends at most twice, and a second time only after a look that did not find it. A call that may still be carried out is
 * looked for and not repeated.
 */
export async function lookBeforeRepeat<T>(
  send: () => Promise<SlackResult<T>>,
  look: () => Promise<SlackResult<T | typeof ABSENT>>,
  settleMs = SETTLE_MS,
): Promise<SlackResult<T>> {
  for (let sent = 1; ; sent += 1) {
    const answer = await send();
    if (answer.kind !== 'uncertain') return answer;
    await sleep(settleMs);
    const found = await look();
    if (found.kind === 'ok' && found.value !== ABSENT) return { kind: 'ok', value: found.value };
    if (found.kind !== 'ok' || answer.inFlight || sent > 1) return answer;
  }
}

/** Metadata by which a message that is no card is recognized. */
export function answerMark() {
  return { event_type: 'patchbay_answer', event_payload: { id: randomUUID() } };
}

/** The message with this mark. Throws what the client throws, as the others do. */
export async function findMarked(
  reads: WebClient,
  { channel, thread }: LookPlace,
  { event_payload: { id } }: ReturnType<typeof answerMark>,
): Promise<MessagePlace | typeof ABSENT> {
  const isIt = ({ metadata }: FoundMessage) => metadataId(metadata) === id;
  const found = await findMessage(reads, { channel, thread }, isIt);
  return found?.ts === undefined ? ABSENT : { channel, ts: messageTs(found.ts) };
}

/** Null: a message with this file stands in the channel. */
export async function findFile(
  reads: WebClient,
  channel: ChannelId,
  file: string,
): Promise<null | typeof ABSENT> {
  const isIt = ({ files = [] }: FoundMessage) => files.some(({ id }) => id === file);
  return (await findMessage(reads, { channel }, isIt)) === null ? ABSENT : null;
}

/** Null: this message, which we posted, was edited since. */
export async function findEdit(
  reads: WebClient,
  { channel, ts }: MessagePlace,
): Promise<null | typeof ABSENT> {
  const found = await findMessage(reads, { channel }, (message) => message.ts === ts);
  return found?.edited === undefined ? ABSENT : null;
}

async function findMessage(
  reads: WebClient,
  { channel, thread }: LookPlace,
  isIt: (message: FoundMessage) => boolean,
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

function metadataId(metadata: FoundMessage['metadata']): unknown {
  const payload: Readonly<Record<string, unknown>> | undefined = metadata?.event_payload;
  return payload?.['id'];
}
