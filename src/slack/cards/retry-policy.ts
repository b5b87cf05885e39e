/** What becomes of a card that Slack did not show: it is tried again, waits for its channel, or is given up. */
import { type Clock, HOUR, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import { cardKey, readCardKey } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { AuditEntry, CardKey, CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { WorkResult } from '../../store/work/worker.ts';
import { createSeenKeys } from '../interactions/seen-keys.ts';
import { type SlackError, slackErrorText } from '../web-api/slack-errors.ts';
import type { PostWaiters } from './card-waits.ts';
import { forgetCalls } from './tracked-calls.ts';

export type RetryPolicy = {
  /** After so many milliseconds. */
  readonly retryIn: (ms: number) => WorkResult;
  /** After a pause that grows with the attempts, or as long as Slack asks for. */
  readonly backOff: (
    card: CardRecord,
    work: ClaimedWork,
    fault: SlackError,
  ) => Promise<WorkResult> | WorkResult;
  /** Until somebody mends the channel. */
  readonly waitForChannel: (card: CardRecord, work: ClaimedWork, error: string) => WorkResult;
  /** The same without a word, where the channel was not asked. */
  readonly waitQuietly: (work: ClaimedWork) => WorkResult;
  /** Never, unless something was added to it meanwhile. */
  readonly giveUp: (card: CardRecord, error: string) => Promise<WorkResult>;
};

export type RetryPolicyOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when Slack will not take a card at all. */
  readonly onRefused: (key: CardKey, error: string) => Promise<void>;
  readonly postWaiters: Pick<PostWaiters, 'resolve'>;
};

/** News whose channel will not have it waits for somebody to mend that: it stays news. Doubled each time. */
const CHANNEL_RETRY_MS = 10 * MINUTE;
const MAX_CHANNEL_RETRY_MS = HOUR;
/**
 * How something ended is told for a day at the most, every five minutes: then it is no news, and its card says it too.
 * Whatever Slack answers until then may be a mishap of its own, or a token that is being changed.
 */
const MAX_COMPLETION_TRIES = 290;
/** Pause after a failed attempt: doubled each time, at most five minutes. */
function retryDelayMs(attempts: number): number {
  return Math.min(2 * SECOND * 2 ** Math.min(attempts, 10), 5 * MINUTE);
}

export function createRetryPolicy({
  store,
  clock,
  log,
  onRefused,
  postWaiters,
}: RetryPolicyOptions): RetryPolicy {
  const isFirst = createSeenKeys();

  const retryIn = (ms: number): WorkResult => ({ kind: 'again', dueAt: later(clock.now(), ms) });

  const giveUp = async (card: CardRecord, error: string): Promise<WorkResult> => {
    // What was added to it meanwhile would be lost with it.
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

  const backOff = (
    card: CardRecord,
    work: ClaimedWork,
    fault: SlackError,
  ): Promise<WorkResult> | WorkResult => {
    if (isCompletionMessage(card.key) && work.attempts >= MAX_COMPLETION_TRIES)
      return giveUp(card, slackErrorText(fault));
    // Of one message that nobody waits for, once is enough.
    if (!isCompletionMessage(card.key) || isFirst(card.key))
      log.warn(
        { event: 'card.delayed', card: card.key, reason: slackErrorText(fault) },
        'card delayed, retrying',
      );
    return retryIn(fault.kind === 'throttled' ? fault.retryAfterMs : retryDelayMs(work.attempts));
  };

  const waitQuietly = ({ attempts }: ClaimedWork): WorkResult =>
    retryIn(Math.min(CHANNEL_RETRY_MS * 2 ** Math.min(attempts, 10), MAX_CHANNEL_RETRY_MS));

  const waitForChannel = (card: CardRecord, work: ClaimedWork, error: string): WorkResult => {
    log.error(
      { event: 'card.parked', card: card.key, channel: card.channel, error },
      'alert held back, retrying',
    );
    return waitQuietly(work);
  };

  return { retryIn, backOff, waitForChannel, waitQuietly, giveUp };
}

function isCompletionMessage(key: CardKey): boolean {
  const { kind } = readCardKey(key);
  return kind === 'told' || kind === 'returned';
}

/** The card that the message is about. */
function subjectOf(key: CardKey): string {
  const { kind, id } = readCardKey(key);
  return kind === 'returned' ? cardKey('approval', id.split('.', 1)[0] ?? id) : id;
}

/** That somebody was not told stands where it is looked for. */
function undeliveredEntry(card: CardRecord, error: string, at: Instant): AuditEntry {
  const detail = { person: card.fallbackPerson ?? card.channel, error };
  return { at, actor: 'patchbay', action: 'outcome.untold', subject: subjectOf(card.key), detail };
}
