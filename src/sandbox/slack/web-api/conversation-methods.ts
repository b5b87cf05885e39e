/** conversations.info, open, history, replies; users.conversations. */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import { messageObject } from '../objects/messages-and-views.ts';
import type { Channel, ChannelKind } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import {
  type ApiReply,
  botMethod,
  type CallArguments,
  errorReply,
  formMethod,
  type Lookup,
  missingArgumentReply,
  okReply,
  TIER,
  type WebApiMethod,
} from './calls.ts';
import { findChannelWithScope, lacksScope, scopeOf, scopesFor } from './channel-access.ts';

type CursorPage<T> = { readonly items: readonly T[]; readonly next: string };
type PagingOptions<T> = {
  /** A mark of an item's position, unique among the items. */
  readonly mark: (item: T) => string;
  readonly usual: number;
  readonly most: number;
  /** A wrong limit is an error: the page of the method lists `invalid_limit`. */
  readonly strict?: boolean;
};

/**
 * The page that `limit` and `cursor` select. "Invalid limit values are currently magically adjusted to something sensible"
 * (docs.slack.dev/apis/web-api/pagination). Cursors are opaque to callers; inside is the mark of the next item, as in the
 * examples of Slack's pages.
 */
function cursorPage<T>(
  all: readonly T[],
  args: CallArguments,
  { mark, usual, most, strict = false }: PagingOptions<T>,
): Lookup<CursorPage<T>> {
  const limit = args.number('limit') ?? usual;
  const isValid = Number.isInteger(limit) && limit >= 0 && limit <= most;
  if (!isValid && strict) return errorReply('invalid_limit');
  const size = isValid && limit > 0 ? limit : limit > most ? most : usual;
  const encode = (item: T) => Buffer.from(mark(item)).toString('base64');
  const cursor = args.text('cursor');
  const start = cursor === undefined ? 0 : all.findIndex((item) => encode(item) === cursor);
  if (start < 0) return errorReply('invalid_cursor');
  const items = all.slice(start, start + size);
  const following = all[start + size];
  return { ok: true, value: { items, next: following === undefined ? '' : encode(following) } };
}

/** "An integer under 1000" (docs.slack.dev/reference/methods/users.conversations). */
const CHANNELS = { usual: 100, most: 999, strict: true, mark: ({ id }: Channel) => `team:${id}` } as const;
const KINDS: Readonly<Record<string, ChannelKind>> = { public_channel: 'public', private_channel: 'private' };

function readKinds(args: CallArguments, core: WorkspaceCore): Lookup<ReadonlySet<ChannelKind>> {
  const kinds = new Set<ChannelKind>();
  for (const word of (args.text('types') ?? 'public_channel').split(',')) {
    const type = word.trim();
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
    if (kind === undefined) return errorReply('invalid_types');
    const lack = lacksScope(core, scopeOf(kind, 'read'));
    if (lack) return lack;
    kinds.add(kind);
  }
  return { ok: true, value: kinds };
}

/** "We omit the is_member and num_members fields" (docs.slack.dev/reference/methods/users.conversations). */
function withoutMembership(core: WorkspaceCore, channel: Channel): JsonObject {
  const { is_member: _, ...object } = channelObject(core, channel);
  return object;
}

/**
 * A page of a user's conversations of the requested types: public ones, and others that the bot is in. Archived ones count
 * for `limit` before they are left out, so a page may be short or empty
 * (docs.slack.dev/reference/methods/conversations.list).
 */
function conversationsOf(args: CallArguments, core: WorkspaceCore): ApiReply {
  const user = args.text('user') ?? core.app.botUser;
  if (!core.directory.user(user)) return errorReply('user_not_found');
  const kinds = readKinds(args, core);
  if (!kinds.ok) return kinds;
  const all = core.directory
    .conversations()
    .filter(({ kind, members }) => kind === 'public' || members.has(core.app.botUser))
    .filter(({ kind, members }) => kinds.value.has(kind) && members.has(user));
  const found = cursorPage(all, args, CHANNELS);
  if (!found.ok) return found;
  const shown = found.value.items.filter(({ archived }) => !(archived && args.flag('exclude_archived')));
  return okReply({
    channels: shown.map((channel) => withoutMembership(core, channel)),
    response_metadata: { next_cursor: found.value.next },
  });
}

function info(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findChannelWithScope(args, core, 'read');
  return channel.ok ? okReply({ channel: channelObject(core, channel.value) }) : channel;
}

/** The direct message of one person with the bot: the existing one, or a new one. */
function open(args: CallArguments, core: WorkspaceCore): ApiReply {
  const id = args.text('users');
  if (id === undefined) return errorReply('users_list_not_supplied');
  if (id === core.app.botUser) return errorReply('not_enough_users');
  const person = core.directory.people().find((each) => each.id === id);
  if (!person) return errorReply('user_not_found');
  const isKnown = core.directory
    .conversations()
    .some(({ kind, members }) => kind === 'im' && members.has(id));
  const lack = lacksScope(core, 'im:write');
  if (lack) return lack;
  const channel = core.directory.direct(person);
  return okReply({
    ...(isKnown ? { no_op: true, already_open: true } : {}),
    channel: { id: channel.id },
  });
}

/** docs.slack.dev/reference/methods/conversations.history, conversations.replies */
const HISTORY = { usual: 100, most: 999 };
const REPLIES = { usual: 1_000, most: 1_000 };

function findReadableChannel(args: CallArguments, core: WorkspaceCore): Lookup<Channel> {
  const channel = findChannelWithScope(args, core, 'history');
  if (!channel.ok) return channel;
  return channel.value.members.has(core.app.botUser) ? channel : errorReply('not_in_channel');
}

/** Messages have six decimals; an `oldest` with more was seen to match none. */
const TOO_PRECISE = /\.\d{7,}$/;

/** Whether the message lies between `oldest` and `latest`, which are not included. */
function within(args: CallArguments): Lookup<(message: Message) => boolean> {
  const oldest = args.number('oldest') ?? 0;
  const latest = args.number('latest') ?? Number.POSITIVE_INFINITY;
  if (Number.isNaN(oldest)) return errorReply('invalid_ts_oldest');
  if (Number.isNaN(latest)) return errorReply('invalid_ts_latest');
  if (TOO_PRECISE.test(args.text('oldest') ?? '')) return { ok: true, value: () => false };
  return { ok: true, value: ({ ts }) => Number(ts) > oldest && Number(ts) < latest };
}

function messagePage(
  all: readonly Message[],
  args: CallArguments,
  core: WorkspaceCore,
  limits: Pick<PagingOptions<Message>, 'usual' | 'most'>,
): ApiReply {
  const page = cursorPage(all, args, { mark: ({ ts }) => `next_ts:${ts.replace('.', '')}`, ...limits });
  if (!page.ok) return page;
  const { items, next } = page.value;
  const allMetadata = args.flag('include_all_metadata');
  return okReply({
    messages: items.map((message) => messageObject(core, message, allMetadata)),
    has_more: next !== '',
    ...(next === '' ? {} : { response_metadata: { next_cursor: next } }),
  });
}

/** From the newest message to the oldest. */
function history(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findReadableChannel(args, core);
  if (!channel.ok) return channel;
  const between = within(args);
  if (!between.ok) return between;
  const messages = core.timeline
    .all(channel.value.id)
    .filter(({ onlyFor, threadTs }) => onlyFor === null && threadTs === null)
    .filter(between.value);
  const reply = messagePage(messages.toReversed(), args, core, HISTORY);
  if (!reply.ok) return reply;
  const [oldest, latest] = [args.text('oldest'), args.text('latest')];
  const asked = { ...(oldest === undefined ? {} : { oldest }), ...(latest === undefined ? {} : { latest }) };
  return { ...reply, ...asked, pin_count: 0, channel_actions_ts: null, channel_actions_count: 0 };
}

/** The parent always comes first. */
function replies(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findReadableChannel(args, core);
  if (!channel.ok) return channel;
  const ts = args.text('ts');
  if (ts === undefined)
    return args.all['ts'] === '' ? errorReply('thread_not_found') : missingArgumentReply('ts');
  const between = within(args);
  if (!between.ok) return between;
  const open = core.timeline.all(channel.value.id).filter(({ onlyFor }) => onlyFor === null);
  const parent = open.find((message) => message.ts === ts);
  if (!parent) return errorReply('thread_not_found');
  const answers = open.filter(({ threadTs }) => threadTs === ts).filter(between.value);
  return messagePage([parent, ...answers], args, core, REPLIES);
}

/** Any of these; which one is needed depends on the type of the conversation. */
const OPENING = ['channels:manage', 'groups:write', 'im:write', 'mpim:write'];

export const conversationMethods: readonly WebApiMethod[] = [
  formMethod('conversations.info', TIER.three, scopesFor('read'), info),
  botMethod('conversations.open', TIER.three, OPENING, open),
  botMethod('conversations.history', TIER.three, scopesFor('history'), history),
  formMethod('conversations.replies', TIER.three, scopesFor('history'), replies),
  formMethod('users.conversations', TIER.three, scopesFor('read'), conversationsOf),
];

/** Ids of private channels start with C here, and so they are channels: groups are older than March 2021. */
function channelObject(core: WorkspaceCore, channel: Channel): JsonObject {
  const { app } = core;
  const { id, name, kind, archived, created, creator, members } = channel;
  if (kind === 'im') return directObject(core, channel);
  return {
    id,
    name,
    name_normalized: name,
    created,
    creator,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: kind !== 'public',
    is_archived: archived,
    is_general: false,
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    pending_connected_team_ids: [],
    shared_team_ids: [app.teamId],
    unlinked: 0,
    parent_conversation: null,
    previous_names: [],
    // In milliseconds, unlike `created`.
    updated: created * 1_000,
    is_member: members.has(app.botUser),
    topic: UNSET,
    purpose: UNSET,
    context_team_id: app.teamId,
  };
}

const UNSET = { value: '', creator: '', last_set: 0 };

function directObject({ app }: WorkspaceCore, { id, created, members }: Channel): JsonObject {
  const user = [...members].find((member) => member !== app.botUser);
  return {
    id,
    created,
    is_im: true,
    is_org_shared: false,
    is_archived: false,
    is_user_deleted: false,
    user,
    is_open: true,
    priority: 0,
    context_team_id: app.teamId,
  };
}
