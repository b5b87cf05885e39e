/** conversations.history, conversations.replies. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { messageObject } from '../objects.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { pageOf } from './paging.ts';
import { scopesFor, seekWithScope } from './reach.ts';

/** docs.slack.dev/reference/methods/conversations.history, conversations.replies */
const HISTORY = { usual: 100, most: 999 };
const REPLIES = { usual: 1_000, most: 1_000 };

function seekReadable(args: Arguments, core: Core): Sought<Channel> {
  const channel = seekWithScope(args, core, 'history');
  if (!channel.ok) return channel;
  return channel.value.members.has(core.app.botUser) ? channel : refuse('not_in_channel');
}

/** Whether the message lies between `oldest` and `latest`, which count only when `inclusive`. */
function within(args: Arguments): Sought<(message: Message) => boolean> {
  const oldest = args.number('oldest') ?? 0;
  const latest = args.number('latest') ?? Number.POSITIVE_INFINITY;
  if (Number.isNaN(oldest)) return refuse('invalid_ts_oldest');
  if (Number.isNaN(latest)) return refuse('invalid_ts_latest');
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

type Sizes = { readonly usual: number; readonly most: number };

function answer(all: readonly Message[], args: Arguments, core: Core, { usual, most }: Sizes): Reply {
  const page = pageOf(all, args, { mark: ({ ts }) => ts, usual, most });
  if (!page.ok) return page;
  const { items, next } = page.value;
  const allMetadata = args.flag('include_all_metadata');
  return done({
    messages: items.map((message) => messageObject(core, message, allMetadata)),
    has_more: next !== '',
    ...(next === '' ? {} : { response_metadata: { next_cursor: next } }),
  });
}

function history(args: Arguments, core: Core): Reply {
  const channel = seekReadable(args, core);
  if (!channel.ok) return channel;
  const between = within(args);
  if (!between.ok) return between;
  const messages = core.timeline
    .all(channel.value.id)
    .filter(({ onlyFor, threadTs, broadcast }) => onlyFor === null && (threadTs === null || broadcast))
    .filter(between.value)
    .toReversed();
  const reply = answer(messages, args, core, HISTORY);
  return reply.ok ? { ...reply, pin_count: 0, channel_actions_ts: null, channel_actions_count: 0 } : reply;
}

/** The parent always comes first. */
function replies(args: Arguments, core: Core): Reply {
  const channel = seekReadable(args, core);
  if (!channel.ok) return channel;
  const ts = args.text('ts');
  if (ts === undefined) return missingArgument('ts');
  const between = within(args);
  if (!between.ok) return between;
  const open = core.timeline.all(channel.value.id).filter(({ onlyFor }) => onlyFor === null);
  const parent = open.find((message) => message.ts === ts);
  if (!parent) return refuse('thread_not_found');
  const answers = open.filter(({ threadTs }) => threadTs === ts).filter(between.value);
  return answer([parent, ...answers], args, core, REPLIES);
}

export const historyMethods: readonly Method[] = [
  botMethod('conversations.history', TIER.three, scopesFor('history'), history),
  botMethod('conversations.replies', TIER.three, scopesFor('history'), replies),
];
