/**
 * Messages and files that are no cards: where the outcome is unknown, the conversation is read before one is sent once
 * more. Cards have their own record (`src/slack/cards/tracked-calls.ts`).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConversationsHistoryResponse, WebClient } from '@slack/web-api';
import { SECOND } from '../../lib/clock.ts';
import type { ChannelId, MessageTs } from '../../lib/ids.ts';
import { type SlackResult, slackResult } from './slack-errors.ts';

/** Whatever Slack did before it answered with an error, it has done by then; wall time, because it waits for Slack. */
const SETTLE_MS = 3 * SECOND;
/** The newest messages of a channel, where ours is seconds old. */
const HISTORY_PAGE = 200;
/** The most of a thread, which begins with its oldest (docs.slack.dev/reference/methods/conversations.replies). */
const THREAD_PAGE = 1_000;

type FoundMessage = NonNullable<ConversationsHistoryResponse['messages']>[number];

/** A call whose effect is a message of a conversation, or a change of one. */
export type SoughtCall<T> = {
  readonly send: () => Promise<SlackResult<T>>;
  readonly place: { readonly channel: ChannelId; readonly thread?: MessageTs | undefined };
  /** Whether this message shows that it was carried out. */
  readonly isIt: (message: FoundMessage) => boolean;
  readonly valueOf: (found: FoundMessage) => T;
  /** An earlier try may have sent it: looked for first. */
  readonly mayBeThere?: boolean;
};

/**
 * Sends at most twice, and a second time only after a look that did not find it. A call that may still be carried out is
 * looked for and not repeated.
 */
export async function lookBeforeRepeat<T>(
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
export function answerMark(id: string = randomUUID()) {
  return { event_type: 'patchbay_answer', event_payload: { id } };
}

export function isMarked({ metadata }: FoundMessage, mark: ReturnType<typeof answerMark>): boolean {
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
