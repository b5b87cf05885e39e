/** conversations.open, conversations.join, conversations.archive. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { channelObject } from '../objects/channels.ts';
import { done, type Reply, refuse, warn } from '../reply.ts';
import { isDirect, type Person } from '../state/directory.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { lacksScope, seekChannel } from './reach.ts';

/** docs.slack.dev/reference/methods/conversations.open */
const MOST_PEOPLE = 8;

function resume(args: Arguments, core: Core): Reply {
  const channel = seekChannel(args, core);
  if (!channel.ok) return channel;
  if (!isDirect(channel.value)) return refuse('method_not_supported_for_channel_type');
  const full = args.flag('return_im') ? channelObject(core, channel.value) : { id: channel.value.id };
  return done({ no_op: true, already_open: true, channel: full });
}

function seekPeople(args: Arguments, core: Core): Sought<readonly Person[]> {
  const ids = new Set(
    args
      .text('users')
      ?.split(',')
      .map((id) => id.trim()) ?? [],
  );
  if (ids.size === 0) return refuse('users_list_not_supplied');
  if (ids.size > MOST_PEOPLE) return refuse('too_many_users');
  const people = core.directory.people();
  const found = [...ids].map((id) => people.find((person) => person.id === id));
  const known = found.filter((person) => person !== undefined);
  return known.length === ids.size ? { ok: true, value: known } : refuse('user_not_found');
}

function open(args: Arguments, core: Core): Reply {
  if (args.has('channel')) return resume(args, core);
  const people = seekPeople(args, core);
  if (!people.ok) return people;
  const [person, ...others] = people.value;
  const lack = lacksScope(core, others.length === 0 ? 'im:write' : 'mpim:write');
  if (lack) return lack;
  const { directory } = core;
  const known = directory.openedFor(people.value);
  if (!known && args.flag('prevent_creation')) return refuse('channel_not_found');
  const channel =
    known ?? (person && others.length === 0 ? directory.direct(person) : directory.openGroup(people.value));
  const full = args.flag('return_im') ? channelObject(core, channel) : { id: channel.id };
  return done({ ...(known ? { no_op: true, already_open: true } : {}), channel: full });
}

function join(args: Arguments, core: Core): Reply {
  const sought = seekChannel(args, core);
  if (!sought.ok) return sought;
  const { id, kind, archived, members } = sought.value;
  if (kind !== 'public') return refuse('method_not_supported_for_channel_type');
  if (archived) return refuse('is_archived');
  const { directory, app } = core;
  const isMember = members.has(app.botUser);
  if (!isMember) enter(core, id);
  const reply = done({ channel: channelObject(core, directory.channel(id) ?? sought.value) });
  return isMember ? warn(reply, ['already_in_channel']) : reply;
}

function enter(core: Core, channel: string): void {
  const { app, directory } = core;
  directory.join(channel, app.botUser);
  core.changed();
  core.announce('member_joined_channel', {
    type: 'member_joined_channel',
    user: app.botUser,
    channel,
    channel_type: 'C',
    team: app.teamId,
    event_ts: core.ids.ts(),
  });
}

function archive(args: Arguments, core: Core): Reply {
  const sought = seekChannel(args, core);
  if (!sought.ok) return sought;
  const { id, kind, archived, members } = sought.value;
  if (isDirect({ kind })) return refuse('method_not_supported_for_channel_type');
  const lack = lacksScope(core, kind === 'public' ? 'channels:manage' : 'groups:write');
  if (lack) return lack;
  if (archived) return refuse('already_archived');
  if (!members.has(core.app.botUser)) return refuse('not_in_channel');
  core.directory.archive(id);
  core.changed();
  const type = kind === 'public' ? 'channel_archive' : 'group_archive';
  core.announce(type, { type, channel: id, user: core.app.botUser, event_ts: core.ids.ts() });
  return done();
}

export const membershipMethods: readonly Method[] = [
  botMethod('conversations.open', TIER.three, ['im:write', 'mpim:write'], open),
  botMethod('conversations.join', TIER.three, ['channels:join'], join),
  botMethod('conversations.archive', TIER.two, ['channels:manage', 'groups:write'], archive),
];
