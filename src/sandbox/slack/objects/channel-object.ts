/** Slack's JSON objects for conversations (docs.slack.dev/reference/objects/conversation-object). */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Channel } from '../state/directory.ts';
import { messageObject } from './messages-and-views.ts';

/** Ids of private channels start with C here, and so they are channels: groups are older than March 2021. */
export function channelObject(core: WorkspaceCore, channel: Channel): JsonObject {
  const { app } = core;
  const { id, name, kind, archived, created, creator, members } = channel;
  if (kind === 'im') return directObject(core, channel);
  return {
    id,
    name,
    name_normalized: name,
    created,
    creator,
    is_channel: kind !== 'mpim',
    is_group: kind === 'mpim',
    is_im: false,
    is_mpim: kind === 'mpim',
    is_private: kind !== 'public',
    is_archived: archived,
    is_general: false,
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    pending_connected_team_ids: [],
    shared_team_ids: [app.teamId],
    unlinked: 0,
    parent_conversation: null,
    previous_names: [],
    // In milliseconds, unlike `created`.
    updated: created * 1_000,
    is_member: members.has(app.botUser),
    ...(kind === 'mpim' ? groupFields(core, channel) : { topic: UNSET, purpose: UNSET }),
    context_team_id: app.teamId,
  };
}

const UNSET = { value: '', creator: '', last_set: 0 };

/** As in the mixed results of docs.slack.dev/reference/methods/conversations.list. */
function groupFields({ directory }: WorkspaceCore, { created, creator, members }: Channel): JsonObject {
  const set = { creator, last_set: created };
  const names = [...members].map((id) => `@${directory.user(id)?.name}`);
  return {
    is_open: true,
    priority: 0,
    topic: { value: 'Group messaging', ...set },
    purpose: { value: `Group messaging with: ${names.join(' ')}`, ...set },
  };
}

function directObject({ app }: WorkspaceCore, { id, created, members }: Channel): JsonObject {
  const user = [...members].find((member) => member !== app.botUser);
  return {
    id,
    created,
    is_im: true,
    is_org_shared: false,
    is_archived: false,
    is_user_deleted: false,
    user,
    is_open: true,
    priority: 0,
    context_team_id: app.teamId,
  };
}

/** What the app has not read of a direct message; nothing here marks anything as read. */
const UNREAD = { last_read: '0000000000.000000', unread_count: 0, unread_count_display: 0 };

/** The last message, which is no reply and no hidden one (docs.slack.dev/reference/events/message). */
function latestOf(core: WorkspaceCore, { id }: Channel): JsonObject | null {
  const last = core.timeline
    .all(id)
    .findLast(({ onlyFor, threadTs, tombstone }) => onlyFor === null && threadTs === null && !tombstone);
  return last ? messageObject(core, last, false) : null;
}

/**
 * As in a recording of conversations.info (MercuryTechnologies/slack-web, tests/golden/InfoRsp/general.json); its page has
 * `is_frozen`.
 */
const POSTING = { is_frozen: false, is_read_only: false, is_thread_only: false, is_non_threadable: false };

/** As conversations.info and conversations.open show one: "included for DM conversations only". */
export function openedObject(core: WorkspaceCore, channel: Channel): JsonObject {
  const more = channel.kind === 'im' ? { ...UNREAD, latest: latestOf(core, channel) } : POSTING;
  return { ...channelObject(core, channel), ...more };
}
