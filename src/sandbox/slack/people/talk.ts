/** A person writes, reads, and brings the bot into a channel. */
import type { Answer, MessageOrder, SeenMessage } from '../../contracts.ts';
import type { Core } from '../core.ts';
import { filesOf, messageObject } from '../objects.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { richTextOf, withEntities } from '../typed-text.ts';
import { seenFile } from './files.ts';
import { failed, membership, standing } from './found.ts';
import { tellOfLinks } from './links.ts';

export function sendMessage(core: Core, order: MessageOrder): Answer & { readonly ts?: string } {
  const member = membership(core, order);
  if (!member.ok) return member;
  const { person, channel } = member;
  if (channel.archived) return failed('is_archived');
  const text = withEntities(core, order.text.trim(), person.id);
  if (text === '') return failed('no_text');
  const threadTs = threadOf(core, channel, order.thread_ts);
  if (threadTs === undefined) return failed('thread_not_found');
  const message: Message = {
    ts: core.ids.ts(),
    channel: channel.id,
    user: person.id,
    bot: false,
    text,
    blocks: [richTextOf(text, core.ids.next('b'))],
    attachments: [],
    metadata: null,
    threadTs,
    broadcast: threadTs !== null && order.broadcast === true,
    edited: null,
    onlyFor: null,
  };
  core.timeline.add(message);
  core.changed();
  tellOfMention(core, channel, message);
  tellOfLinks(core, channel, message);
  return { ok: true, ts: message.ts };
}

/** The thread of a message or of one of its replies; null for none, undefined where nothing can be replied to. */
function threadOf({ timeline }: Core, channel: Channel, ts: string | undefined): string | null | undefined {
  if (ts === undefined) return null;
  const message = timeline.get(channel.id, ts);
  return message?.onlyFor === null ? (message.threadTs ?? ts) : undefined;
}

/** In a direct message nobody is mentioned to the bot: it hears `message.im` (docs.slack.dev/reference/events/app_mention). */
function tellOfMention(core: Core, channel: Channel, message: Message): void {
  const { botUser } = core.app;
  const isMentioned = new RegExp(`<@${botUser}(?:\\|[^<>]*)?>`).test(message.text);
  if (!isMentioned || channel.kind === 'im' || !channel.members.has(botUser)) return;
  const event = messageObject(core, message, false);
  core.announce('app_mention', {
    ...event,
    type: 'app_mention',
    channel: channel.id,
    event_ts: message.ts,
  });
}

/** Everything that this person sees in the channel, oldest first; null when they see none of it. */
export function seenMessages(
  core: Core,
  view: { readonly channel: string; readonly user: string },
): readonly SeenMessage[] | null {
  const stood = standing(core, view);
  if (!stood.ok) return null;
  return core.timeline
    .all(stood.channel.id)
    .filter(({ onlyFor }) => onlyFor === null || onlyFor === stood.person.id)
    .map((message) => seenMessage(core, message));
}

/** The promised fields, and what stands on a message only where there is some of it. */
export function seenMessage(core: Core, message: Message): SeenMessage {
  const { ts, user, bot, text, blocks, metadata, onlyFor, threadTs, edited, reactions = [] } = message;
  const files = filesOf(core, message).map(seenFile);
  return {
    ts,
    user,
    bot,
    text,
    blocks,
    metadata,
    ephemeral: onlyFor !== null,
    thread_ts: threadTs,
    edited: edited !== null,
    ...(message.broadcast ? { broadcast: true } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
  };
}

export function inviteBot(core: Core, order: { readonly user: string; readonly channel: string }): Answer {
  const member = membership(core, order);
  if (!member.ok) return member;
  const { app, directory } = core;
  const { person, channel } = member;
  if (channel.archived) return failed('is_archived');
  if (channel.members.has(app.botUser)) return failed('already_in_channel');
  directory.join(channel.id, app.botUser);
  core.changed();
  core.announce('member_joined_channel', {
    type: 'member_joined_channel',
    user: app.botUser,
    channel: channel.id,
    channel_type: channel.kind === 'private' ? 'G' : 'C',
    team: app.teamId,
    inviter: person.id,
    event_ts: core.ids.ts(),
  });
  return { ok: true };
}
