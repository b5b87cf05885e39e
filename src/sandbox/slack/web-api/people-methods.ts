/** users.info, usergroups.*, bots.info. */

import type { WorkspaceCore } from '../core/core.ts';
import { botObject } from '../objects/messages-and-views.ts';
import { userObject } from '../objects/user-object.ts';
import type { Person, UserGroup } from '../state/directory.ts';
import { SEEDED_AT } from '../state/seed.ts';
import type { CallArguments } from './calls/arguments.ts';
import { formMethod, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

function userInfo(args: CallArguments, core: WorkspaceCore): ApiReply {
  // A missing id is answered like an unknown one (github.com/kortix-ai/suna/pull/6616).
  const user = core.directory.user(args.text('user') ?? '');
  return user ? okReply({ user: withLocale(core, user, args) }) : errorReply('user_not_found');
}

function withLocale(core: WorkspaceCore, user: Person, args: CallArguments) {
  return { ...userObject(core, user), ...(args.flag('include_locale') ? { locale: 'en-US' } : {}) };
}

function groupObject({ app }: WorkspaceCore, group: UserGroup, args: CallArguments) {
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
    ...(args.flag('include_users') ? { users: group.users } : {}),
    ...(args.flag('include_count') ? { user_count: group.users.length } : {}),
  };
}

function groupList(args: CallArguments, core: WorkspaceCore): ApiReply {
  return okReply({ usergroups: core.directory.userGroups().map((group) => groupObject(core, group, args)) });
}

function groupUsers(args: CallArguments, core: WorkspaceCore): ApiReply {
  const id = args.text('usergroup');
  if (id === undefined) return missingArgumentReply('usergroup');
  const group = core.directory.userGroups().find((each) => each.id === id);
  return group ? okReply({ users: group.users }) : errorReply('no_such_subteam');
}

/**
 * "The `bot` parameter is required if you want to actually return information about a bot"; `team_id` of a token of one
 * workspace "will be ignored" (docs.slack.dev/reference/methods/bots.info).
 */
function botInfo(args: CallArguments, core: WorkspaceCore): ApiReply {
  const id = args.text('bot');
  if (id === undefined) return okReply();
  return id === core.app.botId ? okReply({ bot: botObject(core) }) : errorReply('bot_not_found');
}

export const peopleMethods: readonly WebApiMethod[] = [
  formMethod('users.info', TIER.four, ['users:read'], userInfo),
  formMethod('usergroups.list', TIER.two, ['usergroups:read'], groupList),
  formMethod('usergroups.users.list', TIER.two, ['usergroups:read'], groupUsers),
  formMethod('bots.info', TIER.three, ['users:read'], botInfo),
];
