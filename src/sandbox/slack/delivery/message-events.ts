/** Messages as events: posted, changed, deleted, by people and by the bot itself (docs.slack.dev/reference/events/message). */
import type { Core } from '../core.ts';
import type { Fields } from '../json.ts';
import { messageObject } from '../objects.ts';
import type { Channel, ChannelKind } from '../state/directory.ts';
import type { Message, Timeline } from '../state/timeline.ts';

type Kind = { readonly subscription: string; readonly channelType: string };
const KINDS: Readonly<Record<ChannelKind, Kind>> = {
  public: { subscription: 'message.channels', channelType: 'channel' },
  private: { subscription: 'message.groups', channelType: 'group' },
  im: { subscription: 'message.im', channelType: 'im' },
  mpim: { subscription: 'message.mpim', channelType: 'mpim' },
};

/** The timeline, whose changes the bot is told of where it is a member. */
export function withMessageEvents(timeline: Timeline, core: () => Core): Timeline {
  return {
    ...timeline,
    add(message) {
      timeline.add(message);
      announce(core(), message, () => postedFields(core(), message));
    },
    change(message, change) {
      const before = timeline.get(message.channel, message.ts) ?? message;
      const after = timeline.change(message, change);
      if (saysOther(before, after)) announce(core(), after, () => changedFields(core(), before, after));
      return after;
    },
    remove(message) {
      const isThere = timeline.get(message.channel, message.ts) !== undefined;
      timeline.remove(message);
      if (isThere) announce(core(), message, () => deletedFields(core(), message));
    },
  };
}

/** Nobody is told of an ephemeral message. */
function announce(core: Core, message: Message, fields: () => Fields): void {
  const channel: Channel | undefined = core.directory.channel(message.channel);
  if (!channel?.members.has(core.app.botUser) || message.onlyFor !== null) return;
  const { subscription, channelType } = KINDS[channel.kind];
  // Asked first, as a message's whole object is dear in a long channel.
  if (!core.manifest.events.has(subscription)) return;
  core.announce(subscription, { ...fields(), channel: channel.id, channel_type: channelType });
}

/** A reaction or metadata alone is no change of what the message says. */
function saysOther(before: Message, after: Message): boolean {
  return (['text', 'blocks', 'attachments', 'edited'] as const).some((name) => before[name] !== after[name]);
}

function postedFields(core: Core, message: Message): Fields {
  return { ...messageObject(core, message, false), event_ts: message.ts };
}

function changedFields(core: Core, before: Message, after: Message): Fields {
  return {
    ...hidden(core, 'message_changed'),
    message: messageObject(core, after, false),
    previous_message: messageObject(core, before, false),
  };
}

function deletedFields(core: Core, message: Message): Fields {
  return {
    ...hidden(core, 'message_deleted'),
    deleted_ts: message.ts,
    previous_message: messageObject(core, message, false),
  };
}

function hidden({ ids }: Core, subtype: string): Fields {
  const ts = ids.ts();
  return { type: 'message', subtype, hidden: true, ts, event_ts: ts };
}
