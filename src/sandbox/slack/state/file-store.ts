/**
 * Files: requested, uploaded to an address of their own, then completed and shared
 * (docs.slack.dev/reference/methods/files.getUploadURLExternal).
 */
import { type Clock, SECOND } from '../../../lib/clock.ts';
import type { Ids } from '../core/ids.ts';

export type UploadSpec = {
  /** Who uploads it. */
  readonly user: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
};
export type StoredFile = UploadSpec & {
  readonly id: string;
  readonly title: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Null until it has been uploaded. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  /** Whether the upload was completed; people see the file only then. */
  readonly finished: boolean;
  readonly shares: readonly { readonly channel: string; readonly ts: string }[];
};

export type FileStore = Readonly<ReturnType<typeof createFileStore>>;
export type FilesOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  /** The workspace's address; known only once it listens. */
  readonly origin: () => string;
};

export function createFileStore({ clock, ids, origin }: FilesOptions) {
  const files = new Map<string, StoredFile>();
  const uploads = new Map<string, string>();
  const put = (file: StoredFile): StoredFile => {
    files.set(file.id, file);
    return file;
  };
  return {
    /** Reserves a file; its bytes go to `url`. */
    expect(spec: UploadSpec) {
      const id = ids.next('F');
      const path = `/upload/v1/${ids.secret()}`;
      const created = Math.floor(clock.now() / SECOND);
      put({ ...spec, id, title: spec.name, created, bytes: null, finished: false, shares: [] });
      uploads.set(path, id);
      return { id, url: origin() + path };
    },
    /** Stores the bytes sent to the path of an upload address. */
    receive(path: string, bytes: Uint8Array<ArrayBuffer>): 'taken' | 'unknown' | 'wrong_size' {
      const file = files.get(uploads.get(path) ?? '');
      if (!file || file.finished) return 'unknown';
      if (bytes.length !== file.size) return 'wrong_size';
      put({ ...file, bytes });
      return 'taken';
    },
    get: (id: string) => files.get(id),
    finish: (file: StoredFile, title: string) => put({ ...file, title, finished: true }),
    share(id: string, channel: string, ts: string) {
      const file = files.get(id);
      if (file) put({ ...file, shares: [...file.shares, { channel, ts }] });
    },
    reset() {
      files.clear();
      uploads.clear();
    },
  };
}
