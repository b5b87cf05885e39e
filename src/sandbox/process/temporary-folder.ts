/** The temporary folder for a sandbox's state, removed when it stops. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryFolder = {
  readonly databaseUrl: string;
  /** Writes the configuration file and returns its path. */
  readonly writeConfiguration: (text: string) => Promise<string>;
  readonly remove: () => Promise<void>;
};

/** A new folder, with the database in it unless another one is given. */
export async function createTemporaryFolder(databaseUrl?: string): Promise<TemporaryFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-sandbox-'));
  return {
    databaseUrl: databaseUrl ?? `sqlite:${join(folder, 'state', 'patchbay.sqlite')}`,
    async writeConfiguration(text) {
      const path = join(folder, 'patchbay.yml');
      await writeFile(path, text);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
