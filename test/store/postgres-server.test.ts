/** On a machine without PostgreSQL the contract suite uses the packaged one, so every machine tries that. */
import { expect, it } from 'vitest';
import { query } from './postgres.ts';
import { copyPackaged } from './postgres-programs.ts';
import { startServer } from './postgres-server.ts';

it('starts the PostgreSQL that npm brought, whoever runs the tests', async () => {
  const server = await startServer(copyPackaged);
  try {
    const [row] = await query(server.url, 'show server_version');
    expect(row?.['server_version']).toMatch(/^18\./);
  } finally {
    await server.stop();
  }
});
