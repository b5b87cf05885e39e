/** What was said, channel by channel, in the order of time. */
import type { Fields } from '../json.ts';

export type Metadata = { readonly event_type: string; readonly event_payload: Fields };
export type Reaction = { readonly name: string; readonly users: readonly string[] };
export type Message = {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly bot: boolean;
  readonly text: string;
  readonly blocks: readonly Fields[];
  readonly attachments: readonly Fields[];
  readonly metadata: Metadata | null;
  readonly threadTs: string | null;
  /** A reply that also stands in the channel. */
  readonly broadcast: boolean;
  readonly edited: { readonly user: string; readonly ts: string } | null;
  /** The only person who sees an ephemeral message; null for everybody. */
  readonly onlyFor: string | null;
  /** The text is shown as it stands, without markup. */
  readonly plain?: boolean;
  /** Ids of the files that it shares. */
  readonly files?: readonly string[];
  /** In the order in which they were first given. */
  readonly reactions?: readonly Reaction[];
};

export type Timeline = {
  readonly add: (message: Message) => void;
  readonly get: (channel: string, ts: string) => Message | undefined;
  readonly change: (message: Message, change: Partial<Message>) => Message;
  readonly remove: (message: Message) => void;
  /** Oldest first. */
  readonly all: (channel: string) => readonly Message[];
  readonly reset: () => void;
};

export function createTimeline(): Timeline {
  // A Map keeps the order of insertion, which is the order of ts, also when a value is replaced.
  const channels = new Map<string, Map<string, Message>>();
  const put = (message: Message) => {
    const messages = channels.get(message.channel) ?? new Map<string, Message>();
    channels.set(message.channel, messages.set(message.ts, message));
  };
  return {
    add: put,
    get: (channel, ts) => channels.get(channel)?.get(ts),
    change(message, change) {
      const changed = { ...message, ...change };
      put(changed);
      return changed;
    },
    remove(message) {
      channels.get(message.channel)?.delete(message.ts);
    },
    all: (channel) => [...(channels.get(channel)?.values() ?? [])],
    reset: () => channels.clear(),
  };
}
