/**
 * When the next card may be posted in a channel. Slack takes about one post a second per channel and answers more with
 * a 429 (docs.slack.dev/apis/web-api/rate-limits). After the first 429 each waiting card of that channel gets a second
 * of its own; other channels are not delayed.
 */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { CardKey } from '../../store/port/records.ts';

const POST_INTERVAL_MS = 1_100;
/** How long a channel stays paced after its last 429. */
const PACED_FOR_MS = 10 * MINUTE;

export type ChannelPacing = {
  /** When this card may be posted: null means now. At the returned time the answer is null. */
  readonly nextTurn: (channel: ChannelId, card: CardKey) => Instant | null;
  /** Slack answered 429. Returns when this card may try again. */
  readonly throttled: (channel: ChannelId, card: CardKey, retryAfterMs: number) => Instant;
};

type ChannelLane = { next: Instant; pacedUntil: Instant; readonly turns: Map<CardKey, Instant> };

export function createChannelPacing(clock: Clock): ChannelPacing {
  const lanes = new Map<ChannelId, ChannelLane>();

  const assign = (lane: ChannelLane, card: CardKey): Instant => {
    const at = later(lane.next, 0);
    lane.next = later(at, POST_INTERVAL_MS);
    lane.turns.set(card, at);
    return at;
  };

  return {
    nextTurn: (channel, card) => {
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
    throttled: (channel, card, retryAfterMs) => {
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

/** Channels that just refused a post. Cards for them wait without a call until the channel is tried again. */
export type ClosedChannels = {
  readonly close: (channel: ChannelId) => void;
  readonly open: (channel: ChannelId) => void;
  readonly isClosed: (channel: ChannelId) => boolean;
};

/** The shortest wait of a card whose channel refuses posts. */
const CLOSED_CHANNEL_MS = 10 * MINUTE;

/**
 * One entry per channel, in memory. Without it every alert since a channel was archived would call Slack again, and
 * other cards would starve.
 */
export function createClosedChannels(clock: Clock): ClosedChannels {
  const until = new Map<ChannelId, Instant>();
  return {
    close: (channel) => void until.set(channel, later(clock.now(), CLOSED_CHANNEL_MS)),
    open: (channel) => void until.delete(channel),
    isClosed: (channel) => clock.now() < (until.get(channel) ?? 0),
  };
}
