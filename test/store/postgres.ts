/**
 * A real PostgreSQL for a test file: `TEST_DATABASE_URL`, or else a server started from the programs on this machine,
 * or from those of the npm package. Each suite gets a database of its own.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Secret, secret } from '../../src/lib/log.ts';
import { type Server, startServer } from './postgres-server.ts';

export type Postgres = {
  /** A new, empty database. */
  readonly createDatabase: () => Promise<Secret>;
  readonly stop: () => Promise<void>;
};

export async function startPostgres(): Promise<Postgres> {
  const given = process.env['TEST_DATABASE_URL'];
  const server: Pick<Server, 'url' | 'stop'> =
    given === undefined ? await startServer() : { url: given, stop: async () => {} };
  const created: string[] = [];
  return {
    createDatabase: async () => {
      const name = `patchbay_test_${randomBytes(6).toString('hex')}`;
      await query(server.url, `create database ${name}`);
      created.push(name);
      const url = new URL(server.url);
      url.pathname = name;
      return secret(url.href);
    },
    stop: async () => {
      // Our own server is removed with everything in it.
      if (given !== undefined)
        for (const name of created) await query(server.url, `drop database if exists ${name} with (force)`);
      await server.stop();
    },
  };
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end();
  }
}
