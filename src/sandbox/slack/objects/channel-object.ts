/** Slack's JSON objects for conversations (docs.slack.dev/reference/objects/conversation-object). */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Channel } from '../state/directory.ts';

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
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
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
    topic: UNSET,
    purpose: UNSET,
    context_team_id: app.teamId,
  };
}

const UNSET = { value: '', creator: '', last_set: 0 };

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
