/** Slack's JSON objects for files (docs.slack.dev/reference/objects/file-object). */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { StoredFile } from '../state/file-store.ts';
import { type FileType, fileTypeOf, snippetTypeOf } from './file-types.ts';
import { threadSummary } from './thread-summary.ts';

function typeOf({ name, snippetType }: StoredFile): FileType {
  return snippetType === null ? fileTypeOf(name) : snippetTypeOf(snippetType);
}

/** The media type of a file, from its name. */
export function mimetypeOf(file: StoredFile): string {
  return typeOf(file).mimetype;
}

export function fileObject(core: WorkspaceCore, file: StoredFile): JsonObject {
  const { app, files, directory } = core;
  const { filetype, pretty, mimetype } = typeOf(file);
  // So is a text file (docs.slack.dev/messaging/working-with-files, its example).
  const isSnippet = file.snippetType !== null || filetype === 'text';
  const sharedIn = (kind: (id: string) => boolean) => [
    ...new Set(file.shares.map(({ channel }) => channel).filter(kind)),
  ];
  const kindOf = (id: string) => directory.channel(id)?.kind;
  const isOpen = (id: string) => kindOf(id) === 'public';
  const address = files.address(file);
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype,
    filetype,
    pretty_type: pretty,
    user: file.user,
    user_team: app.teamId,
    size: file.size,
    mode: isSnippet ? 'snippet' : 'hosted',
    editable: isSnippet,
    is_external: false,
    external_type: '',
    display_as_bot: false,
    username: '',
    has_rich_preview: false,
    comments_count: 0,
    is_public: sharedIn(isOpen).length > 0,
    public_url_shared: false,
    url_private: address,
    url_private_download: files.address(file, 'download/'),
    media_display_type: 'unknown',
    permalink: `https://${app.teamDomain}.slack.com/files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
    permalink_public: `https://slack-files.com/${app.teamId}-${file.id}-0123456789`,
    is_starred: false,
    has_more_shares: false,
    file_access: 'visible',
    ...(file.altText === null ? {} : { alt_txt: file.altText }),
    channels: sharedIn(isOpen),
    groups: sharedIn((id) => kindOf(id) === 'private' || kindOf(id) === 'mpim'),
    ims: sharedIn((id) => kindOf(id) === 'im'),
    shares: {
      ...sharesOf(core, file, 'public', isOpen),
      ...sharesOf(core, file, 'private', (id) => !isOpen(id)),
    },
  };
}

/** The messages that show a file, by channel; a kind of channel without any is left out. */
function sharesOf(
  core: WorkspaceCore,
  { shares }: StoredFile,
  kind: 'public' | 'private',
  isOfKind: (channel: string) => boolean,
): JsonObject {
  const { app, directory, timeline } = core;
  const found: Record<string, readonly JsonObject[]> = {};
  for (const { channel, ts } of shares.filter((share) => isOfKind(share.channel))) {
    const threadTs = timeline.get(channel, ts)?.threadTs ?? null;
    const share = {
      ts,
      channel_name: directory.channel(channel)?.name,
      team_id: app.teamId,
      share_user_id: app.botUser,
      ...{ source: 'UNKNOWN', is_silent_share: false },
      ...{ reply_users: [], reply_users_count: 0, reply_count: 0 },
      ...threadSummary(core, { channel, ts: threadTs ?? ts }),
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
    };
    found[channel] = [...(found[channel] ?? []), share];
  }
  return Object.keys(found).length === 0 ? {} : { [kind]: found };
}
