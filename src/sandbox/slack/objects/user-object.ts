/** Slack's JSON objects for people (docs.slack.dev/reference/objects/user-object). */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Person } from '../state/directory.ts';
import { SEEDED_AT } from '../state/seed.ts';

/** "Only the image_* fields are guaranteed to be included" (docs.slack.dev/reference/methods/users.info). */
function pictures(domain: string, sizes: readonly number[]): JsonObject {
  return Object.fromEntries(
    sizes.map((size) => [`image_${size}`, `https://${domain}.slack.com/avatar_${size}.png`]),
  );
}

/** What nobody here has said of themselves; Slack has it empty (recorded by slack-ruby/slack-ruby-client, 2021). */
const UNSAID = {
  title: '',
  phone: '',
  skype: '',
  fields: null,
  status_text: '',
  status_text_canonical: '',
  status_emoji: '',
  status_emoji_display_info: [],
  status_expiration: 0,
};

/**
 * "The user's first and last name" (docs.slack.dev/reference/objects/user-object), split from the full name; recorded
 * bots have neither.
 */
function namesOf({ realName, role }: Person): JsonObject {
  if (role === 'bot') return {};
  const [first = '', ...others] = realName.split(' ');
  return { first_name: first, last_name: others.join(' ') };
}

export function userObject({ app, manifest }: WorkspaceCore, person: Person): JsonObject {
  const { id, name, role } = person;
  const isBot = role === 'bot';
  const realName = isBot ? (manifest.botUser?.name ?? person.realName) : person.realName;
  return {
    id,
    team_id: app.teamId,
    name,
    deleted: false,
    color: '9f69e7',
    real_name: realName,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    profile: {
      ...UNSAID,
      // docs.slack.dev/apis/web-api/user-presence-and-status, “Events API bots”
      ...(isBot ? { always_active: manifest.botUser?.alwaysOnline ?? false } : {}),
      ...namesOf(person),
      avatar_hash: '0123456789ab',
      real_name: realName,
      real_name_normalized: realName,
      display_name: name,
      display_name_normalized: name,
      team: app.teamId,
      ...pictures(app.teamDomain, [24, 32, 48, 72, 192, 512]),
      ...(isBot ? { api_app_id: app.appId, bot_id: app.botId } : {}),
    },
    is_admin: role === 'admin',
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    is_email_confirmed: !isBot,
    who_can_share_contact_card: 'EVERYONE',
    updated: SEEDED_AT,
  };
}
