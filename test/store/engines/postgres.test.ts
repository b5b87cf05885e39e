import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/lib/clock.ts';
import { secret, silentLog } from '../../../src/lib/log.ts';
import { createWorker } from '../../../src/store/due-work/worker.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { until } from '../../harness/until.ts';
import { useStarted } from '../../harness/use-started.ts';
import { anEntry, ORGANIZATION, START } from '../builders.ts';
import { storeContract } from '../contract.ts';
import { query, startPostgres } from '../postgres.ts';
import { copyPackaged, startServer } from '../postgres-server.ts';
import { aRequest, storeRequest } from '../request-builders.ts';
import { type TestDatabase, useStoreSetup } from '../store-setup.ts';
import { startPostgresProxy } from '../tcp-proxy.ts';

const postgres = useStarted(startPostgres);

async function createDatabase(): Promise<TestDatabase> {
  const url = await postgres.createDatabase();
  return {
    database: { kind: 'postgres', url },
    shared: true,
    raw: (statement) => query(url.reveal(), statement),
    replacing: `insert into audit
      select organization_id, sequence, at, 'somebody else', action, subject, detail, hash from audit
      on conflict (organization_id, sequence) do update set actor = excluded.actor`,
    remove: async () => {},
  };
}

describe('a store on PostgreSQL', () => {
  storeContract(useStoreSetup(createDatabase));
});

describe('a PostgreSQL database', () => {
  it('gets its tables once by replicas that start together, and by none later', async () => {
    const { database, raw } = await createDatabase();
    const open = () => openStore({ database, organizationId: ORGANIZATION });
    const replicas = await Promise.all(Array.from({ length: 6 }, open));
    const [first] = replicas;
    if (first === undefined) throw new Error('no replica');
    const { request } = await storeRequest(first);
    for (const replica of replicas) expect(await replica.requests.get(request.id)).toEqual(request);
    const [before] = await raw('select count(*) as steps, max(timestamp) as at from patchbay_migrations');
    replicas.push(await open());
    expect(await raw('select count(*) as steps, max(timestamp) as at from patchbay_migrations')).toEqual([
      before,
    ]);
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  it('with its tables is opened for a user who may not create any', async () => {
    const { database, raw } = await createDatabase();
    if (database.kind !== 'postgres') throw new Error('not PostgreSQL');
    await (await openStore({ database, organizationId: ORGANIZATION })).close();
    await raw('create role writer login; grant all on all tables in schema public to writer');
    const url = new URL(database.url.reveal());
    url.username = 'writer';
    const store = await openStore({
      database: { kind: 'postgres', url: secret(url.href) },
      organizationId: ORGANIZATION,
    });
    await store.audit.append(anEntry());
    await store.close();
    await raw('drop owned by writer; drop role writer');
  });

  it('refuses to have its audit trail emptied', async () => {
    const { database, raw } = await createDatabase();
    const store = await openStore({ database, organizationId: ORGANIZATION });
    await store.audit.append(anEntry());
    await expect(raw('truncate audit')).rejects.toThrow('only grows');
    const quietly = `set session_replication_role = replica; update audit set subject = 'x'`;
    await expect(raw(quietly)).rejects.toThrow('only grows');
    await store.close();
  });

  it('that breaks the idle connections costs calls, not the process', async () => {
    const { database, raw } = await createDatabase();
    const store = await openStore({ database, organizationId: ORGANIZATION });
    await store.ping();
    await raw(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'patchbay' and datname = current_database()`,
    );
    // Each broken connection of the pool may cost a call before it is noticed.
    await until(() => store.ping().then(() => true), { what: 'the database to answer again' });
    await store.close();
  });

  it('that breaks every connection under load costs calls, not the process', async () => {
    const { database, raw } = await createDatabase();
    const store = await openStore({ database, organizationId: ORGANIZATION });
    const gate = Promise.withResolvers<void>();
    const borrowed = Promise.withResolvers<void>();
    // A transaction between two statements: its connection is lent out and nothing waits for an answer.
    const held = store.transaction(async (tables) => {
      await tables.requests.insert(aRequest(), []);
      borrowed.resolve();
      await gate.promise;
      await tables.requests.insert(aRequest(), []);
    });
    const outcome = held.then(
      () => 'committed',
      () => 'refused',
    );
    await borrowed.promise;
    const load = Array.from({ length: 40 }, () =>
      store.requests.insert(aRequest(), []).catch(() => undefined),
    );
    await raw(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'patchbay' and datname = current_database()`,
    );
    // So long as the server has not let go of it, the connection has not broken yet.
    await until(async () => {
      const [left] = await raw(
        `select count(*)::int as lent from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
      );
      return left?.['lent'] === 0;
    });
    gate.resolve();
    expect(await outcome).toBe('refused');
    await Promise.all(load);
    await until(() => store.ping().then(() => true));
    await store.close();
  });

  it.each([
    ['an address without a server', 'postgres://me:hush-hush@127.0.0.1:1/db'],
    ['an invalid address', 'postgres://me:hush-hush@[/db'],
  ])('at %s is an error that does not show the password', async (_, url) => {
    const opening = openStore({
      database: { kind: 'postgres', url: secret(url) },
      organizationId: ORGANIZATION,
    });
    const error = await opening.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hush-hush');
  });
});

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.name : 'no error'),
  );

/** Its connections stay open. */
describe('a PostgreSQL that falls silent', () => {
  let direct: string;
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>;
  let store: Store;
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
    const locker = openLock(direct);
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
function openLock(url: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const hold = async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin; lock table patchbay_migrations in access exclusive mode');
    taken.resolve();
    await released;
    await client.end();
  };
  void hold().catch(taken.reject);
  return { taken: taken.promise, release };
}

/** On a machine without PostgreSQL the contract suite uses the packaged one, so every machine tries that. */
it('starts the PostgreSQL that npm brought, whoever runs the tests', async () => {
  const server = await startServer(copyPackaged);
  try {
    const [row] = await query(server.url, 'show server_version');
    expect(row?.['server_version']).toMatch(/^18\./);
  } finally {
    await server.stop();
  }
});
