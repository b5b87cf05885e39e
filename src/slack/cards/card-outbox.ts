/**
 * The outbox: posts each card once and edits it as its record changes. Slack has no idempotency key, so every call is
 * recorded before it is made. A call with an unknown outcome counts as in flight, also after a crash or on another
 * replica: a post is repeated only after the channel's history was read, and an edit is made once more.
 */
import { MINUTE, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type ChannelId, isCardKey, readCardKey } from '../../lib/ids.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';
import type { CardKey, CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { ChannelOpenPayload } from '../../store/port/store.ts';
import type { WorkResult } from '../../store/work/worker.ts';
import { isChannelRefused, isContentRefused, type SlackError } from '../web-api/slack-errors.ts';
import type { CardMessage, Identity, MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import { type CardStepResult, createEditCard } from './card-edit.ts';
import { createCardFinder } from './card-finder.ts';
import { createPostCard } from './card-post.ts';
import { createPostWaiters, type PostResult } from './card-waits.ts';
import { createChannelPacing, createClosedChannels } from './channel-pacing.ts';
import {
  planDuplicates,
  recordSuspectedDuplicate,
  removeDuplicate,
  resolveDuplicates,
} from './duplicate-messages.ts';
import { type NextCardStep, nextCardStep } from './next-card-step.ts';
import { createRetryPolicy, type RetryPolicyOptions } from './retry-policy.ts';
import { concludeCalls, createTrackedCalls, forgetCalls } from './tracked-calls.ts';

export type CardOutbox = {
  /** Handler of `card` work. */
  readonly handleWork: (work: ClaimedWork) => Promise<WorkResult>;
  /** Waits (wall time) until the card is posted or given up; `delayed` when that takes longer. */
  readonly whenPosted: (key: CardKey, withinMs: number) => Promise<PostResult>;
  /** The bot may post in this channel by now: its waiting cards are due at once. */
  readonly resume: (channel: ChannelId) => Promise<void>;
};

export type CardOutboxOptions = Omit<RetryPolicyOptions, 'postWaiters'> & {
  readonly web: SlackWeb;
  /** The bot's own identity: a message that somebody else posted with our key is not our card. */
  readonly identity: Pick<Identity, 'botUserId' | 'botId'>;
  /** The current content of a card; null when its record is gone. */
  readonly renderCard: (key: CardKey) => Promise<CardMessage | null>;
  readonly onFailpoint?: OnFailpoint | undefined;
  /** How long a call may still take effect; only the kill tests shorten it. */
  readonly callTimeoutMs?: number | undefined;
  /** Monotonic milliseconds, for history reads. */
  readonly time?: () => number;
};

const CHANNEL_OPEN: ChannelOpenPayload = 'channel-open';
/** Between checks for a post that may still take effect. */
const RECHECK_MS = 10 * SECOND;
/** Until the next check of a channel whose history is being read. */
const PENDING_READ_MS = 2 * SECOND;
const MAX_IDLE_MS = MINUTE;
/** A card with more steps than this in a row lets other cards go first. */
const MAX_STEPS_PER_RUN = 6;

export function createCardOutbox(options: CardOutboxOptions): CardOutbox {
  const { store, web, clock, log, renderCard, onFailpoint } = options;
  const postWaiters = createPostWaiters(store);
  const retryPolicy = createRetryPolicy({ ...options, postWaiters });
  const { retryIn, giveUp, backOff, waitForChannel, waitQuietly } = retryPolicy;
  const track = createTrackedCalls({ ...options, calls: store.cardCalls });
  const postCard = createPostCard(web, track, log);
  const edit = createEditCard({ ...retryPolicy, store, web, clock, track });
  const finder = createCardFinder({ ...options, calls: store.cardCalls });
  const pace = createChannelPacing(clock);
  /** How often in a row a card only had to wait. */
  const waited = new Map<CardKey, number>();
  const timesWaited = (key: CardKey): number => {
    const times = waited.get(key) ?? 0;
    waited.set(key, times + 1);
    return times;
  };
  const closed = createClosedChannels(clock);

  /** The first recorded message stays; a second one, by a holder that lost its lease, is removed. */
  const posted = async (
    card: CardRecord,
    work: ClaimedWork,
    place: MessageRef,
    call: string,
  ): Promise<CardStepResult> => {
    const isFirst = await store.transaction(async (tables) => {
      const recorded = await tables.cards.recordPosted(card.key, { ...place, revision: card.wantedRevision });
      if (recorded) await tables.cardCalls.end([call]);
      return recorded;
    });
    if (isFirst) return 'next';
    const fault = await removeDuplicate(web, place);
    await store.transaction(async (tables) => {
      // The record of its call may be gone if this process was suspended for minutes.
      if (fault !== null) await recordSuspectedDuplicate(tables, card.key, place, clock.now());
      await tables.cardCalls.end([call]);
    });
    return fault === null ? 'next' : backOff(card, work, fault);
  };

  const post = async (card: CardRecord, work: ClaimedWork, message: CardMessage): Promise<CardStepResult> => {
    const turn = pace.nextTurn(card.channel, card.key);
    if (turn !== null) return { kind: 'again', dueAt: turn };
    const sent = await postCard(card, work, message);
    switch (sent.kind) {
      case 'ok':
        closed.open(card.channel);
        await onFailpoint?.('card.posted');
        return posted(card, work, sent.value, sent.call);
      case 'not-made':
        return retryIn(0);
      case 'throttled':
        return { kind: 'again', dueAt: pace.throttled(card.channel, card.key, sent.retryAfterMs) };
      case 'refused':
        return refused(card, work, sent);
      case 'unsent':
      case 'uncertain':
        return backOff(card, work, sent);
    }
  };

  const refused = (
    card: CardRecord,
    work: ClaimedWork,
    fault: Extract<SlackError, { kind: 'refused' }>,
  ): Promise<WorkResult> | WorkResult => {
    if (isChannelRefused(fault.error) && isAlertCard(card.key)) {
      closed.close(card.channel);
      return waitForChannel(card, work, fault.error);
    }
    // Even the plain text was refused, so this content will never be accepted.
    if (isChannelRefused(fault.error) || isContentRefused(fault.error)) return giveUp(card, fault.error);
    return backOff(card, work, fault);
  };

  /** Resolves posts with an unknown outcome: records the message that was found and removes duplicates. */
  const findPosts = async (
    card: CardRecord,
    work: ClaimedWork,
    posts: readonly CardCall[],
  ): Promise<CardStepResult> => {
    const search = await finder.find(card.key, posts);
    if (search.kind === 'pending')
      return retryIn(Math.min(PENDING_READ_MS * 2 ** timesWaited(card.key), RECHECK_MS));
    waited.delete(card.key);
    if (search.kind === 'failed') return backOff(card, work, search.fault);
    // The search takes time: a message that another holder recorded meanwhile is not a duplicate.
    const current = await store.cards.get(card.key);
    if (current === null || current.ts !== card.ts) return 'next';
    const recorded = postedMessageOf(card);
    const plan = planDuplicates(recorded, search.copies);
    if (recorded === null && plan.keep !== null) {
      // The content of the found message is unknown; revision 0 makes the next step edit it.
      if (!(await store.cards.recordPosted(card.key, { ...plan.keep, revision: 0 }))) return 'next';
    }
    const fault = await resolveDuplicates(web, plan);
    if (fault !== null) return backOff(card, work, fault);
    const foundCount =
      search.copies.length - (recorded === null ? 0 : countMessages(search.copies, recorded));
    const covered = posts.filter(search.isCovered);
    const allFound = foundCount >= posts.length;
    if (allFound) await store.cardCalls.end(posts.map(({ id }) => id));
    else await concludeCalls(store.cardCalls, covered);
    if (allFound || covered.length > 0 || (recorded === null && plan.keep !== null)) return 'next';
    return retryIn(Math.min(RECHECK_MS, ...posts.map(({ settlesInMs }) => Math.max(settlesInMs, SECOND))));
  };

  /** The card has no message, so its calls need no search: the next read of the channel covers each of them. */
  const forget = async (key: CardKey): Promise<WorkResult> => {
    waited.delete(key);
    await forgetCalls(store.cardCalls, key, clock.now());
    return { kind: 'done' };
  };

  const runStep = async (
    step: NextCardStep,
    card: CardRecord,
    work: ClaimedWork,
  ): Promise<CardStepResult> => {
    if (step.kind === 'wait') return retryIn(Math.max(step.ms, idleDelayMs(timesWaited(card.key))));
    if (step.kind !== 'look') waited.delete(card.key);
    switch (step.kind) {
      case 'done':
        return { kind: 'done' };
      case 'look':
        return findPosts(card, work, step.posts);
      case 'post':
      case 'edit': {
        if (step.kind === 'post' && isAlertCard(card.key) && closed.isClosed(card.channel))
          return waitQuietly(work);
        const message = await renderCard(card.key);
        if (message === null) return forget(card.key);
        const target = postedMessageOf(card);
        return step.kind === 'post' || target === null
          ? post(card, work, message)
          : edit({ card, work, target, message, settled: step.settled });
      }
    }
  };

  return {
    async handleWork(work) {
      // Card work is keyed by the card.
      if (!isCardKey(work.key)) throw new Error('card work with a key of an unknown kind');
      for (let steps = 0; steps < MAX_STEPS_PER_RUN; steps += 1) {
        const card = await store.cards.get(work.key);
        if (card === null || card.failure !== null) return forget(work.key);
        // Another replica may have seen that the channel was opened.
        if (steps === 0 && work.attempts === 0 && work.payload === CHANNEL_OPEN) closed.open(card.channel);
        const message = postedMessageOf(card);
        if (message !== null) postWaiters.resolve(card.key, { kind: 'posted', message });
        const calls = await store.cardCalls.callsOfCard(card.key, clock.now());
        const result = await runStep(nextCardStep(card, calls), card, work);
        if (result !== 'next') return result;
      }
      return retryIn(0);
    },
    whenPosted: postWaiters.whenPosted,
    async resume(channel) {
      closed.open(channel);
      await store.cards.resumeUnposted(channel, clock.now());
    },
  };
}

/**
 * Calls settle in real time. On a fast clock, a waiting card is checked less often, but often enough to overwrite late
 * edits soon.
 */
function idleDelayMs(times: number): number {
  return Math.min(SECOND * 2 ** Math.min(times, 12), MAX_IDLE_MS);
}

function postedMessageOf({ postedChannel, ts }: CardRecord): MessageRef | null {
  return postedChannel === null || ts === null ? null : { channel: postedChannel, ts };
}

function countMessages(places: readonly MessageRef[], { channel, ts }: MessageRef): number {
  return places.filter((place) => place.channel === channel && place.ts === ts).length;
}

function isAlertCard(key: CardKey): boolean {
  const { kind } = readCardKey(key);
  return kind === 'alert' || kind === 'silence';
}
