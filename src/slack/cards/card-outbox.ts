/**
 * The outbox: posts each card once and edits it as its record changes. Slack has no idempotency key, so every call is
 * recorded before it is made. A call with an unknown outcome counts as in flight, also after a crash or on another
 * replica: a post is repeated only after the channel's history was read, and an edit is made once more.
 */
import { type Clock, type Instant, later, MINUTE, monotonicNow, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import {
  type CardKey,
  type CardKind,
  type ChannelId,
  isCardKey,
  type MessageTs,
  readCardKey,
} from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { CardCall, CardRecord, ChannelOpenPayload } from '../../store/port/card-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import { isChannelRefused, isContentRefused, type SlackError } from '../web-api/slack-errors.ts';
import {
  type CardMessage,
  type Identity,
  type MessageRef,
  type SlackWeb,
  simplerMessage,
} from '../web-api/slack-web.ts';
import { type CardStepResult, createEditCard } from './card-edit.ts';
import {
  planDuplicates,
  recordSuspectedDuplicate,
  removeDuplicate,
  resolveDuplicates,
} from './duplicate-messages.ts';
import {
  type CardMessageCopy,
  type CardPlace,
  callLookKey,
  createHistoryReader,
  type HistoryRead,
  type HistoryReaderOptions,
} from './history-reader.ts';
import { type NextCardStep, nextCardStep } from './next-card-step.ts';
import {
  createPostWaiters,
  createRetryPolicy,
  createWaitCounter,
  isAlertCard,
  type RetryPolicy,
  type RetryPolicyOptions,
  type WaitCounter,
} from './retry-policy.ts';
import {
  concludeCalls,
  createTrackedCalls,
  forgetCalls,
  type TrackCall,
  type TrackedResult,
} from './tracked-calls.ts';

export type CardOutbox = Readonly<ReturnType<typeof createCardOutbox>>;

type CardOutboxOptions = Omit<RetryPolicyOptions, 'postWaiters'> & {
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
/** A line waits for the card in whose thread it is, and a card that was replaced for the newer one. */
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
        if (!isInThread(readCardKey(card.key).kind)) return findPosts(card, work, { posts, thread: null });
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

/** Calls settle in real time. On a fast clock, a waiting card is checked less often, but often enough to overwrite late edits soon. */
/** Posted in the thread of another card. */
const isInThread = (kind: CardKind): boolean => kind === 'line' || kind === 'nudge';

function idleDelayMs(times: number): number {
  return Math.min(SECOND * 2 ** Math.min(times, 12), MAX_IDLE_MS);
}

type PostSearchOptions = Pick<RetryPolicy, 'retryIn' | 'backOff'> &
  Omit<CardFinderOptions, 'calls'> & {
    readonly store: Store;
    readonly web: SlackWeb;
    readonly waits: WaitCounter;
  };

/** Between checks for a post that may still take effect. */
const RECHECK_MS = 10 * SECOND;
/** Until the next check of a channel whose history is being read. */
const PENDING_READ_MS = 2 * SECOND;

/** Resolves posts with an unknown outcome: records the message that was found and removes duplicates. */
function createPostSearch(options: PostSearchOptions) {
  const { store, web, waits, retryIn, backOff } = options;
  const finder = createCardFinder({ ...options, calls: store.cardCalls });

  /** `thread`: the message to which the card is a reply; null: it is none. */
  return async (
    card: CardRecord,
    work: ClaimedWork,
    { posts, thread }: { readonly posts: readonly CardCall[]; readonly thread: MessageRef | null },
  ): Promise<CardStepResult> => {
    const search = await finder.find(card.key, posts, thread?.ts ?? null);
    if (search.kind === 'pending')
      return retryIn(Math.min(PENDING_READ_MS * 2 ** waits.count(card.key), RECHECK_MS));
    waits.forget(card.key);
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
      search.copies.length -
      (recorded === null
        ? 0
        : search.copies.filter(({ channel, ts }) => channel === recorded.channel && ts === recorded.ts)
            .length);
    const covered = posts.filter(search.isCovered);
    const allFound = foundCount >= posts.length;
    if (allFound) await store.cardCalls.end(posts.map(({ id }) => id));
    else await concludeCalls(store.cardCalls, covered);
    if (allFound || covered.length > 0 || (recorded === null && plan.keep !== null)) return 'next';
    return retryIn(Math.min(RECHECK_MS, ...posts.map(({ settlesInMs }) => Math.max(settlesInMs, SECOND))));
  };
}

/** Null: the card has no message. */
function postedMessageOf({ postedChannel, ts }: CardRecord): MessageRef | null {
  return postedChannel === null || ts === null ? null : { channel: postedChannel, ts };
}

type CardSearchResult =
  | {
      readonly kind: 'read';
      readonly copies: readonly CardMessageCopy[];
      /** Whether this read would have found the message of the call, if there is one. */
      readonly isCovered: (call: CardCall) => boolean;
    }
  /** The channel is still being read. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly fault: SlackError };

type CardFinderOptions = HistoryReaderOptions & {
  readonly time?: () => number;
};

/** Real time between two reads of a channel for a call that is still in flight. */
const READ_INTERVAL_MS = 5 * SECOND;
/** Real time that one card waits for the read of its channel before it makes room for other cards. */
const MAX_READ_MS = 2 * SECOND;
/** Of six deliveries at once, so that a slow channel does not hold up cards elsewhere. */
const MAX_WAITING = 3;
/** Channels and threads whose last history read is cached. */
const MAX_REMEMBERED = 200;

export function createCardFinder({ time = monotonicNow, ...options }: CardFinderOptions) {
  const read = createHistoryReader(options);
  const last = new Map<string, HistoryRead & { readonly endedAt: number }>();
  const running = new Map<string, Promise<HistoryRead | SlackError>>();
  let waiting = 0;

  const remember = (place: string, reading: HistoryRead): void =>
    setNewest(last, place, { ...reading, endedAt: time() }, MAX_REMEMBERED);
  const begin = (place: CardPlace): Promise<HistoryRead | SlackError> => {
    const name = nameOf(place);
    const reading = read(place)
      .then((answer) => {
        if (!('kind' in answer)) remember(name, answer);
        return answer;
      })
      .finally(() => running.delete(name));
    running.set(name, reading);
    return reading;
  };
  /** Null where there is no answer in time or enough cards wait already; the read continues. */
  const wait = async (
    reading: Promise<HistoryRead | SlackError>,
  ): Promise<HistoryRead | SlackError | null> => {
    if (waiting >= MAX_WAITING) return null;
    waiting += 1;
    return withinPatience(reading).finally(() => {
      waiting -= 1;
    });
  };
  /** The last read, if a new one could not show more about these posts. */
  const known = (place: string, card: CardKey, posts: readonly CardCall[]): HistoryRead | null => {
    const reading = last.get(place);
    if (reading === undefined) return null;
    const isRecent = time() - reading.endedAt < READ_INTERVAL_MS;
    const found =
      (reading.copies.get(card)?.length ?? 0) > 0 &&
      posts.every((call) => reading.knownCalls.has(callLookKey(call)));
    const says = (call: CardCall) =>
      reading.coveredCalls.has(callLookKey(call)) ||
      (isRecent && call.settledAt === null && reading.knownCalls.has(callLookKey(call)));
    return (found && isRecent) || posts.every(says) ? reading : null;
  };
  const readingOf = async (
    place: CardPlace,
    card: CardKey,
    posts: readonly CardCall[],
  ): Promise<HistoryRead | SlackError | 'pending'> => {
    const name = nameOf(place);
    const under = running.get(name);
    if (under !== undefined && (await wait(under)) === null) return 'pending';
    const before = known(name, card, posts);
    if (before !== null) return before;
    return (await wait(running.get(name) ?? begin(place))) ?? 'pending';
  };

  return {
    /** `thread`: the message to which the card is a reply; null: it is none. */
    async find(
      card: CardKey,
      posts: readonly CardCall[],
      thread: MessageTs | null,
    ): Promise<CardSearchResult> {
      const copies: CardMessageCopy[] = [];
      const covered = new Set<string>();
      for (const [channel, there] of Map.groupBy(posts, (call) => call.channel)) {
        const reading = await readingOf({ channel, thread }, card, there);
        if (reading === 'pending') return { kind: 'pending' };
        if ('kind' in reading) return { kind: 'failed', fault: reading };
        copies.push(...(reading.copies.get(card) ?? []));
        for (const call of there)
          if (reading.coveredCalls.has(callLookKey(call))) covered.add(callLookKey(call));
      }
      return { kind: 'read', copies, isCovered: (call) => covered.has(callLookKey(call)) };
    },
  };
}

function nameOf({ channel, thread }: CardPlace): string {
  return thread === null ? channel : `${channel}/${thread}`;
}

/** The answer, or null where there is none in time; the read continues. */
async function withinPatience<T>(reading: Promise<T>): Promise<T | null> {
  const { promise: tooLong, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, MAX_READ_MS, null);
  try {
    return await Promise.race([reading, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

type PostStepOptions = Pick<RetryPolicy, 'retryIn' | 'backOff' | 'waitForChannel' | 'giveUp'> & {
  readonly store: Store;
  readonly web: SlackWeb;
  readonly clock: Clock;
  readonly postCard: PostCard;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** Posts a card for the first time, in the turn of its channel. The first recorded message stays. */
function createPostStep(options: PostStepOptions) {
  const { store, web, clock, postCard, onFailpoint } = options;
  const { retryIn, giveUp, backOff, waitForChannel } = options;
  const pace = createChannelPacing(clock);
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

  return {
    post,
    /** Whether it is an alert for a channel that refused one lately. */
    isHeldBack: ({ key, channel }: CardRecord): boolean => isAlertCard(key) && closed.isClosed(channel),
    reopen: closed.open,
  };
}

const POST_INTERVAL_MS = 1_100;
/** How long a channel stays paced after its last 429. */
const PACED_FOR_MS = 10 * MINUTE;

type ChannelLane = { next: Instant; pacedUntil: Instant; readonly turns: Map<CardKey, Instant> };

export function createChannelPacing(clock: Clock) {
  const lanes = new Map<ChannelId, ChannelLane>();

  const assign = (lane: ChannelLane, card: CardKey): Instant => {
    const at = later(lane.next, 0);
    lane.next = later(at, POST_INTERVAL_MS);
    lane.turns.set(card, at);
    return at;
  };

  return {
    /** When this card may be posted: null means now. At the returned time the answer is null. */
    nextTurn: (channel: ChannelId, card: CardKey): Instant | null => {
      const lane = lanes.get(channel);
      const now = clock.now();
      if (lane === undefined) return null;
      if (now > lane.pacedUntil && lane.turns.size === 0) {
        lanes.delete(channel);
        return null;
      }
      if (lane.next < now) lane.next = now;
      const at = lane.turns.get(card) ?? assign(lane, card);
      if (at > now) return at;
      lane.turns.delete(card);
      return null;
    },
    /** Slack answered 429. Returns when this card may try again. */
    throttled: (channel: ChannelId, card: CardKey, retryAfterMs: number): Instant => {
      const now = clock.now();
      const open = later(now, Math.max(retryAfterMs, SECOND));
      const lane = lanes.get(channel) ?? { next: open, pacedUntil: open, turns: new Map() };
      lanes.set(channel, lane);
      lane.pacedUntil = later(now, PACED_FOR_MS);
      // All waiting cards move behind the pause and keep their order.
      lane.next = open;
      const waiting = [...lane.turns.entries()].toSorted(([, a], [, b]) => a - b).map(([key]) => key);
      lane.turns.clear();
      const at = assign(lane, card);
      for (const key of waiting) if (key !== card) assign(lane, key);
      return at;
    },
  };
}

/** The shortest wait of a card whose channel refuses posts. */
const CLOSED_CHANNEL_MS = 10 * MINUTE;

/**
 * Channels that just refused a post. Cards for them wait without a call until the channel is tried again.
 * One entry per channel, in memory. Without it every alert since a channel was archived would call Slack again, and
 * other cards would starve.
 */
function createClosedChannels(clock: Clock) {
  const until = new Map<ChannelId, Instant>();
  return {
    close: (channel: ChannelId): void => void until.set(channel, later(clock.now(), CLOSED_CHANNEL_MS)),
    open: (channel: ChannelId): void => void until.delete(channel),
    isClosed: (channel: ChannelId): boolean => clock.now() < (until.get(channel) ?? 0),
  };
}

type PostCard = (
  card: CardRecord,
  work: ClaimedWork,
  message: CardMessage,
) => Promise<TrackedResult<MessageRef>>;

function createPostCard(web: Pick<SlackWeb, 'post' | 'openDirect'>, track: TrackCall, log: Log): PostCard {
  /** A message whose blocks Slack refuses is sent in a simpler form. */
  const postIn = async (
    card: CardRecord,
    work: ClaimedWork,
    channel: ChannelId,
    message: CardMessage,
  ): Promise<TrackedResult<MessageRef>> => {
    const send = () => web.post(channel, message);
    const posted = await track({ card, work, kind: 'post', channel, send });
    if (posted.kind !== 'refused' || !isContentRefused(posted.error)) return posted;
    const less = simplerMessage(message);
    if (less === null) return posted;
    log.error(
      { event: 'card.content-refused', error: posted.error },
      'Slack refused the blocks of a card, posting a simpler form',
    );
    return postIn(card, work, channel, less);
  };

  return async (card, work, message) => {
    const posted = await postIn(card, work, message.thread?.channel ?? card.channel, message);
    const refused = posted.kind === 'refused' && isChannelRefused(posted.error);
    if (!refused || card.fallbackPerson === null || message.thread) return posted;
    const direct = await web.openDirect(card.fallbackPerson);
    return direct.kind === 'ok' ? postIn(card, work, direct.value, message) : direct;
  };
}
