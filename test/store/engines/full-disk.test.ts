import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotStored } from '../../../src/lib/not-stored.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { anAlert, anEntry, fresh, ORGANIZATION, START } from '../builders.ts';
import { aRequest, aRequestTarget } from '../request-builders.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-full-'));
  file = path.join(folder, 'patchbay.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

const database = () => ({ kind: 'sqlite', path: file }) as const;

describe('a full disk', () => {
  const seen: string[] = [];
  const watch = { wrote: () => void seen.push('wrote'), failed: (why: string) => void seen.push(why) };
  let store: Store;
  beforeEach(async () => {
    await (await openStore({ database: database(), organizationId: ORGANIZATION })).close();
    store = await openStore({ database: database(), organizationId: ORGANIZATION, mostPages: 1, watch });
    seen.length = 0;
  });
  afterEach(() => store.close());

  /** Until there is no room for one more. */
  const fill = async (): Promise<unknown> => {
    for (let rows = 0; rows < 10_000; rows += 1) {
      const failed = await store.work
        .put({ kind: 'expire', key: fresh(), dueAt: START, payload: 'x'.repeat(2_000) })
        .then(
          () => null,
          (error: unknown) => error,
        );
      if (failed !== null) return failed;
    }
    throw new Error('it never was full');
  };

  it('is reported as such, for a statement and for a transaction', async () => {
    const failed = await fill();
    expect(failed).toBeInstanceOf(NotStored);
    expect(failed).toMatchObject({ reason: 'disk-full' });
    const request = aRequest({ reason: 'y'.repeat(60_000) });
    const transaction = store.transaction(async (tables) => {
      await tables.audit.append(anEntry());
      await tables.requests.insert(request, [aRequestTarget(request.id)]);
    });
    await expect(transaction).rejects.toThrow(
      `The database disk is full (${file}): nothing was stored. Free some space. Patchbay then recovers on its own.`,
    );
    expect(await store.requests.get(request.id)).toBeNull();
    expect(seen.slice(-2)).toEqual(['disk-full', 'disk-full']);
  });

  it('is over as soon as there is space', async () => {
    await store.work.put({ kind: 'expire', key: 'first', dueAt: START, payload: 'x'.repeat(2_000) });
    await fill();
    await store.work.drop('expire', 'nothing');
    expect(seen.at(-1)).toBe('disk-full');
    await store.work.drop('expire', 'first');
    expect(seen.at(-1)).toBe('wrote');
    await expect(store.ping()).resolves.toBeUndefined();
  });

  it('hides no other error of a transaction, and reports no write that was rolled back', async () => {
    const failed = store.transaction(async (tables) => {
      await tables.alerts.insert(anAlert());
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(seen).toEqual([]);
    await store.work.put({ kind: 'expire', key: 'one', dueAt: START });
    expect(seen).toEqual(['wrote']);
  });
});

describe('a database of another program', () => {
  it('is refused in a plain sentence, and not changed', async () => {
    const other = new DatabaseSync(file);
    other.exec('create table photos (name text); insert into photos values (1)');
    other.close();
    const before = await readFile(file);
    await expect(openStore({ database: database(), organizationId: ORGANIZATION })).rejects.toThrow(
      `The database ${file} belongs to another program: it has tables, but none of Patchbay's. Set DATABASE_URL to another file.`,
    );
    expect(before.equals(await readFile(file))).toBe(true);
    expect(await readdir(folder)).toEqual(['patchbay.sqlite']);
  });
});
