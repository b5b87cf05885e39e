/** Slack's own JSON objects: messages, channels, users, views. */
import { formState } from './blocks/entries.ts';
import type { Core } from './core.ts';
import type { Fields } from './json.ts';
import type { Channel, Person } from './state/directory.ts';
import type { Message } from './state/timeline.ts';
import type { View } from './state/views.ts';

/** A message; readers get only the type of its metadata unless they ask for all of it. */
export function messageObject(core: Core, message: Message, allMetadata: boolean): Fields {
  const { app } = core;
  const { metadata, threadTs } = message;
  return {
    type: 'message',
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: app.teamId,
    ...(message.bot ? { bot_id: app.botId, app_id: app.appId, bot_profile: botObject(core) } : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(metadata ? { metadata: allMetadata ? metadata : { event_type: metadata.event_type } } : {}),
    ...(message.edited ? { edited: message.edited } : {}),
    ...(threadTs === null ? {} : { thread_ts: threadTs }),
    ...thread(core, message),
  };
}

function thread(core: Core, message: Message): Fields {
  if (message.threadTs !== null) {
    const parent = core.timeline.get(message.channel, message.threadTs);
    return parent ? { parent_user_id: parent.user } : {};
  }
  const replies = core.timeline
    .all(message.channel)
    .filter(({ threadTs, onlyFor }) => threadTs === message.ts && onlyFor === null);
  if (replies.length === 0) return {};
  const users = [...new Set(replies.map(({ user }) => user))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users: users,
    reply_users_count: users.length,
    latest_reply: replies.at(-1)?.ts,
  };
}

export function botObject({ app }: Core): Fields {
  return {
    id: app.botId,
    app_id: app.appId,
    user_id: app.botUser,
    name: app.botName,
    deleted: false,
    updated: 0,
    team_id: app.teamId,
    icons: {},
  };
}

export function channelObject({ app, directory }: Core, channel: Channel): Fields {
  const { id, name, kind, members } = channel;
  if (kind === 'im') {
    const user = [...members].find((member) => member !== app.botUser);
    return { id, created: 0, is_im: true, is_org_shared: false, is_archived: false, user, is_open: true };
  }
  return {
    id,
    name,
    name_normalized: name,
    created: 0,
    creator: directory.people()[0]?.id,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: kind === 'private',
    is_archived: false,
    is_general: false,
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    is_member: members.has(app.botUser),
    num_members: members.size,
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    context_team_id: app.teamId,
  };
}

export function userObject({ app, manifest }: Core, { id, name, realName, role }: Person): Fields {
  const isBot = role === 'bot';
  const email = !isBot && manifest.scopes.has('users:read.email') ? { email: `${name}@sandbox.example` } : {};
  return {
    id,
    team_id: app.teamId,
    name,
    deleted: false,
    real_name: realName,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    profile: {
      real_name: realName,
      display_name: name,
      display_name_normalized: name,
      team: app.teamId,
      ...(isBot ? { api_app_id: app.appId, bot_id: app.botId } : {}),
      ...email,
    },
    is_admin: role === 'admin',
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    updated: 0,
  };
}

/** A view as its person and the bot see it, with what has been entered into it. */
export function viewObject({ app, inputs }: Core, view: View): Fields {
  return {
    id: view.id,
    team_id: app.teamId,
    app_id: app.appId,
    app_installed_team_id: app.teamId,
    bot_id: app.botId,
    title: { type: 'plain_text', text: 'View Title', emoji: true },
    close: null,
    submit: null,
    private_metadata: '',
    callback_id: '',
    clear_on_close: false,
    notify_on_close: false,
    ...view.content,
    type: view.type,
    blocks: view.blocks,
    external_id: view.externalId ?? '',
    hash: view.hash,
    previous_view_id: view.previousId,
    root_view_id: view.rootId,
    state: { values: formState(view.blocks, inputs.entered(view.user, view.id)) },
  };
}
