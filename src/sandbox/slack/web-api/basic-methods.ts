/** auth.test, apps.connections.open, blocks.validate, users.info, usergroups.*, bots.info. */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import { botObject } from '../objects/messages-and-views.ts';
import { type Person, SEEDED_AT, type UserGroup } from '../state/directory.ts';
import { checkBlocks } from '../validate/payload-rules.ts';
import { validationErrors } from '../validate/rules.ts';
import {
  type ApiReply,
  botMethod,
  type CallArguments,
  errorReply,
  formMethod,
  missingArgumentReply,
  okReply,
  TIER,
  type WebApiMethod,
} from './calls.ts';

function authTest(_args: CallArguments, { app }: WorkspaceCore): ApiReply {
  return okReply({
    url: `https://${app.teamDomain}.slack.com/`,
    team: app.teamName,
    user: app.botName,
    team_id: app.teamId,
    user_id: app.botUser,
    bot_id: app.botId,
    is_enterprise_install: false,
  });
}

/** Of each argument (docs.slack.dev/reference/methods/blocks.validate, by slack-ruby/slack-api-ref, f4837c0c). */
const MAX_CHARACTERS = 100_000;

/**
 * Needs no token and no scope. It checks the blocks of a message, but nothing else that a message needs, such as its text
 * (docs.slack.dev/reference/methods/blocks.validate).
 */
function validateBlocks(args: CallArguments): ApiReply {
  if (!args.has('blocks'))
    return invalidBlocksCall('must provide exactly one of `blocks`, `view`, or `message`');
  if ((args.text('blocks') ?? '').length > MAX_CHARACTERS)
    return invalidBlocksCall(`must be less than ${MAX_CHARACTERS + 1} characters [json-pointer:/blocks]`);
  const sent = args.structure('blocks');
  if (sent === undefined) return invalidBlocksCall('the value of `blocks` must be valid JSON');
  const errors = validationErrors(checkBlocks(sent, 'message', ''));
  return errors.length === 0 ? okReply() : errorReply('invalid_blocks', { errors });
}

function invalidBlocksCall(message: string): ApiReply {
  return errorReply('invalid_arguments', { response_metadata: { messages: [message] } });
}

function userInfo(args: CallArguments, core: WorkspaceCore): ApiReply {
  // A missing id is answered like an unknown one (github.com/kortix-ai/suna/pull/6616).
  const user = core.directory.user(args.text('user') ?? '');
  return user ? okReply({ user: userObject(core, user) }) : errorReply('user_not_found');
}

function groupObject({ app }: WorkspaceCore, group: UserGroup): JsonObject {
  return {
    id: group.id,
    team_id: app.teamId,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    description: '',
    is_external: false,
    date_create: SEEDED_AT,
    date_update: SEEDED_AT,
    date_delete: 0,
    auto_type: null,
    created_by: app.botUser,
    updated_by: app.botUser,
    deleted_by: null,
    prefs: { channels: [], groups: [] },
  };
}

/** No group here is disabled, so `include_disabled` adds none. */
function groupList(_args: CallArguments, core: WorkspaceCore): ApiReply {
  return okReply({ usergroups: core.directory.userGroups().map((group) => groupObject(core, group)) });
}

function groupUsers(args: CallArguments, core: WorkspaceCore): ApiReply {
  const id = args.text('usergroup');
  if (id === undefined) return missingArgumentReply('usergroup');
  const group = core.directory.userGroups().find((each) => each.id === id);
  return group ? okReply({ users: group.users }) : errorReply('no_such_subteam');
}

/** "The `bot` parameter is required if you want to actually return information about a bot" (docs.slack.dev/reference/methods/bots.info). */
function botInfo(args: CallArguments, core: WorkspaceCore): ApiReply {
  const id = args.text('bot');
  if (id === undefined) return okReply();
  return id === core.app.botId ? okReply({ bot: botObject(core) }) : errorReply('bot_not_found');
}

/** `openConnection` returns the address of one Socket Mode connection. */
export function basicMethods(openConnection: () => string): readonly WebApiMethod[] {
  return [
    botMethod('auth.test', TIER.special, [], authTest),
    {
      name: 'apps.connections.open',
      token: 'app',
      scopes: [],
      perMinute: TIER.three,
      run: () => okReply({ url: openConnection() }),
    },
    { name: 'blocks.validate', token: 'none', scopes: [], perMinute: TIER.special, run: validateBlocks },
    formMethod('users.info', TIER.four, ['users:read'], userInfo),
    formMethod('usergroups.list', TIER.two, ['usergroups:read'], groupList),
    formMethod('usergroups.users.list', TIER.two, ['usergroups:read'], groupUsers),
    formMethod('bots.info', TIER.three, ['users:read'], botInfo),
  ];
}

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

function userObject({ app, manifest }: WorkspaceCore, person: Person): JsonObject {
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
