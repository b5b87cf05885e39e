/** Which messages have changed since when, so that a page need not read a whole channel again. */
import type { Clock } from '../../../lib/clock.ts';
import type { Timeline } from './timeline.ts';

export type MessageChanges = {
  /** Grows with every change of a message. */
  readonly cursor: () => number;
  /** The channels with changes after that cursor; null where it is from before a reset or another start. */
  readonly channels: (cursor: number) => readonly string[] | null;
  /** The `ts` of the messages of a channel that were added, changed or removed after that cursor; null as above. */
  readonly messages: (channel: string, cursor: number) => readonly string[] | null;
};

/** The same timeline, with its changes counted. */
export function createMessageChanges(
  timeline: Timeline,
  clock: Pick<Clock, 'now'>,
): { readonly timeline: Timeline; readonly sightings: MessageChanges } {
  // Begins with the time, so that no cursor of an earlier start looks like one of this.
  let cursor: number = clock.now();
  let first = cursor;
  const channels = new Map<string, Map<string, number>>();
  const touch = (channel: string, ts: string): void => {
    const touched = channels.get(channel) ?? new Map<string, number>();
    cursor += 1;
    touched.set(ts, cursor);
    channels.set(channel, touched);
  };
  /** A reply also changes what is said below its first message. */
  const touchAll = ({ channel, ts, threadTs }: Parameters<Timeline['add']>[0]): void => {
    touch(channel, ts);
    if (threadTs !== null) touch(channel, threadTs);
  };
  const isKnown = (asked: number): boolean => asked >= first && asked <= cursor;
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
      channels: (asked) =>
        isKnown(asked)
          ? [...channels]
              .filter(([, touched]) => [...touched.values()].some((at) => at > asked))
              .map(([id]) => id)
          : null,
      messages: (channel, asked) =>
        isKnown(asked)
          ? [...(channels.get(channel) ?? [])].filter(([, at]) => at > asked).map(([ts]) => ts)
          : null,
    },
  };
}
