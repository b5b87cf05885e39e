/** conversations.list, .info, .members, .open, .join. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { channelObject } from '../objects.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import { botMethod, type Method, TIER } from './method.ts';
import { pageOf } from './paging.ts';
import { lacksScope, scopesFor, seekChannel, seekWithScope } from './reach.ts';

const MOST = 1_000;
const USUAL = 100;
const SCOPE_OF_TYPE: Readonly<Record<string, string>> = {
  public_channel: 'channels:read',
  private_channel: 'groups:read',
  im: 'im:read',
  mpim: 'mpim:read',
};

function list(args: Arguments, core: Core): Reply {
  const { directory, app } = core;
  const types = (args.text('types') ?? 'public_channel').split(',').map((type) => type.trim());
  if (types.some((type) => !Object.hasOwn(SCOPE_OF_TYPE, type))) return refuse('invalid_types');
  for (const type of types) {
    const lack = lacksScope(core, SCOPE_OF_TYPE[type] ?? '');
    if (lack) return lack;
  }
  const wanted = [...directory.channels(), ...directory.directs()].filter(
    ({ kind, members }) =>
      types.includes(kind === 'im' ? 'im' : `${kind}_channel`) &&
      (kind === 'public' || members.has(app.botUser)),
  );
  const page = pageOf(wanted, args, { mark: ({ id }) => id, usual: USUAL, most: MOST });
  if (!page.ok) return page;
  return done({
    channels: page.value.items.map((channel) => channelObject(core, channel)),
    response_metadata: { next_cursor: page.value.next },
  });
}

function info(args: Arguments, core: Core): Reply {
  const channel = seekWithScope(args, core, 'read');
  return channel.ok ? done({ channel: channelObject(core, channel.value) }) : channel;
}

function members(args: Arguments, core: Core): Reply {
  const channel = seekWithScope(args, core, 'read');
  if (!channel.ok) return channel;
  const page = pageOf([...channel.value.members], args, { mark: (id) => id, usual: USUAL, most: MOST });
  if (!page.ok) return page;
  return done({ members: page.value.items, response_metadata: { next_cursor: page.value.next } });
}

/** Several people would be a group message, which this workspace does not have. */
function open(args: Arguments, core: Core): Reply {
  const { directory } = core;
  if (args.has('channel')) {
    const channel = seekChannel(args, core);
    if (!channel.ok) return channel;
    return channel.value.kind === 'im'
      ? done({ channel: { id: channel.value.id } })
      : refuse('method_not_supported_for_channel_type');
  }
  const users = args.text('users')?.split(',') ?? [];
  const [id] = users;
  if (id === undefined) return refuse('users_list_not_supplied');
  if (users.length > 1) return refuse('invalid_user_combination');
  const person = directory.people().find((each) => each.id === id.trim());
  if (!person) return refuse('user_not_found');
  const alreadyOpen = directory.directs().some(({ members }) => members.has(person.id));
  const channel = directory.direct(person);
  const full = args.flag('return_im') ? channelObject(core, channel) : { id: channel.id };
  return done({ ...(alreadyOpen ? { no_op: true, already_open: true } : {}), channel: full });
}

function join(args: Arguments, core: Core): Reply {
  if (!args.has('channel')) return missingArgument('channel');
  const channel = seekChannel(args, core);
  if (!channel.ok) return channel;
  if (channel.value.kind !== 'public') return refuse('method_not_supported_for_channel_type');
  core.directory.join(channel.value.id, core.app.botUser);
  core.changed();
  const joined = core.directory.channel(channel.value.id) ?? channel.value;
  return done({ channel: channelObject(core, joined) });
}

export const conversationMethods: readonly Method[] = [
  botMethod('conversations.list', TIER.two, scopesFor('read'), list),
  botMethod('conversations.info', TIER.three, scopesFor('read'), info),
  botMethod('conversations.members', TIER.four, scopesFor('read'), members),
  botMethod('conversations.open', TIER.three, ['im:write', 'mpim:write'], open),
  botMethod('conversations.join', TIER.three, ['channels:join'], join),
];
