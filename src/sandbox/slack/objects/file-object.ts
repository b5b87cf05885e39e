/** Slack's JSON objects for files (docs.slack.dev/reference/objects/file-object). */
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { StoredFile } from '../state/file-store.ts';

/** The one type of file that the bot uploads (the same page, "File types"), and what any other is. */
const CSV = { mimetype: 'text/csv', filetype: 'csv', pretty_type: 'CSV' };
const OTHER = { mimetype: 'application/octet-stream', filetype: 'binary', pretty_type: 'Binary' };

export function fileTypeOf({ name }: StoredFile): typeof CSV {
  return name.endsWith('.csv') ? CSV : OTHER;
}

export function fileObject({ app, directory }: WorkspaceCore, file: StoredFile): JsonObject {
  const sharedIn = (kind: string) =>
    [...new Set(file.shares.map(({ channel }) => channel))].filter(
      (id) => directory.channel(id)?.kind === kind,
    );
  const name = encodeURIComponent(file.name);
  const address = `https://files.slack.com/files-pri/${app.teamId}-${file.id}`;
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    ...fileTypeOf(file),
    user: file.user,
    user_team: app.teamId,
    size: file.size,
    mode: 'hosted',
    editable: false,
    is_external: false,
    external_type: '',
    display_as_bot: false,
    username: '',
    is_public: sharedIn('public').length > 0,
    public_url_shared: false,
    url_private: `${address}/${name}`,
    url_private_download: `${address}/download/${name}`,
    permalink: `https://${app.teamDomain}.slack.com/files/${file.user}/${file.id}/${name}`,
    permalink_public: `https://slack-files.com/${app.teamId}-${file.id}-0123456789`,
    is_starred: false,
    has_more_shares: false,
    file_access: 'visible',
    channels: sharedIn('public'),
    groups: sharedIn('private'),
    ims: sharedIn('im'),
  };
}
