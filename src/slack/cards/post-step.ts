/** Posts a card for the first time, in the turn of its channel. The first recorded message stays. */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { CardKey, CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import { simplerMessage } from '../web-api/send-with-fallback.ts';
import { isChannelRefused, isContentRefused, type SlackError } from '../web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { CardStepResult } from './card-edit.ts';
import { recordSuspectedDuplicate, removeDuplicate } from './duplicate-messages.ts';
import { isAlertCard, type RetryPolicy } from './retry-policy.ts';
import type { TrackCall, TrackedResult } from './tracked-calls.ts';

export type PostStepOptions = Pick<RetryPolicy, 'retryIn' | 'backOff' | 'waitForChannel' | 'giveUp'> & {
  readonly store: Store;
  readonly web: SlackWeb;
  readonly clock: Clock;
  readonly postCard: PostCard;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export function createPostStep(options: PostStepOptions) {
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
    /** The bot may post in the channel by now. */
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

type PostingWeb = Pick<SlackWeb, 'post' | 'openDirect'>;

export function createPostCard(web: PostingWeb, track: TrackCall, log: Log): PostCard {
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
