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
export type UploadReceipt = 'taken' | 'unknown' | 'wrong_size';

export type FileStore = {
  /** Reserves a file; its bytes go to `url`. */
  readonly expect: (upload: UploadSpec) => { readonly id: string; readonly url: string };
  /** Stores the bytes sent to the path of an upload address. */
  readonly receive: (path: string, bytes: Uint8Array<ArrayBuffer>) => UploadReceipt;
  readonly get: (id: string) => StoredFile | undefined;
  readonly finish: (file: StoredFile, title: string) => StoredFile;
  readonly share: (id: string, channel: string, ts: string) => void;
  readonly reset: () => void;
};
export type FilesOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  /** The workspace's address; known only once it listens. */
  readonly origin: () => string;
};

export function createFileStore({ clock, ids, origin }: FilesOptions): FileStore {
  const files = new Map<string, StoredFile>();
  const uploads = new Map<string, string>();
  const put = (file: StoredFile): StoredFile => {
    files.set(file.id, file);
    return file;
  };
  return {
    expect(spec) {
      const id = ids.next('F');
      const path = `/upload/v1/${ids.secret()}`;
      const created = Math.floor(clock.now() / SECOND);
      put({ ...spec, id, title: spec.name, created, bytes: null, finished: false, shares: [] });
      uploads.set(path, id);
      return { id, url: origin() + path };
    },
    receive(path, bytes) {
      const file = files.get(uploads.get(path) ?? '');
      if (!file || file.finished) return 'unknown';
      if (bytes.length !== file.size) return 'wrong_size';
      put({ ...file, bytes });
      return 'taken';
    },
    get: (id) => files.get(id),
    finish: (file, title) => put({ ...file, title, finished: true }),
    share(id, channel, ts) {
      const file = files.get(id);
      if (file) put({ ...file, shares: [...file.shares, { channel, ts }] });
    },
    reset() {
      files.clear();
      uploads.clear();
    },
  };
}
