/** A person writes, reads, and invites the bot to a channel. */
import type {
  ControlAnswer,
  MessageInput,
  SeenMessage,
  SentMessageAnswer,
} from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { withEntities } from '../messages/typed-text.ts';
import { messageFileObjects, messageObject } from '../objects/messages-and-views.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { visibleFile } from './files-seen.ts';
import { errorAnswer, memberInChannel, personInChannel } from './find-targets.ts';
import { announceSharedLinks } from './shared-links.ts';
import { postAsPerson } from './typed-message.ts';

export function sendMessage(core: WorkspaceCore, input: MessageInput): SentMessageAnswer {
  const member = memberInChannel(core, input);
  if (!member.ok) return member;
  const { person, channel } = member;
  if (channel.archived) return errorAnswer('is_archived');
  const refusal = refusesMessages(core, channel);
  if (refusal !== null) return errorAnswer(refusal);
  const text = withEntities(core, input.text.trim(), person.id);
  if (text === '') return errorAnswer('no_text');
  const threadTs = threadOf(core, channel, input.thread_ts);
  if (threadTs === undefined) return errorAnswer('thread_not_found');
  const broadcast = threadTs !== null && input.broadcast === true;
  const message = postAsPerson(core, { user: person.id, channel: channel.id, text, threadTs, broadcast });
  const isMember = channel.members.has(core.app.botUser);
  if (isMember) announceMention(core, channel, message);
  announceSharedLinks(core, channel, message);
  const offer = !isMember && channel.kind !== 'im' && mentionsBot(core, message);
  return { ok: true, ts: message.ts, ...(offer ? { offers_invite: true } : {}) };
}

/** Whether people write to the app is decided by its manifest (docs.slack.dev/reference/app-manifest). */
function refusesMessages({ manifest }: WorkspaceCore, { kind }: Channel): string | null {
  if (kind !== 'im') return null;
  if (!manifest.messagesTab) return 'messages_tab_disabled';
  return manifest.messagesReadOnly ? 'messages_tab_read_only' : null;
}

/** The thread of a message or of one of its replies; null for none, undefined where replies are impossible. */
function threadOf(
  { timeline }: WorkspaceCore,
  channel: Channel,
  ts: string | undefined,
): string | null | undefined {
  if (ts === undefined) return null;
  const message = timeline.get(channel.id, ts);
  return message?.onlyFor === null ? (message.threadTs ?? ts) : undefined;
}

/** A direct message causes `message.im`, never `app_mention` (docs.slack.dev/reference/events/app_mention). */
function announceMention(core: WorkspaceCore, channel: Channel, message: Message): void {
  if (channel.kind === 'im' || !mentionsBot(core, message)) return;
  const event = messageObject(core, message, false);
  core.announce('app_mention', {
    ...event,
    type: 'app_mention',
    channel: channel.id,
    event_ts: message.ts,
  });
}

function mentionsBot({ app: { botUser } }: WorkspaceCore, { text }: Message): boolean {
  return new RegExp(`<@${botUser}(?:\\|[^<>]*)?>`).test(text);
}

/** Everything that this person sees in the channel, oldest first; null when they may not see it. */
export function visibleMessages(
  core: WorkspaceCore,
  view: { readonly channel: string; readonly user: string },
): readonly SeenMessage[] | null {
  const location = personInChannel(core, view);
  if (!location.ok) return null;
  return core.timeline
    .all(location.channel.id)
    .filter((message) => isVisible(core, message, location.person.id))
    .map((message) => visibleMessage(core, message));
}

/**
 * An ephemeral message is for one person, and in a thread only if that had an answer before it
 * (docs.slack.dev/reference/methods/chat.postEphemeral).
 */
export function isVisible({ timeline }: WorkspaceCore, message: Message, person: string): boolean {
  const { channel, onlyFor, threadTs } = message;
  if (onlyFor === null) return true;
  if (onlyFor !== person) return false;
  if (threadTs === null) return true;
  const first = timeline.replies({ channel, ts: threadTs }).find((reply) => reply.onlyFor === null);
  return first !== undefined && Number(first.ts) < Number(message.ts);
}

/** The contract's fields; optional ones only when they have content. */
export function visibleMessage(core: WorkspaceCore, message: Message): SeenMessage {
  const { ts, user, bot, text, blocks, metadata, onlyFor, threadTs, reactions = [] } = message;
  const files = messageFileObjects(core, message).map(visibleFile);
  return {
    ts,
    user,
    bot,
    text,
    blocks,
    metadata,
    ephemeral: onlyFor !== null,
    thread_ts: threadTs,
    ...(message.plain ? { plain: true } : {}),
    ...(message.broadcast ? { broadcast: true } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
  };
}

/**
 * Whoever mentions an app that is no member may invite it, and the app then gets that mention
 * (docs.slack.dev/reference/events/app_mention). Here the invitation is one of its own: it belongs to a mention that is the
 * last message of who invites.
 */
export function inviteBot(
  core: WorkspaceCore,
  input: { readonly user: string; readonly channel: string },
): ControlAnswer {
  const member = memberInChannel(core, input);
  if (!member.ok) return member;
  const { app, directory } = core;
  const { person, channel } = member;
  if (channel.archived) return errorAnswer('is_archived');
  if (channel.members.has(app.botUser)) return errorAnswer('already_in_channel');
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
  const last = core.timeline.all(channel.id).findLast(({ user }) => user === person.id);
  if (last) announceMention(core, channel, last);
  return { ok: true };
}
