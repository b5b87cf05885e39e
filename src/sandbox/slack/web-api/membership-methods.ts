/** conversations.open, conversations.join, conversations.archive. */

import type { WorkspaceCore } from '../core/core.ts';
import { channelObject, openedObject } from '../objects/channel-object.ts';
import { isDirectConversation, type Person } from '../state/directory.ts';
import type { CallArguments } from './calls/arguments.ts';
import { findChannel, lacksScope } from './calls/channel-access.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, okReply, withWarnings } from './calls/replies.ts';

/** docs.slack.dev/reference/methods/conversations.open */
const MAX_PEOPLE = 8;

function resume(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findChannel(args, core);
  if (!channel.ok) return channel;
  if (!isDirectConversation(channel.value)) return errorReply('method_not_supported_for_channel_type');
  const lack = lacksScope(core, `${channel.value.kind}:write`);
  if (lack) return lack;
  const full = args.flag('return_im') ? openedObject(core, channel.value) : { id: channel.value.id };
  return okReply({ no_op: true, already_open: true, channel: full });
}

/** The app's own id may be among them: "we do that for you" (docs.slack.dev/reference/methods/conversations.open). */
function readPeople(args: CallArguments, core: WorkspaceCore): Lookup<readonly Person[]> {
  const ids = new Set(
    args
      .text('users')
      ?.split(',')
      .map((id) => id.trim()) ?? [],
  );
  if (ids.size === 0) return errorReply('users_list_not_supplied');
  ids.delete(core.app.botUser);
  if (ids.size === 0) return errorReply('not_enough_users');
  if (ids.size > MAX_PEOPLE) return errorReply('too_many_users');
  const people = core.directory.people();
  const found = [...ids].map((id) => people.find((person) => person.id === id));
  const known = found.filter((person) => person !== undefined);
  return known.length === ids.size ? { ok: true, value: known } : errorReply('user_not_found');
}

function open(args: CallArguments, core: WorkspaceCore): ApiReply {
  if (args.has('channel')) return resume(args, core);
  const people = readPeople(args, core);
  if (!people.ok) return people;
  const [person, ...others] = people.value;
  const lack = lacksScope(core, others.length === 0 ? 'im:write' : 'mpim:write');
  if (lack) return lack;
  const { directory } = core;
  const known = directory.openedFor(people.value);
  if (!known && args.flag('prevent_creation')) return errorReply('channel_not_found');
  const open = () => directory.openGroup(people.value, core.app.botUser);
  const channel = known ?? (person && others.length === 0 ? directory.direct(person) : open());
  const full = args.flag('return_im') ? openedObject(core, channel) : { id: channel.id };
  return okReply({ ...(known ? { no_op: true, already_open: true } : {}), channel: full });
}

function join(args: CallArguments, core: WorkspaceCore): ApiReply {
  const lookup = findChannel(args, core);
  if (!lookup.ok) return lookup;
  const { id, kind, archived, members } = lookup.value;
  if (kind !== 'public') return errorReply('method_not_supported_for_channel_type');
  if (archived) return errorReply('is_archived');
  const { directory, app } = core;
  const isMember = members.has(app.botUser);
  if (!isMember) enter(core, id);
  const reply = okReply({ channel: channelObject(core, directory.channel(id) ?? lookup.value) });
  return isMember ? withWarnings(reply, ['already_in_channel']) : reply;
}

function enter(core: WorkspaceCore, channel: string): void {
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

function archive(args: CallArguments, core: WorkspaceCore): ApiReply {
  const lookup = findChannel(args, core);
  if (!lookup.ok) return lookup;
  const { id, kind, archived, members } = lookup.value;
  if (isDirectConversation({ kind })) return errorReply('method_not_supported_for_channel_type');
  const lack = lacksScope(core, kind === 'public' ? 'channels:manage' : 'groups:write');
  if (lack) return lack;
  if (archived) return errorReply('already_archived');
  if (!members.has(core.app.botUser)) return errorReply('not_in_channel');
  core.directory.archive(id);
  core.changed();
  const type = kind === 'public' ? 'channel_archive' : 'group_archive';
  core.announce(type, { type, channel: id, user: core.app.botUser, event_ts: core.ids.ts() });
  return okReply();
}

/** Any of these; which one is needed depends on the type of the conversation. */
const OPENING = ['channels:manage', 'groups:write', 'im:write', 'mpim:write'];
const ARCHIVING = [...OPENING, 'channels:write'];

export const membershipMethods: readonly WebApiMethod[] = [
  botMethod('conversations.open', TIER.three, OPENING, open),
  botMethod('conversations.join', TIER.three, ['channels:join'], join),
  botMethod('conversations.archive', TIER.two, ARCHIVING, archive),
];
