/** users.info, .list, .lookupByEmail, usergroups.*, bots.info, team.info. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { emailOf, userObject } from '../objects/people.ts';
import { botObject } from '../objects.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Person, UserGroup } from '../state/directory.ts';
import { botMethod, type Method, TIER } from './method.ts';
import { pageOf } from './paging.ts';

function userInfo(args: Arguments, core: Core): Reply {
  const id = args.text('user');
  if (id === undefined) return missingArgument('user');
  const user = core.directory.user(id);
  return user ? done({ user: withLocale(core, user, args) }) : refuse('user_not_found');
}

function withLocale(core: Core, user: Person, args: Arguments) {
  return { ...userObject(core, user), ...(args.flag('include_locale') ? { locale: 'en-US' } : {}) };
}

function lookupByEmail(args: Arguments, core: Core): Reply {
  const email = args.text('email');
  if (email === undefined) return missingArgument('email');
  const user = core.directory.people().find((person) => emailOf(person) === email.toLowerCase());
  return user ? done({ user: userObject(core, user) }) : refuse('users_not_found');
}

function userList(args: Arguments, core: Core): Reply {
  const page = pageOf(core.directory.users(), args, { mark: ({ id }) => id, usual: 1_000, most: 1_000 });
  if (!page.ok) return page;
  return done({
    members: page.value.items.map((user) => withLocale(core, user, args)),
    cache_ts: Math.floor(core.clock.now() / 1_000),
    response_metadata: { next_cursor: page.value.next },
  });
}

function groupObject({ app }: Core, group: UserGroup, args: Arguments) {
  return {
    id: group.id,
    team_id: app.teamId,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    description: '',
    date_create: 0,
    date_update: 0,
    date_delete: 0,
    auto_type: null,
    created_by: app.botUser,
    prefs: { channels: [], groups: [] },
    ...(args.flag('include_users') ? { users: group.users } : {}),
    ...(args.flag('include_count') ? { user_count: group.users.length } : {}),
  };
}

function groupList(args: Arguments, core: Core): Reply {
  return done({ usergroups: core.directory.userGroups().map((group) => groupObject(core, group, args)) });
}

function groupUsers(args: Arguments, core: Core): Reply {
  const id = args.text('usergroup');
  if (id === undefined) return missingArgument('usergroup');
  const group = core.directory.userGroups().find((each) => each.id === id);
  return group ? done({ users: group.users }) : refuse('no_such_subteam');
}

function botInfo(args: Arguments, core: Core): Reply {
  const { app } = core;
  if ((args.text('team_id') ?? app.teamId) !== app.teamId) return refuse('team_not_found');
  const id = args.text('bot') ?? app.botId;
  return id === app.botId ? done({ bot: botObject(core) }) : refuse('bot_not_found');
}

function teamInfo(args: Arguments, { app }: Core): Reply {
  const id = args.text('team') ?? app.teamId;
  if (id !== app.teamId) return refuse('team_not_found');
  return done({
    team: { id, name: app.teamName, domain: app.teamDomain, email_domain: 'sandbox.example', icon: {} },
  });
}

export const peopleMethods: readonly Method[] = [
  botMethod('users.info', TIER.four, ['users:read'], userInfo),
  botMethod('users.list', TIER.two, ['users:read'], userList),
  botMethod('users.lookupByEmail', TIER.three, ['users:read.email'], lookupByEmail),
  botMethod('usergroups.list', TIER.two, ['usergroups:read'], groupList),
  botMethod('usergroups.users.list', TIER.two, ['usergroups:read'], groupUsers),
  botMethod('bots.info', TIER.three, ['users:read'], botInfo),
  botMethod('team.info', TIER.three, ['team:read'], teamInfo),
];
