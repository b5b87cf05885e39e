/** chat.scheduleMessage, chat.deleteScheduledMessage, chat.scheduledMessages.list. */
import { DAY, MINUTE, SECOND } from '../../../lib/clock.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { MAX_TEXT } from '../messages/content.ts';
import { postAsBot } from '../messages/posting.ts';
import type { ScheduledMessage } from '../state/scheduled-messages.ts';
import type { CallArguments } from './calls/arguments.ts';
import { findChannel } from './calls/channel-access.ts';
import { cursorPage } from './calls/cursors.ts';
import { readMessageArguments } from './calls/message-arguments.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

/** docs.slack.dev/reference/methods/chat.scheduleMessage */
const MAX_AHEAD_S = (120 * DAY) / SECOND;
const WINDOW_S = (5 * MINUTE) / SECOND;
const MAX_IN_WINDOW = 30;
/** docs.slack.dev/reference/methods/chat.deleteScheduledMessage */
const NO_DELETION_S = MINUTE / SECOND;

function readPostAt(args: CallArguments, core: WorkspaceCore): Lookup<number> {
  if (!args.has('post_at')) return missingArgumentReply('post_at');
  const at = args.number('post_at') ?? Number.NaN;
  if (!Number.isSafeInteger(at)) return errorReply('invalid_time');
  const now = core.clock.now() / SECOND;
  if (at <= now) return errorReply('time_in_past');
  return at - now > MAX_AHEAD_S ? errorReply('time_too_far') : { ok: true, value: at };
}

/** Whether some five minutes around this time have as many messages of the channel as they may have. */
function isCrowded(core: WorkspaceCore, channel: string, postAt: number): boolean {
  const times = core.schedule
    .waiting()
    .filter((each) => each.channel === channel)
    .map((each) => each.postAt);
  return [...times, postAt]
    .filter((start) => start <= postAt && postAt - start < WINDOW_S)
    .some((start) => times.filter((at) => at >= start && at - start < WINDOW_S).length >= MAX_IN_WINDOW);
}

function scheduleMessage(args: CallArguments, core: WorkspaceCore): ApiReply {
  const time = readPostAt(args, core);
  if (!time.ok) return time;
  const draft = readMessageArguments(args, core);
  if (!draft.ok) return draft;
  const { content, threadTs } = draft.value;
  const text = content.text ?? '';
  if ((args.text('text') ?? '').length > MAX_TEXT) return errorReply('msg_too_long');
  const channel = draft.value.channel.id;
  if (isCrowded(core, channel, time.value)) return errorReply('restricted_too_many');
  const created = Math.floor(core.clock.now() / SECOND);
  const scheduled = { id: core.ids.next('Q'), channel, postAt: time.value, created, text };
  core.schedule.add(scheduled, () => {
    if (core.directory.channel(channel)?.archived) return;
    // "Messages scheduled with chat.scheduleMessage will not post if the metadata parameter is used" (the same page).
    if (content.metadata) return;
    const broadcast = threadTs !== undefined && args.flag('reply_broadcast');
    postAsBot(core, { channel, content, threadTs, broadcast });
  });
  const { app } = core;
  const message = {
    text,
    type: 'delayed_message',
    subtype: 'bot_message',
    bot_id: app.botId,
    app_id: app.appId,
    ...(content.attachments ? { attachments: content.attachments } : {}),
  };
  return okReply({ channel, scheduled_message_id: scheduled.id, post_at: time.value, message });
}

function deleteScheduled(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = findChannel(args, core);
  if (!channel.ok) return channel;
  const id = args.text('scheduled_message_id');
  if (id === undefined) return missingArgumentReply('scheduled_message_id');
  const found = core.schedule.waiting().find((each) => each.id === id && each.channel === channel.value.id);
  const isTooLate = (found?.postAt ?? 0) - core.clock.now() / SECOND <= NO_DELETION_S;
  if (!found || isTooLate) return errorReply('invalid_scheduled_message_id');
  core.schedule.cancel(id);
  return okReply();
}

function listScheduled(args: CallArguments, core: WorkspaceCore): ApiReply {
  const channel = args.text('channel');
  if (channel !== undefined && !core.directory.channel(channel)) return errorReply('invalid_channel');
  const oldest = args.number('oldest') ?? 0;
  const latest = args.number('latest') ?? Number.POSITIVE_INFINITY;
  const requestedChannel = core.schedule
    .waiting()
    .filter((each) => each.channel === (channel ?? each.channel))
    .filter(({ postAt }) => postAt >= oldest && postAt <= latest);
  const page = cursorPage(requestedChannel, args, { mark: ({ id }) => id, usual: 100, most: 1_000 });
  if (!page.ok) return page;
  const { items, next } = page.value;
  return okReply({
    scheduled_messages: items.map(scheduledObject),
    response_metadata: { next_cursor: next },
  });
}

function scheduledObject({ id, channel, postAt, created, text }: ScheduledMessage) {
  return { id, channel_id: channel, post_at: postAt, date_created: created, text };
}

export const chatScheduleMethods: readonly WebApiMethod[] = [
  botMethod('chat.scheduleMessage', TIER.three, ['chat:write'], scheduleMessage),
  botMethod('chat.deleteScheduledMessage', TIER.three, ['chat:write'], deleteScheduled),
  botMethod('chat.scheduledMessages.list', TIER.three, [], listScheduled),
];
