/** conversations.info, users.conversations. */

import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import { channelObject, openedObject } from '../objects/channel-object.ts';
import type { Channel, ChannelKind } from '../state/directory.ts';
import type { CallArguments } from './calls/arguments.ts';
import { findChannelWithScope, lacksScope, scopeOf, scopesFor } from './calls/channel-access.ts';
import { cursorPage } from './calls/cursors.ts';
import { formMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, okReply } from './calls/replies.ts';

/** "An integer under 1000" (docs.slack.dev/reference/methods/users.conversations). */
const LIMITS = { usual: 100, most: 999, strict: true } as const;
const KINDS: Readonly<Record<string, ChannelKind>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
};

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

/** As the cursors in the examples of docs.slack.dev/reference/methods/conversations.list read. */
function markOf({ id, kind }: Channel): string {
  return `${kind === 'im' ? 'im_id' : 'team'}:${id}`;
}

/**
 * A page of conversations of the requested types: public ones, and others that the bot is in. Archived ones count for
 * `limit` before they are left out, so a page may be short or empty (docs.slack.dev/reference/methods/conversations.list).
 */
function channelPage(
  args: CallArguments,
  core: WorkspaceCore,
  requested: (channel: Channel) => boolean,
  objectOf: (core: WorkspaceCore, channel: Channel) => JsonObject,
): ApiReply {
  const kinds = readKinds(args, core);
  if (!kinds.ok) return kinds;
  const all = core.directory
    .conversations()
    .filter(({ kind, members }) => kind === 'public' || members.has(core.app.botUser))
    .filter(({ kind }) => kinds.value.has(kind))
    .filter(requested);
  const found = cursorPage(all, args, { mark: markOf, ...LIMITS });
  if (!found.ok) return found;
  const shown = found.value.items.filter(({ archived }) => !(archived && args.flag('exclude_archived')));
  return okReply({
    channels: shown.map((channel) => objectOf(core, channel)),
    response_metadata: { next_cursor: found.value.next },
  });
}

/** "We omit the is_member and num_members fields" (docs.slack.dev/reference/methods/users.conversations). */
function withoutMembership(core: WorkspaceCore, channel: Channel): JsonObject {
  const { is_member: _, ...object } = channelObject(core, channel);
  return object;
}

function conversationsOf(args: CallArguments, core: WorkspaceCore): ApiReply {
  const user = args.text('user') ?? core.app.botUser;
  if (!core.directory.user(user)) return errorReply('user_not_found');
  return channelPage(args, core, ({ members }) => members.has(user), withoutMembership);
}

function info(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findChannelWithScope(args, core, 'read');
  if (!channel.ok) return channel;
  const count = args.flag('include_num_members') ? { num_members: channel.value.members.size } : {};
  const locale = args.flag('include_locale') ? { locale: 'en-US' } : {};
  return okReply({ channel: { ...openedObject(core, channel.value), ...locale, ...count } });
}

export const conversationMethods: readonly WebApiMethod[] = [
  formMethod('conversations.info', TIER.three, scopesFor('read'), info),
  formMethod('users.conversations', TIER.three, scopesFor('read'), conversationsOf),
];
