/** The scope that the app needs for an event (docs.slack.dev/reference/events). */
import type { JsonObject } from '../core/json-object.ts';

const SCOPES: Readonly<Record<string, string>> = {
  app_mention: 'app_mentions:read',
  link_shared: 'links:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
};
const MEMBER_EVENTS = ['member_joined_channel', 'member_left_channel'];

/** Null where none is needed. Joining and leaving need the scope of the channel's type. */
export function scopeForEvent(subscription: string, event: JsonObject): string | null {
  if (MEMBER_EVENTS.includes(subscription))
    return event['channel_type'] === 'G' ? 'groups:read' : 'channels:read';
  return SCOPES[subscription] ?? null;
}
