/**
 * The configuration file of a round, mounted as Kubernetes mounts a ConfigMap: the file is a link through `..data`, which a
 * new version replaces at once. Steps also write it in place, as an editor does.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RULE_TEXTS, type RuleFile } from '../plan/rule-files.ts';

const FILE = 'patchbay.yml';
const LINK = '..data';
/** As the sandbox made it: without rules. */
const BASE = 'base.yml';

/** What the processes of this database share with the round. */
export function sharedFolder(databaseUrl: string): string {
  return join(tmpdir(), `patchbay-round-${databaseUrl.replaceAll(/\W+/g, '-')}`);
}

/** Where the product finds its file from now on; the first process makes it from the one at `given`. */
export async function adoptConfiguration(folder: string, given: string): Promise<string> {
  const path = join(folder, FILE);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  await copyFile(given, join(folder, BASE));
  await swap(folder, await readFile(given, 'utf8'));
  await symlink(join(LINK, FILE), path);
  return path;
}

export type FileChange = 'write' | 'swap' | 'half' | 'empty';

export async function changeConfiguration(folder: string, how: FileChange, file: RuleFile): Promise<void> {
  const text = `${RULE_TEXTS[file]}${await readFile(join(folder, BASE), 'utf8')}`;
  const path = join(folder, FILE);
  switch (how) {
    case 'write':
      return writeFile(path, text);
    case 'half':
      return writeFile(path, text.slice(0, text.length / 2));
    case 'empty':
      return writeFile(path, '');
    case 'swap':
      return swap(folder, text);
  }
}

async function swap(folder: string, text: string): Promise<void> {
  const version = `..${performance.now()}`;
  await mkdir(join(folder, version));
  await writeFile(join(folder, version, FILE), text);
  const fresh = join(folder, `${LINK}_tmp`);
  await symlink(version, fresh);
  await rename(fresh, join(folder, LINK));
}
