/** chat.scheduleMessage, chat.deleteScheduledMessage, chat.scheduledMessages.list. */
import { DAY, MINUTE, SECOND } from '../../../clock.ts';
import type { Arguments } from '../arguments.ts';
import { TEXT_CUT } from '../content.ts';
import type { Core } from '../core.ts';
import { postAsBot } from '../posting.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Scheduled } from '../state/schedule.ts';
import { readDraft } from './drafts.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';
import { pageOf } from './paging.ts';
import { seekChannel } from './reach.ts';

/** docs.slack.dev/reference/methods/chat.scheduleMessage */
const FURTHEST_S = (120 * DAY) / SECOND;
const WINDOW_S = (5 * MINUTE) / SECOND;
const MOST_IN_WINDOW = 30;

function seekTime(args: Arguments, core: Core): Sought<number> {
  if (!args.has('post_at')) return missingArgument('post_at');
  const at = args.number('post_at') ?? Number.NaN;
  if (!Number.isSafeInteger(at)) return refuse('invalid_time');
  const now = core.clock.now() / SECOND;
  if (at <= now) return refuse('time_in_past');
  return at - now > FURTHEST_S ? refuse('time_too_far') : { ok: true, value: at };
}

function isCrowded(core: Core, channel: string, postAt: number): boolean {
  const near = core.schedule
    .waiting()
    .filter((each) => each.channel === channel && Math.abs(each.postAt - postAt) < WINDOW_S);
  return near.length >= MOST_IN_WINDOW;
}

function scheduleMessage(args: Arguments, core: Core): Reply {
  const time = seekTime(args, core);
  if (!time.ok) return time;
  const draft = readDraft(args, core);
  if (!draft.ok) return draft;
  const { content, threadTs } = draft.value;
  const text = content.text ?? '';
  if ((args.text('text') ?? '').length > TEXT_CUT) return refuse('msg_too_long');
  const channel = draft.value.channel.id;
  if (isCrowded(core, channel, time.value)) return refuse('restricted_too_many');
  const created = Math.floor(core.clock.now() / SECOND);
  const scheduled = { id: core.ids.next('Q'), channel, postAt: time.value, created, text };
  core.schedule.add(scheduled, () => {
    if (core.directory.channel(channel)?.archived) return;
    const broadcast = threadTs !== undefined && args.flag('reply_broadcast');
    postAsBot(core, { channel, content, threadTs, broadcast });
  });
  const { app } = core;
  const message = { text, type: 'message', subtype: 'bot_message', bot_id: app.botId, app_id: app.appId };
  return done({ channel, scheduled_message_id: scheduled.id, post_at: time.value, message });
}

function deleteScheduled(args: Arguments, core: Core): Reply {
  const channel = seekChannel(args, core);
  if (!channel.ok) return channel;
  const id = args.text('scheduled_message_id');
  if (id === undefined) return missingArgument('scheduled_message_id');
  const found = core.schedule.waiting().find((each) => each.id === id && each.channel === channel.value.id);
  if (!found) return refuse('invalid_scheduled_message_id');
  core.schedule.cancel(id);
  return done();
}

function listScheduled(args: Arguments, core: Core): Reply {
  const channel = args.text('channel');
  if (channel !== undefined && !core.directory.channel(channel)) return refuse('invalid_channel');
  const oldest = args.number('oldest') ?? 0;
  const latest = args.number('latest') ?? Number.POSITIVE_INFINITY;
  const wanted = core.schedule
    .waiting()
    .filter((each) => each.channel === (channel ?? each.channel))
    .filter(({ postAt }) => postAt >= oldest && postAt <= latest);
  const page = pageOf(wanted, args, { mark: ({ id }) => id, usual: 100, most: 1_000 });
  if (!page.ok) return page;
  const { items, next } = page.value;
  return done({
    scheduled_messages: items.map(scheduledObject),
    response_metadata: { next_cursor: next },
  });
}

function scheduledObject({ id, channel, postAt, created, text }: Scheduled) {
  return { id, channel_id: channel, post_at: postAt, date_created: created, text };
}

export const chatScheduleMethods: readonly Method[] = [
  botMethod('chat.scheduleMessage', TIER.three, ['chat:write'], scheduleMessage),
  botMethod('chat.deleteScheduledMessage', TIER.three, ['chat:write'], deleteScheduled),
  botMethod('chat.scheduledMessages.list', TIER.three, [], listScheduled),
];
