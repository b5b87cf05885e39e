/** What people see of files. */
import type { Answer, FileContent, SeenFile, UploadOrder } from '../../contracts.ts';
import type { Core } from '../core.ts';
import { mimetypeOf } from '../objects/files.ts';
import { canRead } from '../state/directory.ts';
import type { StoredFile } from '../state/files.ts';
import { failed } from './found.ts';

export function seenFile(file: StoredFile): SeenFile {
  const { id, name, title, size, altText } = file;
  return { id, name, title, mimetype: mimetypeOf(file), size, altText };
}

/** The content of a file that was shared where this person reads; null for any other. */
export function readFile(
  core: Core,
  order: { readonly user: string; readonly id: string },
): FileContent | null {
  const person = core.directory.person(order.user);
  const file = core.files.get(order.id);
  if (!person || !file?.bytes) return null;
  const isSeen = file.shares.some(({ channel, ts }) => {
    const place = core.directory.channel(channel);
    return place !== undefined && canRead(place, person.id) && core.timeline.get(channel, ts) !== undefined;
  });
  return isSeen ? { ...seenFile(file), bytes: file.bytes } : null;
}

/** Takes a file that a person adds to a form: Slack's client uploads it before the form is sent. */
export function uploadFile(
  { directory, files }: Core,
  { user, name, bytes }: UploadOrder,
): Answer & { readonly file?: { id: string; name: string } } {
  if (!directory.person(user)) return failed('user_not_found');
  const { id, url } = files.expect({ name, size: bytes.length, altText: null, snippetType: null });
  files.receive(new URL(url).pathname, bytes);
  const file = files.get(id);
  if (file?.bytes) files.finish(file, name);
  return { ok: true, file: { id, name } };
}
