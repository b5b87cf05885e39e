import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import {
  configurationFile,
  createTemporaryFolder,
  emptyDatabase,
  prepareDatabase,
  productSettings,
} from '../../../src/sandbox/process/product-setup.ts';
import { useStarted } from '../../harness/use-started.ts';
import { query, startPostgres } from '../../store/postgres.ts';
import { fakeManagement, fakeWorkspace } from '../control/fake-services.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-settings-'));
});
afterAll(() => rm(folder, { recursive: true }));

const OPTIONS = {
  management: fakeManagement(),
  workspace: fakeWorkspace(),
  transport: 'socket',
  databaseUrl: 'sqlite:p.sqlite',
  configurationPath: 'p.yml',
  port: 4031,
  logLevel: 'warn',
} as const;

describe('the product’s settings in the sandbox', () => {
  test.each(['socket', 'http'] as const)('are ones that the product takes, for %s', async (transport) => {
    const workspace = fakeWorkspace();
    const configurationPath = join(folder, `${transport}.yml`);
    await writeFile(configurationPath, configurationFile(workspace));
    const databaseUrl = `sqlite:${join(folder, 'p.sqlite')}`;
    const read = readConfig(
      productSettings({ ...OPTIONS, workspace, transport, databaseUrl, configurationPath }),
    );
    expect(read).toMatchObject({
      kind: 'config',
      config: {
        fleet: { baseUrl: 'http://127.0.0.1:4010/api', organizationId: 7 },
        slack: { apiUrl: 'http://127.0.0.1:4020/api/', transport: { kind: transport } },
        port: 4031,
        configuration: {
          roles: {
            viewer: { people: ['U04'], userGroups: [] },
            operator: { people: ['U00', 'U01'], userGroups: [] },
            approver: { people: [], userGroups: ['S01', 'S02'] },
            admin: { people: ['U05'], userGroups: [] },
          },
          channels: { approvals: 'C01', patchAlerts: 'C02', newDevices: 'C03' },
        },
      },
    });
  });

  test.each([
    [undefined, {}],
    ['live', { FLEET_DIALECT: 'live' }],
    ['documented', { FLEET_DIALECT: 'documented' }],
  ] as const)('name the form of the service that is served: %s', (profile, expected) => {
    const settings = productSettings({ ...OPTIONS, ...(profile === undefined ? {} : { profile }) });
    const dialect = settings['FLEET_DIALECT'];
    expect(dialect === undefined ? {} : { FLEET_DIALECT: dialect }).toEqual(expected);
  });

  test('cannot be written for a workspace without its people', () => {
    expect(() => configurationFile({ ...fakeWorkspace(), users: () => [] })).toThrow(
      'the workspace has no viewer',
    );
  });
});

describe('the temporary folder', () => {
  test('keeps the database in a folder that is gone in the end', async () => {
    const workplace = await createTemporaryFolder();
    await prepareDatabase(workplace.databaseUrl);
    const database = workplace.databaseUrl.replace(/^sqlite:/, '');
    await writeFile(database, 'x');
    await workplace.writeConfiguration('roles: {}');
    await workplace.remove();
    await expect(readdir(join(database, '..', '..'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('uses the database it is given', async () => {
    const workplace = await createTemporaryFolder('postgres://somewhere/db');
    expect(workplace.databaseUrl).toBe('postgres://somewhere/db');
    await workplace.remove();
  });
});

describe('emptying a SQLite database', () => {
  test('removes it with its side files, and nothing else', async () => {
    const url = `sqlite:${join(folder, 'state', 'p.sqlite')}`;
    await prepareDatabase(url);
    const own = ['p.sqlite', 'p.sqlite-wal', 'p.sqlite-shm', 'p.sqlite-journal', 'p.sqlite.lock.db'];
    const others = ['other.sqlite', 'p.sqlite.backup'];
    await Promise.all([...own, ...others].map((name) => writeFile(join(folder, 'state', name), 'x')));
    await emptyDatabase(url);
    expect((await readdir(join(folder, 'state'))).sort()).toEqual(others);
  });

  test('does nothing where there is none', async () => {
    const before = await readdir(folder);
    await emptyDatabase(`sqlite:${join(folder, 'none.sqlite')}`);
    expect(await readdir(folder)).toEqual(before);
  });
});

describe('emptying a PostgreSQL database', () => {
  const postgres = useStarted(startPostgres);

  test('leaves an empty schema in which tables can be made again', async () => {
    const url = (await postgres.createDatabase()).reveal();
    await query(url, 'create table notices (id int primary key)');
    await query(url, 'insert into notices values (1)');
    await prepareDatabase(url);
    await emptyDatabase(url);
    await query(url, 'create table notices (id int primary key)');
    expect(await query(url, 'select * from notices')).toEqual([]);
  });
});
