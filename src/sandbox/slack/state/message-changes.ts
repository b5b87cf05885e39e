/** Tracks changed messages, so that a page need not read a whole channel again. */
import type { Clock } from '../../../lib/clock.ts';
import type { Timeline } from './timeline.ts';

export type MessageChanges = {
  /** Grows with every change of a message. */
  readonly cursor: () => number;
  /** Channels that changed after that cursor; null for a cursor from before a reset or restart. */
  readonly channels: (cursor: number) => readonly string[] | null;
  /** The `ts` of a channel's messages that were added, changed or removed after that cursor; null as above. */
  readonly messages: (channel: string, cursor: number) => readonly string[] | null;
};

/** The same timeline, with its changes tracked. */
export function createMessageChanges(
  timeline: Timeline,
  clock: Pick<Clock, 'now'>,
): { readonly timeline: Timeline; readonly sightings: MessageChanges } {
  // Starts at the current time, so that a cursor of an earlier start is never mistaken for one of this.
  let cursor: number = clock.now();
  let first = cursor;
  const channels = new Map<string, Map<string, number>>();
  const touch = (channel: string, ts: string): void => {
    const touched = channels.get(channel) ?? new Map<string, number>();
    cursor += 1;
    touched.set(ts, cursor);
    channels.set(channel, touched);
  };
  /** A reply also changes the reply count of its first message. */
  const touchAll = ({ channel, ts, threadTs }: Parameters<Timeline['add']>[0]): void => {
    touch(channel, ts);
    if (threadTs !== null) touch(channel, threadTs);
  };
  const isKnown = (since: number): boolean => since >= first && since <= cursor;
  return {
    timeline: {
      ...timeline,
      add(message) {
        timeline.add(message);
        touchAll(message);
      },
      change(message, change) {
        const changed = timeline.change(message, change);
        touchAll(changed);
        return changed;
      },
      remove(message) {
        timeline.remove(message);
        touchAll(message);
      },
      reset() {
        timeline.reset();
        channels.clear();
        cursor += 1;
        first = cursor;
      },
    },
    sightings: {
      cursor: () => cursor,
      channels: (since) =>
        isKnown(since)
          ? [...channels]
              .filter(([, touched]) => [...touched.values()].some((at) => at > since))
              .map(([id]) => id)
          : null,
      messages: (channel, since) =>
        isKnown(since)
          ? [...(channels.get(channel) ?? [])].filter(([, at]) => at > since).map(([ts]) => ts)
          : null,
    },
  };
}
