/** A write that waits, and a pause of all writes meanwhile. */
import { describe, expect, it } from 'vitest';
import type { FleetClient } from '../../../src/fleet/client.ts';
import type { WriteOptions } from '../../../src/fleet/fleet.ts';
import { createHttp } from '../../../src/fleet/http/http-client.ts';
import { createWritePermit } from '../../../src/fleet/http/write-permit.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { secret } from '../../../src/lib/log.ts';
import { stored } from '../editor/harness.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, fleetAt, KEY, ORGANIZATION, scriptedFleet, until } from '../harness.ts';
import { scriptedServer } from '../scripted-server.ts';

const scan = { kind: 'scan' } as const;
const GROUP = { name: 'new', parentId: groupId(1), refreshIntervalMinutes: 480 };
const DEVICE_FIELDS = {
  organization_id: ORGANIZATION,
  server_group_id: 5,
  exception: false,
  custom_name: '',
  ip_addrs: [],
  tags: ['x'],
};

describe('a write', () => {
  it.each<[string, () => Promise<boolean>]>([
    ['all writes are stopped', async () => false],
    ['it cannot be known', () => Promise.reject(new Error('no database'))],
  ])('is not sent where %s', async (_, mayWrite) => {
    const { writer, editor, reader, service, figures } = await scriptedFleet({ body: {} }, { mayWrite });
    expect(await writer.issue(DEVICE, scan)).toEqual({ kind: 'withheld' });
    expect(await editor.deleteDevice(DEVICE)).toEqual({ kind: 'withheld' });
    expect(await editor.createGroup(GROUP)).toEqual({ kind: 'withheld' });
    expect(service.requests).toEqual([]);
    expect(figures()).toMatchObject({ running: 0, outcomes: {}, breaker: { state: 'closed' } });
    await reader.countEvents().catch(() => null);
    expect(service.requests).toHaveLength(1);
  });

  it.each<[string, (client: FleetClient, options: WriteOptions) => Promise<unknown>]>([
    ['a command', ({ writer }, options) => writer.issue(DEVICE, scan, options)],
    ['an edit', ({ editor }, options) => editor.updateDevice(DEVICE, { exception: true }, options)],
    ['a new group', ({ editor }, options) => editor.createGroup(GROUP, options)],
    ['an edit of a group', ({ editor }, options) => editor.updateGroup(groupId(5), { notes: 'x' }, options)],
    ['tags', ({ editor }, options) => editor.tagDevices([DEVICE], { add: ['x'], remove: [] }, options)],
  ])('that its caller no longer wants is withheld at the last moment: %s', async (_, write) => {
    const client = await scriptedFleet(({ path }) => {
      const thing = path.startsWith('/servergroups') ? stored() : listedDevice(42, DEVICE_FIELDS);
      return { body: thing };
    });
    let questions = 0;
    const mayStart = () => {
      questions += 1;
      return false;
    };
    expect(JSON.stringify(await write(client, { mayStart }))).toContain('"kind":"withheld"');
    expect(questions).toBe(1);
    const writes = () => client.service.requests.filter(({ method }) => method !== 'GET');
    expect(writes()).toEqual([]);
    await write(client, { mayStart: () => true });
    expect(writes()).toHaveLength(1);
  });

  it('that waits for its turn is not sent when all writes are paused meanwhile', async () => {
    let open = true;
    const held = Promise.withResolvers<void>();
    const service = await scriptedServer(async () => {
      await held.promise;
      return { status: 201 };
    });
    const { writer, figures } = fleetAt(service.url, { concurrency: 1, mayWrite: async () => open });
    const first = writer.issue(DEVICE, scan);
    const second = writer.issue(DEVICE, scan);
    await until(() => service.requests.length === 1 && figures().waiting.write === 1);
    open = false;
    held.resolve();
    expect(await first).toEqual({ kind: 'accepted' });
    expect(await second).toEqual({ kind: 'withheld' });
    expect(service.requests).toHaveLength(1);
  });

  it('is checked once more when its connection is open', async () => {
    const service = await scriptedServer({ status: 201 });
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    const request = {
      method: 'POST',
      path: '/servers/{id}/queues',
      id: DEVICE,
      query: { o: ORGANIZATION },
    } as const;
    expect(await http.send(request, { timeoutMs: 5_000, mayStart: () => false })).toMatchObject({
      kind: 'failed',
      withheld: true,
      sent: false,
    });
    expect(service.requests).toEqual([]);
    expect(await http.send(request, { timeoutMs: 5_000, mayStart: () => true })).toMatchObject({
      kind: 'answered',
    });
    await http.close();
  });
});

describe('a permit', () => {
  it.each([
    ['holds for a second and a half', 1_500, true],
    ['holds no longer, so that a pause has effect within two seconds', 1_501, false],
  ])('%s after it was asked for', async (_, ms, isValid) => {
    let now = 0;
    const mayWrite = async () => {
      // The answer takes its time, in which a pause may begin.
      now += 1_000;
      return true;
    };
    const permit = createWritePermit(mayWrite, undefined, () => now);
    expect(await permit.check()).toBe(true);
    now = ms;
    expect(permit.isValid()).toBe(isValid);
  });

  it.each<[string, () => Promise<boolean>]>([
    ['a no', async () => false],
    ['no answer', () => Promise.reject(new Error('no database'))],
  ])('ends with %s, however recent the yes before it', async (_, later) => {
    const answers = [async () => true, later];
    const permit = createWritePermit(() => answers.shift()?.() ?? Promise.resolve(true));
    expect(await permit.check()).toBe(true);
    expect(await permit.check()).toBe(false);
    expect(permit.isValid()).toBe(false);
  });
});
