/** conversations.open. */

import type { WorkspaceCore } from '../core/core.ts';
import { openedObject } from '../objects/channel-object.ts';
import { isDirectConversation, type Person } from '../state/directory.ts';
import type { CallArguments } from './calls/arguments.ts';
import { findChannel, lacksScope } from './calls/channel-access.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, okReply } from './calls/replies.ts';

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

/** Any of these; which one is needed depends on the type of the conversation. */
const OPENING = ['channels:manage', 'groups:write', 'im:write', 'mpim:write'];

export const membershipMethods: readonly WebApiMethod[] = [
  botMethod('conversations.open', TIER.three, OPENING, open),
];
