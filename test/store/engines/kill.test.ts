/**
 * Acknowledged writes survive: a process writes to a SQLite file, reports what it has written, and is killed at a
 * random moment, eight times on the same file.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestId } from '../../../src/lib/ids.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { firstBrokenRecord } from '../../../src/store/tables/audit.ts';
import { ORGANIZATION } from '../builders.ts';

const KILLS = 8;
/** The first kills hit the start and the creation of tables, later ones the writing. */
const MOST_LINES = 150;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the writer until it has printed `lines` lines, kills it, and returns everything it printed. */
async function writeUntilKilled(file: string, run: number, lines: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [path.join(import.meta.dirname, 'kill-writer.ts'), file, `${run}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(writer, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    said.push(line);
    if (said.length === lines) writer.kill('SIGKILL');
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return said;
}

/** What the writer stores under one name: a request in its third version with its target, and its card. */
async function expectKept(store: Store, name: string): Promise<void> {
  const id = requestId(`r_${name}`);
  const counts = { issuing: 1, open: 1 };
  expect(await store.requests.get(id)).toMatchObject({ version: 3, state: 'running', reason: name, counts });
  expect(await store.targets.of(id)).toMatchObject([{ state: 'issuing', response: name }]);
  expect(await store.cards.get(`approval:${name}`)).toMatchObject({ wantedRevision: 1 });
}

it(`loses nothing that was acknowledged in ${KILLS} kills`, async () => {
  const file = path.join(folder, 'patchbay.sqlite');
  const acknowledged: string[] = [];
  for (let run = 0; run < KILLS; run++) {
    const lines = run === 0 ? 1 : randomInt(1, MOST_LINES);
    const said = await writeUntilKilled(file, run, lines);
    acknowledged.push(...said.filter((line) => line !== 'opening'));
    const store = await openStore({ database: { kind: 'sqlite', path: file }, organizationId: ORGANIZATION });
    for (const name of acknowledged) await expectKept(store, name);
    const trail = await store.audit.list(0, 100_000);
    expect(firstBrokenRecord(trail, ORGANIZATION)).toBeNull();
    const subjects = new Set(trail.map(({ subject }) => subject));
    expect(acknowledged.filter((name) => !subjects.has(name))).toEqual([]);
    await store.close();
  }
  expect(acknowledged.length).toBeGreaterThan(0);
});
