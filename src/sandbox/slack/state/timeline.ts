/** Messages by channel, in order of time. */
import type { Clock } from '../../../lib/clock.ts';
import type { JsonObject } from '../core/json-object.ts';

export type MessageMetadata = { readonly event_type: string; readonly event_payload: JsonObject };
export type Reaction = { readonly name: string; readonly users: readonly string[] };
export type Message = {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly bot: boolean;
  readonly text: string;
  readonly blocks: readonly JsonObject[];
  readonly attachments: readonly JsonObject[];
  readonly metadata: MessageMetadata | null;
  readonly threadTs: string | null;
  readonly edited: { readonly user: string; readonly ts: string } | null;
  /** The only person who sees an ephemeral message; null for everybody. */
  readonly onlyFor: string | null;
  /** A person's client marks what it sends. */
  readonly clientMsgId?: string;
  /** Deleted, but its thread still has replies. */
  readonly tombstone?: boolean;
  /** It had replies, which were all deleted. */
  readonly hadReplies?: boolean;
  /** Posted to a response URL, which is told as a bot without a user. */
  readonly response?: boolean;
  /** Ids of the shared files. */
  readonly files?: readonly string[];
  /** In the order in which they were first added. */
  readonly reactions?: readonly Reaction[];
};

export type Timeline = Readonly<ReturnType<typeof createTimeline>>;

export function createTimeline() {
  // A Map keeps insertion order, which is the order of ts, also when a value is replaced.
  const channels = new Map<string, Map<string, Message>>();
  // Reading a message needs its replies; searching the whole channel for them would be too slow.
  const threads = new Map<string, Map<string, Message>>();
  const put = (message: Message) => {
    const messages = channels.get(message.channel) ?? new Map<string, Message>();
    channels.set(message.channel, messages.set(message.ts, message));
    const { threadTs } = message;
    if (threadTs === null) return;
    const thread = threadOf(message.channel, threadTs);
    threads.set(thread, (threads.get(thread) ?? new Map<string, Message>()).set(message.ts, message));
  };
  return {
    add: put,
    get: (channel: string, ts: string) => channels.get(channel)?.get(ts),
    change(message: Message, change: Partial<Message>): Message {
      const changed = { ...message, ...change };
      put(changed);
      return changed;
    },
    remove(message: Message) {
      channels.get(message.channel)?.delete(message.ts);
      if (message.threadTs !== null)
        threads.get(threadOf(message.channel, message.threadTs))?.delete(message.ts);
    },
    /** Oldest first. */
    all: (channel: string): readonly Message[] => [...(channels.get(channel)?.values() ?? [])],
    /** The replies to this message, oldest first. */
    replies: ({ channel, ts }: Pick<Message, 'channel' | 'ts'>): readonly Message[] => [
      ...(threads.get(threadOf(channel, ts))?.values() ?? []),
    ],
    reset() {
      channels.clear();
      threads.clear();
    },
  };
}

function threadOf(channel: string, ts: string): string {
  return `${channel}/${ts}`;
}

export type MessageChanges = ReturnType<typeof createMessageChanges>['sightings'];

/** The same timeline, with its changes tracked. */
export function createMessageChanges(timeline: Timeline, clock: Pick<Clock, 'now'>) {
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
  const touchAll = ({ channel, ts, threadTs }: Message): void => {
    touch(channel, ts);
    if (threadTs !== null) touch(channel, threadTs);
  };
  const isKnown = (since: number): boolean => since >= first && since <= cursor;
  return {
    timeline: {
      ...timeline,
      add(message: Message) {
        timeline.add(message);
        touchAll(message);
      },
      change(message: Message, change: Partial<Message>) {
        const changed = timeline.change(message, change);
        touchAll(changed);
        return changed;
      },
      remove(message: Message) {
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
      /** Grows with every change of a message. */
      cursor: () => cursor,
      /** Channels that changed after that cursor; null for a cursor from before a reset or restart. */
      channels: (since: number) =>
        isKnown(since)
          ? [...channels]
              .filter(([, touched]) => [...touched.values()].some((at) => at > since))
              .map(([id]) => id)
          : null,
      /** The `ts` of a channel's messages that were added, changed or removed after that cursor; null as above. */
      messages: (channel: string, since: number) =>
        isKnown(since)
          ? [...(channels.get(channel) ?? [])].filter(([, at]) => at > since).map(([ts]) => ts)
          : null,
    },
  };
}
