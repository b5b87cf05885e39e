/** What happens to a card that Slack did not take: retry, wait for its channel, or give up. */
import { type Clock, HOUR, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import { type CardKey, cardKey, readCardKey } from '../../lib/ids.ts';
import { createSeenKeys } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { CardRecord } from '../../store/port/card-records.ts';
import type { AuditEntry, Store } from '../../store/port/store.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import { type SlackError, slackErrorText } from '../web-api/slack-errors.ts';
import type { MessageRef } from '../web-api/slack-web.ts';
import { forgetCalls } from './tracked-calls.ts';

export type RetryPolicy = Readonly<ReturnType<typeof createRetryPolicy>>;

export type RetryPolicyOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly onRefused: (key: CardKey, error: string) => Promise<void>;
  readonly postWaiters: Pick<Readonly<ReturnType<typeof createPostWaiters>>, 'resolve'>;
};

/** First pause while a channel refuses an alert, doubled each time. Alerts wait until somebody fixes the channel. */
const CHANNEL_RETRY_MS = 10 * MINUTE;
const MAX_CHANNEL_RETRY_MS = HOUR;
/** Completion messages are tried every five minutes for a day, because Slack's answer may be a passing fault or a token being replaced. */
const MAX_COMPLETION_TRIES = 290;
/** Pause after a failed attempt: doubled each time, at most five minutes. */
function retryDelayMs(attempts: number): number {
  return Math.min(2 * SECOND * 2 ** Math.min(attempts, 10), 5 * MINUTE);
}

export function createRetryPolicy({ store, clock, log, onRefused, postWaiters }: RetryPolicyOptions) {
  const isFirst = createSeenKeys();

  const retryIn = (ms: number): WorkResult => ({ kind: 'again', dueAt: later(clock.now(), ms) });

  /** Until the card changes again; never again if it was never posted, unless something is added meanwhile. */
  const giveUp = async (card: CardRecord, error: string): Promise<WorkResult> => {
    // Alerts that were added meanwhile would be lost.
    const givenUp = await store.transaction(async (tables) => {
      if (!(await tables.cards.giveUp(card, error))) return false;
      await forgetCalls(tables.cardCalls, card.key, clock.now());
      if (isCompletionMessage(card.key))
        await tables.audit.append(undeliveredEntry(card, error, clock.now()));
      return true;
    });
    if (!givenUp) return retryIn(0);
    log.error(
      { event: 'card.refused', card: card.key, channel: card.channel, error },
      'Slack refused a card',
    );
    await onRefused(card.key, error);
    postWaiters.resolve(card.key, { kind: 'refused', error });
    return { kind: 'done' };
  };

  /** After a pause that grows with the attempts, or the one that Slack asks for. */
  const backOff = (
    card: CardRecord,
    work: ClaimedWork,
    fault: SlackError,
  ): Promise<WorkResult> | WorkResult => {
    if (isCompletionMessage(card.key) && work.attempts >= MAX_COMPLETION_TRIES)
      return giveUp(card, slackErrorText(fault));
    // One warning is enough for a message that nobody waits for.
    if (!isCompletionMessage(card.key) || isFirst(card.key))
      log.warn(
        { event: 'card.delayed', card: card.key, reason: slackErrorText(fault) },
        'card delayed, retrying',
      );
    return retryIn(fault.kind === 'throttled' ? fault.retryAfterMs : retryDelayMs(work.attempts));
  };

  /** The same without a log line, because the channel was not called. */
  const waitQuietly = ({ attempts }: ClaimedWork): WorkResult =>
    retryIn(Math.min(CHANNEL_RETRY_MS * 2 ** Math.min(attempts, 10), MAX_CHANNEL_RETRY_MS));

  /** Until somebody fixes the channel; logs why. */
  const waitForChannel = (card: CardRecord, work: ClaimedWork, error: string): WorkResult => {
    log.error(
      { event: 'card.parked', card: card.key, channel: card.channel, error },
      'alert held back, retrying',
    );
    return waitQuietly(work);
  };

  return { retryIn, backOff, waitForChannel, waitQuietly, giveUp };
}

/** How often in a row a card only had to wait; `count` counts one more. */
export type WaitCounter = Readonly<ReturnType<typeof createWaitCounter>>;

export function createWaitCounter() {
  const waited = new Map<CardKey, number>();
  return {
    count(key: CardKey): number {
      const times = waited.get(key) ?? 0;
      waited.set(key, times + 1);
      return times;
    },
    forget: (key: CardKey): void => void waited.delete(key),
  };
}

/** What is new in the fleet: it waits for its channel, and is posted anew where its message is gone. */
export function isAlertCard(key: CardKey): boolean {
  const { kind } = readCardKey(key);
  return kind === 'alert' || kind === 'silence';
}

function isCompletionMessage(key: CardKey): boolean {
  const { kind } = readCardKey(key);
  return kind === 'told' || kind === 'returned';
}

function subjectOf(key: CardKey): string {
  const { kind, id } = readCardKey(key);
  return kind === 'returned' ? cardKey('approval', id.split('.', 1)[0] ?? id) : id;
}

function undeliveredEntry(card: CardRecord, error: string, at: Instant): AuditEntry {
  const detail = { person: card.fallbackPerson ?? card.channel, error };
  return { at, actor: 'patchbay', action: 'outcome.untold', subject: subjectOf(card.key), detail };
}

type PostResult =
  | { readonly kind: 'posted'; readonly message: MessageRef }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'delayed' };

export function createPostWaiters(store: Pick<Store, 'cards'>) {
  const waiting = new Map<CardKey, Set<(end: PostResult) => void>>();
  return {
    resolve: (key: CardKey, end: PostResult): void => {
      for (const resolve of waiting.get(key) ?? []) resolve(end);
      waiting.delete(key);
    },
    async whenPosted(key: CardKey, withinMs: number): Promise<PostResult> {
      const { promise, resolve } = Promise.withResolvers<PostResult>();
      const others = waiting.get(key) ?? new Set();
      waiting.set(key, others.add(resolve));
      const timer = setTimeout(() => resolve({ kind: 'delayed' }), withinMs);
      try {
        const end = postResultOf(await store.cards.get(key));
        if (end !== null) resolve(end);
        return await promise;
      } finally {
        clearTimeout(timer);
        others.delete(resolve);
        if (others.size === 0) waiting.delete(key);
      }
    },
  };
}

function postResultOf(card: CardRecord | null): PostResult | null {
  if (card === null) return null;
  if (card.failure !== null) return { kind: 'refused', error: card.failure };
  if (card.ts === null || card.postedChannel === null) return null;
  return { kind: 'posted', message: { channel: card.postedChannel, ts: card.ts } };
}
