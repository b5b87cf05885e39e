/** Channels that would not have a post a moment ago: until they are asked again, what waits for them asks nothing. */
import { type Clock, type Instant, later, MINUTE } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';

export type ClosedChannels = {
  readonly close: (channel: ChannelId) => void;
  readonly open: (channel: ChannelId) => void;
  readonly isClosed: (channel: ChannelId) => boolean;
};

/** As long as one card that waits for a channel waits at least. */
const CLOSED_MS = 10 * MINUTE;

/**
 * Kept in memory, one entry for each of them. Without it a channel that stays archived would be asked by every alert of
 * the months since, again and again, until there is no time left for other cards.
 */
export function createClosedChannels(clock: Clock): ClosedChannels {
  const until = new Map<ChannelId, Instant>();
  return {
    close: (channel) => void until.set(channel, later(clock.now(), CLOSED_MS)),
    open: (channel) => void until.delete(channel),
    isClosed: (channel) => clock.now() < (until.get(channel) ?? 0),
  };
}
