import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secret } from '../../../src/lib/log.ts';
import { openStore } from '../../../src/store/open.ts';
import { until } from '../../harness/until.ts';
import { anEntry, ORGANIZATION } from '../builders.ts';
import { storeContract } from '../contract.ts';
import { type Postgres, query, startPostgres } from '../postgres.ts';
import { aRequest, storeRequest } from '../request-builders.ts';
import { type TestDatabase, useStoreSetup } from '../store-setup.ts';

let postgres: Postgres | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

async function createDatabase(): Promise<TestDatabase> {
  if (postgres === undefined) throw new Error('PostgreSQL is not running');
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
