/** What becomes of a card that Slack did not show: it is tried again, waits for its channel, or is given up. */
import { type Clock, HOUR, type Instant, later, MINUTE, SECOND } from '../../clock.ts';
import { cardKey, readCardKey } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { AuditEntry, CardKey, CardRecord, ClaimedWork } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { WorkResult } from '../../store/worker.ts';
import { faultText, type SlackFault } from '../faults.ts';
import { createRecentNames } from '../recent-names.ts';
import type { CardWaits } from './card-waits.ts';
import { forgetCalls } from './tracked-calls.ts';

export type Setbacks = {
  /** After so many milliseconds. */
  readonly again: (ms: number) => WorkResult;
  /** After a pause that grows with the attempts, or as long as Slack asks for. */
  readonly delayed: (
    card: CardRecord,
    work: ClaimedWork,
    fault: SlackFault,
  ) => Promise<WorkResult> | WorkResult;
  /** Until somebody mends the channel. */
  readonly parked: (card: CardRecord, work: ClaimedWork, error: string) => WorkResult;
  /** The same without a word, where the channel was not asked. */
  readonly waiting: (work: ClaimedWork) => WorkResult;
  /** Never, unless something was added to it meanwhile. */
  readonly giveUp: (card: CardRecord, error: string) => Promise<WorkResult>;
};

export type SetbacksOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when Slack will not take a card at all. */
  readonly onRefused: (key: CardKey, error: string) => Promise<void>;
  readonly waits: Pick<CardWaits, 'settle'>;
};

/** News whose channel will not have it waits for somebody to mend that: it stays news. Doubled each time. */
const PARKED_MS = 10 * MINUTE;
const LONGEST_PARKED_MS = HOUR;
/**
 * How something ended is told for a day at the most, every five minutes: then it is no news, and its card says it too.
 * Whatever Slack answers until then may be a mishap of its own, or a token that is being changed.
 */
const MOST_TELLINGS = 290;
/** Pause after a failed attempt: doubled each time, at most five minutes. */
function pause(attempts: number): number {
  return Math.min(2 * SECOND * 2 ** Math.min(attempts, 10), 5 * MINUTE);
}

export function createSetbacks({ store, clock, log, onRefused, waits }: SetbacksOptions): Setbacks {
  const isFirst = createRecentNames();

  const again = (ms: number): WorkResult => ({ kind: 'again', dueAt: later(clock.now(), ms) });

  const giveUp = async (card: CardRecord, error: string): Promise<WorkResult> => {
    // What was added to it meanwhile would be lost with it.
    const givenUp = await store.transaction(async (tables) => {
      if (!(await tables.cards.giveUp(card, error))) return false;
      await forgetCalls(tables.cardCalls, card.key, clock.now());
      if (isTelling(card.key)) await tables.audit.append(untold(card, error, clock.now()));
      return true;
    });
    if (!givenUp) return again(0);
    log.error(
      { event: 'card.refused', card: card.key, channel: card.channel, error },
      'Slack refused a card',
    );
    await onRefused(card.key, error);
    waits.settle(card.key, { kind: 'refused', error });
    return { kind: 'done' };
  };

  const delayed = (
    card: CardRecord,
    work: ClaimedWork,
    fault: SlackFault,
  ): Promise<WorkResult> | WorkResult => {
    if (isTelling(card.key) && work.attempts >= MOST_TELLINGS) return giveUp(card, faultText(fault));
    // Of one message that nobody waits for, once is enough.
    if (!isTelling(card.key) || isFirst(card.key))
      log.warn({ event: 'card.delayed', card: card.key, reason: faultText(fault) }, 'card delayed, retrying');
    return again(fault.kind === 'throttled' ? fault.retryAfterMs : pause(work.attempts));
  };

  const waiting = ({ attempts }: ClaimedWork): WorkResult =>
    again(Math.min(PARKED_MS * 2 ** Math.min(attempts, 10), LONGEST_PARKED_MS));

  const parked = (card: CardRecord, work: ClaimedWork, error: string): WorkResult => {
    log.error(
      { event: 'card.parked', card: card.key, channel: card.channel, error },
      'alert held back, retrying',
    );
    return waiting(work);
  };

  return { again, delayed, parked, waiting, giveUp };
}

function isTelling(key: CardKey): boolean {
  const { kind } = readCardKey(key);
  return kind === 'told' || kind === 'returned';
}

/** The card that the message is about. */
function aboutOf(key: CardKey): string {
  const { kind, id } = readCardKey(key);
  return kind === 'returned' ? cardKey('approval', id.split('.', 1)[0] ?? id) : id;
}

/** That somebody was not told stands where it is looked for. */
function untold(card: CardRecord, error: string, at: Instant): AuditEntry {
  const detail = { person: card.fallbackPerson ?? card.channel, error };
  return { at, actor: 'patchbay', action: 'outcome.untold', subject: aboutOf(card.key), detail };
}
