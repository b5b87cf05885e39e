/** reactions.add, reactions.remove, reactions.get. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { messageObject } from '../objects.ts';
import { REACTION_NAME, react } from '../reacting.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { isTs } from './drafts.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { seekChannel } from './reach.ts';

type Item = { readonly channel: Channel; readonly message: Message };

function seekItem(args: Arguments, core: Core): Sought<Item> {
  const ts = args.text('timestamp');
  if (!args.has('channel') || ts === undefined) return refuse('no_item_specified');
  const channel = seekChannel(args, core);
  if (!channel.ok) return channel;
  if (!isTs(ts)) return refuse('bad_timestamp');
  const message = core.timeline.get(channel.value.id, ts);
  if (!message || message.onlyFor !== null) return refuse('message_not_found');
  return { ok: true, value: { channel: channel.value, message } };
}

function seekName(args: Arguments): Sought<string> {
  const name = args.text('name');
  if (name === undefined) return missingArgument('name');
  return REACTION_NAME.test(name) ? { ok: true, value: name } : refuse('invalid_name');
}

function change(args: Arguments, core: Core, back: boolean): Reply {
  const name = seekName(args);
  if (!name.ok) return name;
  const item = seekItem(args, core);
  if (!item.ok) return item;
  const { channel, message } = item.value;
  if (channel.archived) return refuse('is_archived');
  if (!channel.members.has(core.app.botUser)) return refuse('not_in_channel');
  const refusal = react(core, { message, user: core.app.botUser, name: name.value, back });
  return refusal === null ? done() : refuse(refusal);
}

function get(args: Arguments, core: Core): Reply {
  const item = seekItem(args, core);
  if (!item.ok) return item;
  const { channel, message } = item.value;
  return done({ type: 'message', channel: channel.id, message: messageObject(core, message, false) });
}

export const reactionMethods: readonly Method[] = [
  botMethod('reactions.add', TIER.three, ['reactions:write'], (args, core) => change(args, core, false)),
  botMethod('reactions.remove', TIER.two, ['reactions:write'], (args, core) => change(args, core, true)),
  botMethod('reactions.get', TIER.three, ['reactions:read'], get),
];
