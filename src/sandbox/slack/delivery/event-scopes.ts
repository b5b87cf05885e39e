/** The scope that the app needs for an event (docs.slack.dev/reference/events; of archiving, slackapi/slack-api-specs). */
const SCOPES: Readonly<Record<string, string>> = {
  app_mention: 'app_mentions:read',
  channel_archive: 'channels:read',
  group_archive: 'groups:read',
  link_shared: 'links:read',
  // Of public channels: nobody joins the private one.
  member_joined_channel: 'channels:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
};

/** Null where none is needed. */
export function scopeForEvent(subscription: string): string | null {
  return SCOPES[subscription] ?? null;
}
