/** reactions.add, reactions.remove, reactions.get. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { messageObject } from '../objects.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { isTs } from './drafts.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { seekChannel } from './reach.ts';

/** A name as Slack has them, with a skin tone or without; which names there are is not looked up. */
const NAME = /^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/;

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
  return NAME.test(name) ? { ok: true, value: name } : refuse('invalid_name');
}

function add(args: Arguments, core: Core): Reply {
  const name = seekName(args);
  if (!name.ok) return name;
  const item = seekItem(args, core);
  if (!item.ok) return item;
  const { channel, message } = item.value;
  if (channel.archived) return refuse('is_archived');
  if (!channel.members.has(core.app.botUser)) return refuse('not_in_channel');
  const reactions = message.reactions ?? [];
  const known = reactions.find((each) => each.name === name.value);
  if (known?.users.includes(core.app.botUser)) return refuse('already_reacted');
  const grown = { name: name.value, users: [...(known?.users ?? []), core.app.botUser] };
  const after = known ? reactions.map((each) => (each === known ? grown : each)) : [...reactions, grown];
  return reacted(core, message, after, { type: 'reaction_added', reaction: name.value });
}

function remove(args: Arguments, core: Core): Reply {
  const name = seekName(args);
  if (!name.ok) return name;
  const item = seekItem(args, core);
  if (!item.ok) return item;
  const { message } = item.value;
  const { botUser } = core.app;
  const reactions = message.reactions ?? [];
  if (!reactions.some((each) => each.name === name.value && each.users.includes(botUser)))
    return refuse('no_reaction');
  const after = reactions
    .map((each) =>
      each.name === name.value ? { ...each, users: each.users.filter((user) => user !== botUser) } : each,
    )
    .filter(({ users }) => users.length > 0);
  return reacted(core, message, after, { type: 'reaction_removed', reaction: name.value });
}

type Change = { readonly type: 'reaction_added' | 'reaction_removed'; readonly reaction: string };

function reacted(
  core: Core,
  message: Message,
  reactions: NonNullable<Message['reactions']>,
  change: Change,
): Reply {
  core.timeline.change(message, { reactions });
  core.changed();
  core.announce(change.type, {
    ...change,
    user: core.app.botUser,
    item: { type: 'message', channel: message.channel, ts: message.ts },
    item_user: message.user,
    event_ts: core.ids.ts(),
  });
  return done();
}

function get(args: Arguments, core: Core): Reply {
  const item = seekItem(args, core);
  if (!item.ok) return item;
  const { channel, message } = item.value;
  return done({ type: 'message', channel: channel.id, message: messageObject(core, message, false) });
}

export const reactionMethods: readonly Method[] = [
  botMethod('reactions.add', TIER.three, ['reactions:write'], add),
  botMethod('reactions.remove', TIER.two, ['reactions:write'], remove),
  botMethod('reactions.get', TIER.three, ['reactions:read'], get),
];
