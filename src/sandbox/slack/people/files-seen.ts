/** Files as people see them. */
import type { ControlAnswer, SeenFile, UploadInput } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { mimetypeOf } from '../objects/file-object.ts';
import type { StoredFile } from '../state/file-store.ts';
import { errorAnswer } from './find-targets.ts';

export function visibleFile(file: StoredFile): SeenFile {
  const { id, name, title, size, altText } = file;
  return { id, name, title, mimetype: mimetypeOf(file), size, altText };
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
