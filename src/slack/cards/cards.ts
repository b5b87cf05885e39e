/**
 * The outbox: shows each card once and edits it in place as its thing changes. Slack has no idempotency key, so every
 * call is recorded before it is made; one whose outcome is not known counts as under way, also after a crash or on
 * another replica: the channel's history is read before a post is repeated, and an edit is made once more.
 */
import { MINUTE, SECOND } from '../../clock.ts';
import { isCardKey, readCardKey } from '../../ids.ts';
import type { OnStep } from '../../steps.ts';
import type { CardCall } from '../../store/card-calls.ts';
import type { CardKey, CardRecord, ClaimedWork } from '../../store/records.ts';
import type { WorkResult } from '../../store/worker.ts';
import { contentRefused, placeRefuses, type SlackFault } from '../faults.ts';
import type { CardMessage, Identity, Place, SlackWeb } from '../web.ts';
import { type CardResult, createEditCard } from './card-edit.ts';
import { createCardFinder } from './card-finder.ts';
import { createPostCard } from './card-post.ts';
import { type CardStep, nextStep } from './card-step.ts';
import { type CardEnd, createCardWaits } from './card-waits.ts';
import { createClosedChannels } from './closed-channels.ts';
import { healCopies, planCopies, removeCopy, suspectCopy } from './copies.ts';
import { createPace } from './pace.ts';
import { createSetbacks, type SetbacksOptions } from './setbacks.ts';
import { conclude, createTrackedCalls, forgetCalls } from './tracked-calls.ts';

export type Cards = {
  /** Handler of `card` work. */
  readonly deliver: (work: ClaimedWork) => Promise<WorkResult>;
  /** Waits (wall time) until the card stands somewhere or was given up; `delayed` when that takes longer. */
  readonly whenPosted: (key: CardKey, withinMs: number) => Promise<CardEnd>;
};

export type CardsOptions = Omit<SetbacksOptions, 'waits'> & {
  readonly web: SlackWeb;
  /** Who posts our messages: what somebody else posted with a key of ours is not our card. */
  readonly identity: Pick<Identity, 'botUserId' | 'botId'>;
  /** What a card shows now; null when its record is gone. */
  readonly content: (key: CardKey) => Promise<CardMessage | null>;
  readonly onStep?: OnStep | undefined;
  /** How long a call may take effect; only the kill harness has less patience than the default. */
  readonly settleMs?: number | undefined;
  /** Monotonic milliseconds, for readings of the history. */
  readonly time?: () => number;
};

/** Between looks for a post that may still be carried out. */
const LOOK_AGAIN_MS = 10 * SECOND;
/** Until a channel that is being read is looked at again. */
const PENDING_MS = 2 * SECOND;
const LONGEST_IDLE_MS = MINUTE;
/** A card that needs more than this in a row lets others go first. */
const MOST_STEPS = 6;

export function createCards(options: CardsOptions): Cards {
  const { store, web, clock, log, content, onStep } = options;
  const waits = createCardWaits(store);
  const setbacks = createSetbacks({ ...options, waits });
  const { again, giveUp, delayed, parked, waiting } = setbacks;
  const track = createTrackedCalls({ ...options, calls: store.cardCalls });
  const postCard = createPostCard(web, track, log);
  const edit = createEditCard({ ...setbacks, store, web, clock, track });
  const finder = createCardFinder({ ...options, calls: store.cardCalls });
  const pace = createPace(clock);
  /** How often in a row a card had only to wait. */
  const waited = new Map<CardKey, number>();
  const timesWaited = (key: CardKey): number => {
    const times = waited.get(key) ?? 0;
    waited.set(key, times + 1);
    return times;
  };
  const closed = createClosedChannels(clock);

  /** The first message that is recorded stays; a second one, of a holder that lost its lease, goes again. */
  const posted = async (
    card: CardRecord,
    work: ClaimedWork,
    place: Place,
    call: string,
  ): Promise<CardResult> => {
    const isFirst = await store.transaction(async (tables) => {
      const recorded = await tables.cards.posted(card.key, { ...place, revision: card.wantedRevision });
      if (recorded) await tables.cardCalls.end([call]);
      return recorded;
    });
    if (isFirst) return 'next';
    const fault = await removeCopy(web, place);
    await store.transaction(async (tables) => {
      // Its call may have been forgotten already, when this process was held up for minutes.
      if (fault !== null) await suspectCopy(tables, card.key, place, clock.now());
      await tables.cardCalls.end([call]);
    });
    return fault === null ? 'next' : delayed(card, work, fault);
  };

  const post = async (card: CardRecord, work: ClaimedWork, message: CardMessage): Promise<CardResult> => {
    const turn = pace.turn(card.channel, card.key);
    if (turn !== null) return { kind: 'again', dueAt: turn };
    const sent = await postCard(card, work, message);
    switch (sent.kind) {
      case 'ok':
        closed.open(card.channel);
        await onStep?.('card.posted');
        return posted(card, work, sent.value, sent.call);
      case 'not-made':
        return again(0);
      case 'throttled':
        return { kind: 'again', dueAt: pace.throttled(card.channel, card.key, sent.retryAfterMs) };
      case 'refused':
        return refused(card, work, sent);
      case 'unsent':
      case 'uncertain':
        return delayed(card, work, sent);
    }
  };

  const refused = (
    card: CardRecord,
    work: ClaimedWork,
    fault: Extract<SlackFault, { kind: 'refused' }>,
  ): Promise<WorkResult> | WorkResult => {
    if (placeRefuses(fault.error) && isNews(card.key)) {
      closed.close(card.channel);
      return parked(card, work, fault.error);
    }
    // After the text alone was tried, this content will never be taken.
    if (placeRefuses(fault.error) || contentRefused(fault.error)) return giveUp(card, fault.error);
    return delayed(card, work, fault);
  };

  /** Reads what came of posts with an unknown outcome: records the message, and leaves one of several. */
  const look = async (
    card: CardRecord,
    work: ClaimedWork,
    posts: readonly CardCall[],
  ): Promise<CardResult> => {
    const found = await finder.find(card.key, posts);
    if (found.kind === 'pending')
      return again(Math.min(PENDING_MS * 2 ** timesWaited(card.key), LOOK_AGAIN_MS));
    waited.delete(card.key);
    if (found.kind === 'failed') return delayed(card, work, found.fault);
    // Looking takes a while: what another holder of this work recorded meanwhile is no copy.
    const current = await store.cards.get(card.key);
    if (current === null || current.ts !== card.ts) return 'next';
    const recorded = placeOf(card);
    const plan = planCopies(recorded, found.copies);
    if (recorded === null && plan.keep !== null) {
      // What the message shows is not known: revision 0 has it edited.
      if (!(await store.cards.posted(card.key, { ...plan.keep, revision: 0 }))) return 'next';
    }
    const fault = await healCopies(web, plan);
    if (fault !== null) return delayed(card, work, fault);
    const theirs = found.copies.length - (recorded === null ? 0 : countOf(found.copies, recorded));
    const covered = posts.filter(found.isCovered);
    const allFound = theirs >= posts.length;
    if (allFound) await store.cardCalls.end(posts.map(({ id }) => id));
    else await conclude(store.cardCalls, covered);
    if (allFound || covered.length > 0 || (recorded === null && plan.keep !== null)) return 'next';
    return again(Math.min(LOOK_AGAIN_MS, ...posts.map(({ settlesInMs }) => Math.max(settlesInMs, SECOND))));
  };

  /** Nothing is shown of it, so its calls are not looked for: each one is read for whenever its channel is. */
  const over = async (key: CardKey): Promise<WorkResult> => {
    waited.delete(key);
    await forgetCalls(store.cardCalls, key, clock.now());
    return { kind: 'done' };
  };

  const take = async (step: CardStep, card: CardRecord, work: ClaimedWork): Promise<CardResult> => {
    if (step.kind === 'wait') return again(Math.max(step.ms, idlePause(timesWaited(card.key))));
    if (step.kind !== 'look') waited.delete(card.key);
    switch (step.kind) {
      case 'done':
        return { kind: 'done' };
      case 'look':
        return look(card, work, step.posts);
      case 'post':
      case 'edit': {
        if (step.kind === 'post' && isNews(card.key) && closed.isClosed(card.channel)) return waiting(work);
        const message = await content(card.key);
        if (message === null) return over(card.key);
        const at = placeOf(card);
        return step.kind === 'post' || at === null
          ? post(card, work, message)
          : edit({ card, work, at, message, settled: step.settled });
      }
    }
  };

  return {
    async deliver(work) {
      // Card work is keyed by the card.
      if (!isCardKey(work.key)) throw new Error('card work with a key of an unknown kind');
      for (let steps = 0; steps < MOST_STEPS; steps += 1) {
        const card = await store.cards.get(work.key);
        if (card === null || card.failure !== null) return over(work.key);
        const place = placeOf(card);
        if (place !== null) waits.settle(card.key, { kind: 'posted', place });
        const calls = await store.cardCalls.ofCard(card.key, clock.now());
        const result = await take(nextStep(card, calls), card, work);
        if (result !== 'next') return result;
      }
      return again(0);
    },
    whenPosted: waits.whenPosted,
  };
}

/**
 * Calls settle in real time: where the clock runs faster than that, a card that only waits is looked at less often, but
 * never so seldom that what a late edit put back stays for long.
 */
function idlePause(times: number): number {
  return Math.min(SECOND * 2 ** Math.min(times, 12), LONGEST_IDLE_MS);
}

function placeOf({ postedChannel, ts }: CardRecord): Place | null {
  return postedChannel === null || ts === null ? null : { channel: postedChannel, ts };
}

function countOf(places: readonly Place[], { channel, ts }: Place): number {
  return places.filter((place) => place.channel === channel && place.ts === ts).length;
}

function isNews(key: CardKey): boolean {
  const { kind } = readCardKey(key);
  return kind === 'alert' || kind === 'silence';
}
