/** conversations.list, .info, .members, users.conversations. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { channelObject } from '../objects/channels.ts';
import { done, type Reply, refuse } from '../reply.ts';
import type { Channel, ChannelKind } from '../state/directory.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { pageOf } from './paging.ts';
import { lacksScope, scopeOf, scopesFor, seekWithScope } from './reach.ts';

/** "An integer under 1000" (docs.slack.dev/reference/methods/conversations.list). */
const MOST = 999;
const USUAL = 100;
const KINDS: Readonly<Record<string, ChannelKind>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
};

function seekKinds(args: Arguments, core: Core): Sought<ReadonlySet<ChannelKind>> {
  const kinds = new Set<ChannelKind>();
  for (const word of (args.text('types') ?? 'public_channel').split(',')) {
    const type = word.trim();
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
    if (kind === undefined) return refuse('invalid_types');
    const lack = lacksScope(core, scopeOf(kind, 'read'));
    if (lack) return lack;
    kinds.add(kind);
  }
  return { ok: true, value: kinds };
}

/** A page of the conversations of the asked types; public ones, and of the others those with the bot. */
function page(args: Arguments, core: Core, wanted: (channel: Channel) => boolean): Reply {
  const kinds = seekKinds(args, core);
  if (!kinds.ok) return kinds;
  const all = core.directory
    .conversations()
    .filter(({ kind, members }) => kind === 'public' || members.has(core.app.botUser))
    .filter(({ kind, archived }) => kinds.value.has(kind) && !(archived && args.flag('exclude_archived')))
    .filter(wanted);
  const found = pageOf(all, args, { mark: ({ id }) => id, usual: USUAL, most: MOST });
  if (!found.ok) return found;
  return done({
    channels: found.value.items.map((channel) => counted(core, channel)),
    response_metadata: { next_cursor: found.value.next },
  });
}

function counted(core: Core, channel: Channel) {
  const people = channel.kind === 'im' ? {} : { num_members: channel.members.size };
  return { ...channelObject(core, channel), ...people };
}

function list(args: Arguments, core: Core): Reply {
  return page(args, core, () => true);
}

function conversationsOf(args: Arguments, core: Core): Reply {
  const user = args.text('user') ?? core.app.botUser;
  if (!core.directory.user(user)) return refuse('user_not_found');
  return page(args, core, ({ members }) => members.has(user));
}

function info(args: Arguments, core: Core): Reply {
  const channel = seekWithScope(args, core, 'read');
  if (!channel.ok) return channel;
  const found = args.flag('include_num_members')
    ? counted(core, channel.value)
    : channelObject(core, channel.value);
  return done({ channel: found });
}

function members(args: Arguments, core: Core): Reply {
  const channel = seekWithScope(args, core, 'read');
  if (!channel.ok) return channel;
  const found = pageOf([...channel.value.members], args, { mark: (id) => id, usual: USUAL, most: 1_000 });
  if (!found.ok) return found;
  return done({ members: found.value.items, response_metadata: { next_cursor: found.value.next } });
}

export const conversationMethods: readonly Method[] = [
  botMethod('conversations.list', TIER.two, scopesFor('read'), list),
  botMethod('conversations.info', TIER.three, scopesFor('read'), info),
  botMethod('conversations.members', TIER.four, scopesFor('read'), members),
  botMethod('users.conversations', TIER.two, scopesFor('read'), conversationsOf),
];
