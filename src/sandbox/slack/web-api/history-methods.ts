/** conversations.history, conversations.replies. */

import type { WorkspaceCore } from '../core/core.ts';
import { messageObject } from '../objects/messages-and-views.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import type { CallArguments } from './calls/arguments.ts';
import { findChannelWithScope, scopesFor } from './calls/channel-access.ts';
import { cursorPage } from './calls/cursors.ts';
import { botMethod, formMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

/** docs.slack.dev/reference/methods/conversations.history, conversations.replies */
const HISTORY = { usual: 100, most: 999 };
const REPLIES = { usual: 1_000, most: 1_000 };

function findReadableChannel(args: CallArguments, core: WorkspaceCore): Lookup<Channel> {
  const channel = findChannelWithScope(args, core, 'history');
  if (!channel.ok) return channel;
  if (hasBadMetadataKeys(args)) return errorReply('invalid_metadata_filter_keys');
  return channel.value.members.has(core.app.botUser) ? channel : errorReply('not_in_channel');
}

/** Messages have six decimals; an `oldest` with more was seen to match none. */
const TOO_PRECISE = /\.\d{7,}$/;

/** An argument that the pages name only in their error `invalid_metadata_filter_keys`; here it selects nothing. */
function hasBadMetadataKeys(args: CallArguments): boolean {
  const keys = args.structure('metadata_keys_to_include');
  return (
    args.has('metadata_keys_to_include') &&
    !(Array.isArray(keys) && keys.every((key) => typeof key === 'string'))
  );
}

/** Whether the message lies between `oldest` and `latest`, which are included only with `inclusive`. */
function within(args: CallArguments): Lookup<(message: Message) => boolean> {
  const oldest = args.number('oldest') ?? 0;
  const latest = args.number('latest') ?? Number.POSITIVE_INFINITY;
  if (Number.isNaN(oldest)) return errorReply('invalid_ts_oldest');
  if (Number.isNaN(latest)) return errorReply('invalid_ts_latest');
  if (TOO_PRECISE.test(args.text('oldest') ?? '')) return { ok: true, value: () => false };
  const inclusive = args.flag('inclusive');
  return {
    ok: true,
    value: ({ ts }) => {
      const at = Number(ts);
      if (at === oldest || at === latest) return inclusive;
      return at > oldest && at < latest;
    },
  };
}

type Paging = { readonly usual: number; readonly most: number; readonly reversed?: boolean };

/**
 * The pages go from the newest to the oldest message, but from `oldest` on where that is the only bound
 * (slackhq/slack-api-docs#4). Inside a page the newest message is always first.
 */
function startsAtOldest(args: CallArguments): boolean {
  return (args.number('oldest') ?? 0) > 0 && args.number('latest') === undefined;
}

function answer(
  all: readonly Message[],
  args: CallArguments,
  core: WorkspaceCore,
  { usual, most, reversed = false }: Paging,
): ApiReply {
  const page = cursorPage(all, args, { mark: ({ ts }) => `next_ts:${ts.replace('.', '')}`, usual, most });
  if (!page.ok) return page;
  const { items, next } = page.value;
  const allMetadata = args.flag('include_all_metadata');
  return okReply({
    messages: (reversed ? items.toReversed() : items).map((message) =>
      messageObject(core, message, allMetadata),
    ),
    has_more: next !== '',
    ...(next === '' ? {} : { response_metadata: { next_cursor: next } }),
  });
}

function history(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findReadableChannel(args, core);
  if (!channel.ok) return channel;
  const between = within(args);
  if (!between.ok) return between;
  const messages = core.timeline
    .all(channel.value.id)
    .filter(({ onlyFor, threadTs, broadcast }) => onlyFor === null && (threadTs === null || broadcast))
    .filter(between.value);
  const forward = startsAtOldest(args);
  const reply = answer(forward ? messages : messages.toReversed(), args, core, {
    ...HISTORY,
    reversed: forward,
  });
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
  return answer([parent, ...answers], args, core, REPLIES);
}

export const historyMethods: readonly WebApiMethod[] = [
  botMethod('conversations.history', TIER.three, scopesFor('history'), history),
  formMethod('conversations.replies', TIER.three, scopesFor('history'), replies),
];
