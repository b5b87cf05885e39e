import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

/** Every write, with the fields of its body. */
const WRITES: readonly (readonly ['post' | 'put', string, readonly string[]])[] = [
  [
    'post',
    '/servergroups',
    ['name', 'refresh_interval', 'parent_server_group_id', 'wsus_server', 'policies'],
  ],
  ['put', '/servergroups/3111', ['name', 'refresh_interval', 'parent_server_group_id', 'notes', 'policies']],
  ['put', '/servers/4001', ['server_group_id', 'exception', 'tags', 'custom_name', 'ip_addrs']],
  ['post', '/servers/4001/queues', ['command_type_name', 'args', 'exec_time']],
  ['post', '/servers/batch', ['devices', 'actions']],
  ['post', '/policies/device-filters-preview', ['device_filters', 'server_groups']],
  ['post', '/policies', ['name', 'policy_type_name', 'configuration', 'schedule_time', 'server_groups']],
  ['put', '/policies/2103', ['id', 'name', 'policy_type_name', 'configuration', 'server_groups']],
  ['post', '/policies/2103/action', ['action', 'serverId']],
];

/** Nearly valid values, and arbitrary ones. */
const VALUE = fc.oneof(
  fc.constantFrom(
    2103,
    3111,
    4001,
    720,
    -1,
    0,
    '',
    'GetOS',
    'custom',
    'remediateAll',
    '2026-03-11T00:00:00Z',
  ),
  fc.constantFrom(true, null, {}, [], [3111], [4001], ['x'], { filter_type: 'all' }, '__proto__'),
  fc.jsonValue(),
);

/** Whatever is sent, the service accepts it or names the error; its world stays readable. */
async function expectReadable(service: TestService): Promise<void> {
  for (const path of ['/servers?limit=3', '/servergroups', '/policies', '/servers/4001/queues', '/orgs'])
    expect((await service.get(path)).status, path).toBe(200);
}

it.each(WRITES)('%s %s survives whatever is sent', async (method, path, fields) => {
  // The live service's own crash, a preview without groups, would hide any other.
  const service = await startService({ profile: path.endsWith('preview') ? 'documented' : 'live' });
  const record = fc.record(Object.fromEntries(fields.map((field) => [field, VALUE])), { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: record }, fc.jsonValue()), async (body) => {
      const { status } = await service[method](path, body);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 60 },
  );
  await expectReadable(service);
});

it('a body too deep to be written down again is no JSON, and leaves what can be read', async () => {
  const service = await startService();
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const body = `{"name":"Deep","policy_type_name":"custom","configuration":${deep},"server_groups":[]}`;
  const answer = await service.raw(`/policies?o=${service.management.organizationId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.management.apiKey}` },
    body,
  });
  expect(answer.status).toBe(400);
  await expectReadable(service);
});
