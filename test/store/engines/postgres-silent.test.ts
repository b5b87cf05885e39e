/** A PostgreSQL that stops answering: its connections stay open. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/lib/clock.ts';
import { secret, silentLog } from '../../../src/lib/log.ts';
import { createWorker } from '../../../src/store/due-work/worker.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { until } from '../../harness/until.ts';
import { ORGANIZATION, START } from '../builders.ts';
import { type Postgres, query, startPostgres } from '../postgres.ts';
import { aRequest, storeRequest } from '../request-builders.ts';
import { startPostgresProxy } from '../tcp-proxy.ts';

let postgres: Postgres;
let direct: string;
let proxy: Awaited<ReturnType<typeof startPostgresProxy>>;
let store: Store;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  direct = (await postgres.createDatabase()).reveal();
  proxy = await startPostgresProxy(direct);
  store = await openStore({
    database: { kind: 'postgres', url: secret(proxy.url) },
    organizationId: ORGANIZATION,
    deadlines: { connectMs: 250, queryMs: 300, pingMs: 200 },
  });
});
afterEach(async () => {
  await store.close();
  await proxy.stop();
});

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.name : 'no error'),
  );

describe('a PostgreSQL that falls silent', () => {
  it('fails a ping in time, and all simultaneous callers share it', async () => {
    await store.ping();
    proxy.silence();
    const before = proxy.taken();
    const asked = Array.from({ length: 40 }, () => outcome(store.ping()));
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['DatabaseSilent']));
    expect(proxy.taken() - before).toBeLessThanOrEqual(1);
  });

  it('fails a ping in time when every connection is lent out', async () => {
    proxy.silence();
    const lent = Array.from({ length: 12 }, () => outcome(store.requests.insert(aRequest(), [])));
    expect(await outcome(store.ping())).toBe('DatabaseSilent');
    proxy.resume();
    await Promise.all(lent);
  });

  it('fails a statement and a whole transaction in time', async () => {
    await store.ping();
    proxy.silence();
    const reading = outcome(store.events.cursor());
    const writing = outcome(store.transaction((tables) => tables.requests.insert(aRequest(), [])));
    expect(await Promise.all([reading, writing])).not.toContain('answered');
  });

  it('gives no late answer to the next caller', async () => {
    const stored = [await storeRequest(store), await storeRequest(store)].map(({ request }) => request);
    proxy.silence();
    const asked = stored.map(({ id }) => outcome(store.requests.get(id)));
    expect(await Promise.all(asked)).not.toContain('answered');
    proxy.resume();
    for (const request of stored.toReversed()) expect(await store.requests.get(request.id)).toEqual(request);
  });

  it('is used again as soon as it answers', async () => {
    const done: string[] = [];
    const clock = createManualClock(START);
    const errors: unknown[] = [];
    const worker = createWorker({
      store,
      clock,
      log: silentLog,
      // A claim that reaches the server late belongs to nobody: its lease has to expire.
      leaseMs: 200,
      handlers: {
        run: async ({ key }) => {
          done.push(key);
          return { kind: 'done' };
        },
      },
      onError: (error) => errors.push(error),
    });
    await store.work.put({ kind: 'run', key: 'before', dueAt: START });
    proxy.silence();
    worker.start();
    await until(() => errors.length > 0, { what: 'the worker to be told' });
    proxy.resume();
    await until(async () => {
      await clock.advance(1_000);
      return done.length > 0;
    });
    expect(await outcome(store.ping())).toBe('answered');
    await worker.stop();
  });

  it('does not delay closing', async () => {
    await store.ping();
    proxy.silence();
    await store.close();
    proxy.resume();
  });

  it('does not limit the creation of tables, which waits for a lock as long as it takes', async () => {
    const locker = openLock();
    await locker.taken;
    const opening = openStore({
      database: { kind: 'postgres', url: secret(direct) },
      organizationId: ORGANIZATION,
      deadlines: { connectMs: 10_000, queryMs: 50, pingMs: 50 },
    });
    await until(async () => {
      const [row] = await query(direct, `select count(*)::int as waiting from pg_locks where not granted`);
      return row?.['waiting'] !== 0;
    });
    locker.release();
    const other = await opening;
    await other.close();
  });
});

/** Locks the table of the schema's version on a separate connection. */
function openLock() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const hold = async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: direct });
    await client.connect();
    await client.query('begin; lock table patchbay_migrations in access exclusive mode');
    taken.resolve();
    await released;
    await client.end();
  };
  void hold().catch(taken.reject);
  return { taken: taken.promise, release };
}
