/**
 * The outbox: posts each card once and edits it as its record changes. Slack has no idempotency key, so every call is
 * recorded before it is made. A call with an unknown outcome counts as in flight, also after a crash or on another
 * replica: a post is repeated only after the channel's history was read, and an edit is made once more.
 */
import { MINUTE, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type ChannelId, isCardKey, readCardKey } from '../../lib/ids.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { CardKey, CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { ChannelOpenPayload } from '../../store/port/store.ts';
import type { CardMessage, Identity, SlackWeb } from '../web-api/slack-web.ts';
import { type CardStepResult, createEditCard } from './card-edit.ts';
import { type NextCardStep, nextCardStep } from './next-card-step.ts';
import { createPostSearch, postedMessageOf } from './post-search.ts';
import { createPostCard, createPostStep } from './post-step.ts';
import {
  createPostWaiters,
  createRetryPolicy,
  createWaitCounter,
  type RetryPolicyOptions,
} from './retry-policy.ts';
import { createTrackedCalls, forgetCalls } from './tracked-calls.ts';

export type CardOutbox = Readonly<ReturnType<typeof createCardOutbox>>;

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
const MAX_IDLE_MS = MINUTE;
/** A line waits for the card in whose thread it is. */
const UNPOSTED_PARENT_MS = 5 * SECOND;
/** A card with more steps than this in a row lets other cards go first. */
const MAX_STEPS_PER_RUN = 6;

export function createCardOutbox(options: CardOutboxOptions) {
  const { store, web, clock, log, renderCard } = options;
  const postWaiters = createPostWaiters(store);
  const retryPolicy = createRetryPolicy({ ...options, postWaiters });
  const { retryIn, waitQuietly } = retryPolicy;
  const track = createTrackedCalls({ ...options, calls: store.cardCalls });
  const waits = createWaitCounter();
  const { post, isHeldBack, reopen } = createPostStep({
    ...retryPolicy,
    ...options,
    postCard: createPostCard(web, track, log),
  });
  const edit = createEditCard({ ...retryPolicy, store, web, clock, track });
  const findPosts = createPostSearch({ ...retryPolicy, ...options, waits });

  /** The card has no message, so its calls need no search: the next read of the channel covers each of them. */
  const forget = async (key: CardKey): Promise<WorkResult> => {
    waits.forget(key);
    await forgetCalls(store.cardCalls, key, clock.now());
    return { kind: 'done' };
  };

  const runStep = async (
    step: NextCardStep,
    card: CardRecord,
    work: ClaimedWork,
  ): Promise<CardStepResult> => {
    if (step.kind === 'wait') return retryIn(Math.max(step.ms, idleDelayMs(waits.count(card.key))));
    if (step.kind !== 'look') waits.forget(card.key);
    switch (step.kind) {
      case 'done':
        return { kind: 'done' };
      case 'look': {
        const { posts } = step;
        if (readCardKey(card.key).kind !== 'line') return findPosts(card, work, { posts, thread: null });
        const line = await renderCard(card.key);
        if (line === null) return forget(card.key);
        const { thread } = line;
        return thread ? findPosts(card, work, { posts, thread }) : retryIn(UNPOSTED_PARENT_MS);
      }
      case 'post':
      case 'edit': {
        if (step.kind === 'post' && isHeldBack(card)) return waitQuietly(work);
        const message = await renderCard(card.key);
        if (message === null) return forget(card.key);
        if (message.thread === null) return retryIn(UNPOSTED_PARENT_MS);
        const target = postedMessageOf(card);
        return step.kind === 'post' || target === null
          ? post(card, work, message)
          : edit({ card, work, target, message, settled: step.settled });
      }
    }
  };

  return {
    /** Handler of `card` work. */
    async handleWork(work: ClaimedWork): Promise<WorkResult> {
      // Card work is keyed by the card.
      if (!isCardKey(work.key)) throw new Error('card work with a key of an unknown kind');
      for (let steps = 0; steps < MAX_STEPS_PER_RUN; steps += 1) {
        const card = await store.cards.get(work.key);
        // An edit that was given up says nothing about the next state of the card.
        if (card === null || (card.failure !== null && card.ts === null)) return forget(work.key);
        // Another replica may have seen that the channel was opened.
        if (steps === 0 && work.attempts === 0 && work.payload === CHANNEL_OPEN) reopen(card.channel);
        const message = postedMessageOf(card);
        if (message !== null) postWaiters.resolve(card.key, { kind: 'posted', message });
        const calls = await store.cardCalls.callsOfCard(card.key, clock.now());
        const result = await runStep(nextCardStep(card, calls), card, work);
        if (result !== 'next') return result;
      }
      return retryIn(0);
    },
    /** Waits (wall time) until the card is posted or given up; `delayed` when that takes longer. */
    whenPosted: postWaiters.whenPosted,
    /** The bot may post in this channel by now: its waiting cards are due at once. */
    async resume(channel: ChannelId): Promise<void> {
      reopen(channel);
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
