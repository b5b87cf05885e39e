/** Files as people see them. */
import type { ControlAnswer, FileContent, SeenFile, UploadInput } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { mimetypeOf } from '../objects/file-object.ts';
import { canRead } from '../state/directory.ts';
import type { StoredFile } from '../state/file-store.ts';
import { errorAnswer } from './find-targets.ts';

export function visibleFile(file: StoredFile): SeenFile {
  const { id, name, title, size, altText } = file;
  return { id, name, title, mimetype: mimetypeOf(file), size, altText };
}

/** The content of a file that was shared where this person may read; otherwise null. */
export function readFile(
  core: WorkspaceCore,
  input: { readonly user: string; readonly id: string },
): FileContent | null {
  const person = core.directory.person(input.user);
  const file = core.files.get(input.id);
  if (!person || !file?.bytes) return null;
  const isSeen = file.shares.some(({ channel, ts }) => {
    const location = core.directory.channel(channel);
    return (
      location !== undefined && canRead(location, person.id) && core.timeline.get(channel, ts) !== undefined
    );
  });
  return isSeen ? { ...visibleFile(file), bytes: file.bytes } : null;
}

/** Stores a file that a person adds to a form: Slack's client uploads it before the form is sent. */
export function uploadFile(
  { directory, files }: WorkspaceCore,
  { user, name, bytes }: UploadInput,
): ControlAnswer & { readonly file?: { id: string; name: string } } {
  const owner = directory.person(user)?.id;
  if (owner === undefined) return errorAnswer('user_not_found');
  const size = bytes.length;
  const { id, url } = files.expect({ user: owner, name, size, altText: null, snippetType: null });
  files.receive(new URL(url).pathname, bytes);
  const file = files.get(id);
  if (file?.bytes) files.finish(file, name);
  return { ok: true, file: { id, name } };
}
