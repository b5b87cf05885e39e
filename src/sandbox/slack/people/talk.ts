/** A person writes, reads, and brings the bot into a channel. */
import type { Answer, MessageOrder, SeenMessage } from '../../contracts.ts';
import type { Core } from '../core.ts';
import { messageObject } from '../objects.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { richTextOf, withEntities } from '../typed-text.ts';
import { failed, membership, standing } from './found.ts';

export function sendMessage(core: Core, order: MessageOrder): Answer & { readonly ts?: string } {
  const member = membership(core, order);
  if (!member.ok) return member;
  const { person, channel } = member;
  const text = withEntities(core, order.text.trim());
  if (text === '') return failed('no_text');
  const threadTs = order.thread_ts ?? null;
  if (threadTs !== null && !core.timeline.get(channel.id, threadTs)) return failed('thread_not_found');
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
    broadcast: false,
    edited: null,
    onlyFor: null,
  };
  core.timeline.add(message);
  core.changed();
  tellBot(core, channel, message);
  return { ok: true, ts: message.ts };
}

/** The bot hears of what is said where it is, and of mentions of itself; in direct messages, of everything. */
function tellBot(core: Core, channel: Channel, message: Message): void {
  if (!channel.members.has(core.app.botUser)) return;
  const event = { ...messageObject(core, message, false), channel: channel.id, event_ts: message.ts };
  const isDirect = channel.kind === 'im';
  if (!isDirect && message.text.includes(`<@${core.app.botUser}>`))
    core.announce('app_mention', { ...event, type: 'app_mention' });
  const [subscription, channelType] = isDirect ? ['message.im', 'im'] : ['message.channels', 'channel'];
  core.announce(subscription, { ...event, channel_type: channelType });
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
    .map(({ ts, user, bot, text, blocks, metadata, onlyFor, threadTs, edited }) => ({
      ts,
      user,
      bot,
      text,
      blocks,
      metadata,
      ephemeral: onlyFor !== null,
      thread_ts: threadTs,
      edited: edited !== null,
    }));
}

export function inviteBot(core: Core, order: { readonly user: string; readonly channel: string }): Answer {
  const member = membership(core, order);
  if (!member.ok) return member;
  const { app, directory } = core;
  const { person, channel } = member;
  if (channel.members.has(app.botUser)) return failed('already_in_channel');
  directory.join(channel.id, app.botUser);
  core.changed();
  core.announce('member_joined_channel', {
    type: 'member_joined_channel',
    user: app.botUser,
    channel: channel.id,
    channel_type: 'C',
    team: app.teamId,
    inviter: person.id,
    event_ts: core.ids.ts(),
  });
  return { ok: true };
}
