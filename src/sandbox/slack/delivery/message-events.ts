/**
 * Events of direct messages: posted, changed, deleted, by people and by the bot (docs.slack.dev/reference/events/message), with all
 * metadata (docs.slack.dev/messaging/message-metadata, “Subscribe to all message events”).
 */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import { messageObject } from '../objects/messages-and-views.ts';
import type { Message, Timeline } from '../state/timeline.ts';

const SUBSCRIPTION = 'message.im';

/** Wraps the timeline so that the bot gets events for changes in its direct messages. */
export function withMessageEvents(timeline: Timeline, core: () => WorkspaceCore): Timeline {
  return {
    ...timeline,
    add(message) {
      timeline.add(message);
      announceMessage(core(), message, () => postedFields(core(), message));
    },
    change(message, change) {
      const before = timeline.get(message.channel, message.ts) ?? message;
      const after = timeline.change(message, change);
      if (hasOtherContent(before, after))
        announceMessage(core(), after, () => changedFields(core(), before, after));
      return after;
    },
    remove(message) {
      const isThere = timeline.get(message.channel, message.ts) !== undefined;
      timeline.remove(message);
      if (isThere) announceMessage(core(), message, () => deletedFields(core(), message));
    },
  };
}

/** Ephemeral messages cause no event. */
function announceMessage(core: WorkspaceCore, message: Message, fields: () => JsonObject): void {
  const { channel, onlyFor } = message;
  if (core.directory.channel(channel)?.kind !== 'im' || onlyFor !== null) return;
  // Checked first, because building the message object is slow in a long conversation.
  if (!core.manifest.events.has(SUBSCRIPTION)) return;
  core.announce(SUBSCRIPTION, { ...fields(), channel, channel_type: 'im' });
}

/** A change of reactions or metadata alone is no change of the content. */
function hasOtherContent(before: Message, after: Message): boolean {
  return (['text', 'blocks', 'attachments', 'edited'] as const).some((name) => before[name] !== after[name]);
}

/**
 * A message with files has a subtype as an event only (`FileShareMessageEvent` of `@slack/types` 3.2.0;
 * MercuryTechnologies/slack-web, message_file_share.json).
 */
function postedFields(core: WorkspaceCore, message: Message): JsonObject {
  const subtype = message.files?.length ? { subtype: 'file_share' } : {};
  return { ...messageObject(core, message, true), ...subtype, event_ts: message.ts };
}

function changedFields(core: WorkspaceCore, before: Message, after: Message): JsonObject {
  return {
    ...hidden(core, 'message_changed'),
    message: messageObject(core, after, true),
    previous_message: messageObject(core, before, true),
  };
}

function deletedFields(core: WorkspaceCore, message: Message): JsonObject {
  return {
    ...hidden(core, 'message_deleted'),
    deleted_ts: message.ts,
    previous_message: messageObject(core, message, true),
  };
}

function hidden({ ids }: WorkspaceCore, subtype: string): JsonObject {
  const ts = ids.ts();
  return { type: 'message', subtype, hidden: true, ts, event_ts: ts };
}
