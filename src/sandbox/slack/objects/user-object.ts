/** Slack's JSON objects for people (docs.slack.dev/reference/objects/user-object). */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Person } from '../state/directory.ts';

/** An invented address made from the name; nobody here has a real one. */
export function emailOf({ name, role }: Person): string | null {
  return role === 'bot' ? null : `${name}@sandbox.example`;
}

export function userObject({ app, manifest }: WorkspaceCore, person: Person): JsonObject {
  const { id, name, realName, role } = person;
  const isBot = role === 'bot';
  const address = manifest.scopes.has('users:read.email') ? emailOf(person) : null;
  const email = address === null ? {} : { email: address };
  return {
    id,
    team_id: app.teamId,
    name,
    deleted: false,
    real_name: realName,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    profile: {
      real_name: realName,
      display_name: name,
      display_name_normalized: name,
      team: app.teamId,
      ...(isBot ? { api_app_id: app.appId, bot_id: app.botId } : {}),
      ...email,
    },
    is_admin: role === 'admin',
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    updated: 0,
  };
}
