/** A person writes, reacts, opens the Home, joins a channel, and invites the bot to one. */
import { createHash } from 'node:crypto';
import type {
  ControlAnswer,
  HomeInput,
  JoinInput,
  MessageInput,
  ReactInput,
  SentMessageAnswer,
} from '../../contracts/people.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { postAsPerson, unfurlDomainOf } from '../messages/posting.ts';
import { unescapeText, withEntities } from '../messages/typed-text.ts';
import { messageObject, viewObject } from '../objects/messages-and-views.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { errorAnswer, findMessage, memberInChannel, personInChannel } from './find-targets.ts';

export function sendMessage(core: WorkspaceCore, input: MessageInput): SentMessageAnswer {
  const member = memberInChannel(core, input);
  if (!member.ok) return member;
  const { person, channel } = member;
  if (channel.archived) return errorAnswer('is_archived');
  const text = withEntities(core, input.text.trim(), person.id);
  if (text === '') return errorAnswer('no_text');
  const threadTs = threadOf(core, channel, input.thread_ts);
  if (threadTs === undefined) return errorAnswer('thread_not_found');
  const message = postAsPerson(core, { user: person.id, channel: channel.id, text, threadTs });
  const isMember = channel.members.has(core.app.botUser);
  if (isMember) announceMention(core, channel, message);
  announceSharedLinks(core, channel, message);
  const offer = !isMember && mentionsBot(core, message);
  return { ok: true, ts: message.ts, ...(offer ? { offers_invite: true } : {}) };
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

/**
 * Sends the bot an event for links into its domains, even in channels it is not in
 * (docs.slack.dev/reference/events/link_shared). Slack also reports links in unsent drafts; the sandbox has no drafts.
 */
function announceSharedLinks(core: WorkspaceCore, channel: Channel, message: Message): void {
  const { text, user, ts, threadTs } = message;
  const links = urlsIn(text).flatMap((url) => {
    const domain = unfurlDomainOf(core, url);
    return domain === undefined ? [] : [{ domain, url }];
  });
  if (links.length === 0) return;
  const hash = createHash('sha256').update(`${channel.id} ${ts}`).digest('hex').slice(0, 32);
  core.announce('link_shared', {
    type: 'link_shared',
    channel: channel.id,
    is_bot_user_member: channel.members.has(core.app.botUser),
    user,
    message_ts: ts,
    ...(threadTs === null ? {} : { thread_ts: threadTs }),
    unfurl_id: `${channel.id}.${ts}.${hash}`,
    source: 'conversations_history',
    links,
    user_locale: 'en-US',
    event_ts: core.ids.ts(),
  });
}

/** Without the hosts that were typed without a protocol (docs.slack.dev/messaging/unfurling-links-in-messages). */
function urlsIn(text: string): readonly string[] {
  return [...text.matchAll(/<(https?:\/\/[^<>|]+)(?:\|([^<>]*))?>/g)]
    .filter(([, url, label]) => url !== `http://${label}`)
    .map(([, url = '']) => unescapeText(url));
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
  const { app } = core;
  const { person, channel } = member;
  if (channel.archived) return errorAnswer('is_archived');
  if (channel.members.has(app.botUser)) return errorAnswer('already_in_channel');
  core.directory.join(channel.id, app.botUser);
  core.changed();
  announceJoined(core, channel, app.botUser, { inviter: person.id });
  const last = core.timeline.all(channel.id).findLast(({ user }) => user === person.id);
  if (last) announceMention(core, channel, last);
  return { ok: true };
}

/** A person joins a public channel; the bot gets an event if it is a member. */
export function joinChannel(core: WorkspaceCore, input: JoinInput): ControlAnswer {
  const location = personInChannel(core, input);
  if (!location.ok) return location;
  const { person, channel } = location;
  if (channel.kind !== 'public') return errorAnswer('method_not_supported_for_channel_type');
  if (channel.archived) return errorAnswer('is_archived');
  if (channel.members.has(person.id)) return errorAnswer('already_in_channel');
  core.directory.join(channel.id, person.id);
  core.changed();
  if (channel.members.has(core.app.botUser)) announceJoined(core, channel, person.id);
  return { ok: true };
}

function announceJoined(
  core: WorkspaceCore,
  channel: Channel,
  user: string,
  by: { readonly inviter?: string } = {},
): void {
  core.announce('member_joined_channel', {
    type: 'member_joined_channel',
    user,
    channel: channel.id,
    channel_type: 'C',
    team: core.app.teamId,
    ...by,
    event_ts: core.ids.ts(),
  });
}

/** The form of an emoji name, with or without a skin tone. */
const REACTION_NAME = /^[a-z0-9_+'-]+(?:::skin-tone-[2-6])?$/;

/** A person adds or removes a reaction, which the bot reads in the history (docs.slack.dev/reference/methods/reactions.add). */
export function reactToMessage(core: WorkspaceCore, input: ReactInput): ControlAnswer {
  const found = findMessage(core, input);
  if (!found.ok) return found;
  const { person, channel, message } = found;
  if (channel.archived) return errorAnswer('is_archived');
  if (message.onlyFor !== null) return errorAnswer('message_not_found');
  const name = input.name.replace(/^:(.*):$/, '$1');
  if (!REACTION_NAME.test(name)) return errorAnswer('invalid_name');
  const { reactions: before = [] } = message;
  const users = before.find((each) => each.name === name)?.users ?? [];
  const remove = input.remove === true;
  if (users.includes(person.id) !== remove) return errorAnswer(remove ? 'no_reaction' : 'already_reacted');
  const after = remove ? users.filter((each) => each !== person.id) : [...users, person.id];
  // In the order in which they were first added.
  const known = before.some((each) => each.name === name) ? before : [...before, { name, users }];
  const reactions = known.map((each) => (each.name === name ? { name, users: after } : each));
  core.timeline.change(message, { reactions: reactions.filter((each) => each.users.length > 0) });
  core.changed();
  return { ok: true };
}

/** A person opens the app's Home or messages (docs.slack.dev/reference/events/app_home_opened). */
export function openHome(core: WorkspaceCore, { user, tab = 'home' }: HomeInput): ControlAnswer {
  const { directory, manifest, views, ids } = core;
  const person = directory.person(user);
  if (!person) return errorAnswer('user_not_found');
  if (tab === 'home' && !manifest.homeTab) return errorAnswer('home_tab_disabled');
  const view = tab === 'home' ? views.home(person.id) : undefined;
  core.announce('app_home_opened', {
    type: 'app_home_opened',
    user: person.id,
    channel: directory.direct(person).id,
    tab,
    event_ts: ids.ts(),
    // The view is included only if one was published before.
    ...(view ? { view: viewObject(core, view) } : {}),
  });
  return { ok: true };
}
