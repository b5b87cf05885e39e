import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../../src/lib/clock.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { type JsonRow, rowOf, startService, type TestService } from '../harness/service.ts';

const service = madePerTest(startService);

const packageOf = async (id: number, name: string): Promise<JsonRow | undefined> =>
  (await service.rows(`/servers/${id}/packages`)).find((item) => item['name'] === name);
const newestEvents = (id: number): Promise<readonly JsonRow[]> =>
  service.rows(`/events?serverId=${id}&limit=3`);

describe('a command', () => {
  it.each(['GetOS', 'Reboot', 'InstallAllUpdates', 'InstallUpdate', 'policy_2101_test'])(
    '%s waits at least ten seconds, is answered within forty and then leaves',
    async (type) => {
      const id = await service.idOf('web-01');
      await sendDeviceCommand(service, id, type, 'curl');
      const seconds = await secondsUntil(() => answeredEntries(id));
      expect(seconds).toBeGreaterThanOrEqual(15);
      expect(seconds).toBeLessThanOrEqual(40);
      const [entry] = await queueOf(id);
      expect(entry).toMatchObject({
        response: type.startsWith('policy')
          ? { exit_code: 1, stdout: expect.stringMatching(/./), stderr: '' }
          : ['0', expect.stringMatching(/./), null],
        response_time: expect.any(String),
      });
      const longer = await secondsUntil(async () => (await queueOf(id)).length === 0);
      expect(longer).toBeGreaterThanOrEqual(20);
      expect(longer).toBeLessThanOrEqual(45);
    },
  );

  it('waits fifteen to forty seconds, not equally long on every device', async () => {
    const online = (await service.rows('/servers')).filter((row) => row['connected']);
    const ids = online.slice(0, 60).map((row) => Number(row['id']));
    for (const id of ids) await sendDeviceCommand(service, id, 'GetOS');
    const issued = service.clock.now();
    await service.clock.advance(MINUTE);
    const waited = await Promise.all(
      ids.map(async (id) => {
        const device = rowOf((await service.get(`/servers/${id}`)).body);
        return (at(device['last_refresh_time']) - issued) / SECOND;
      }),
    );
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(15);
    expect(Math.max(...waited)).toBeLessThanOrEqual(40);
    expect(new Set(waited).size).toBeGreaterThan(10);
  });

  it('waits for earlier ones: answers come one after the other, in the order of the queue', async () => {
    const id = await service.idOf('web-02');
    for (let index = 0; index < 8; index++) await sendDeviceCommand(service, id, 'GetOS');
    const answers = new Map<unknown, number>();
    const seconds = await secondsUntil(async () => {
      const queue = await queueOf(id);
      for (const entry of queue) if (entry['response']) answers.set(entry['id'], at(entry['response_time']));
      return answers.size === 8;
    });
    const [ids, times] = [[...answers.keys()], [...answers.values()]];
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(times).size).toBe(8);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(seconds).toBeLessThan(60);
  });

  it('runs at its own time, however far the clock is moved at once', async () => {
    const id = await service.idOf('web-01');
    const before = at((await service.device('web-01'))['last_refresh_time']);
    await sendDeviceCommand(service, id, 'GetOS');
    const issued = service.clock.now();
    await service.clock.advance(60 * MINUTE);
    const refreshed = at((await service.device('web-01'))['last_refresh_time']);
    expect(refreshed).toBeGreaterThan(before);
    expect(refreshed - issued).toBeGreaterThanOrEqual(15 * SECOND);
    expect(refreshed - issued).toBeLessThanOrEqual(40 * SECOND);
  });
});

describe('a scan', () => {
  it('moves the refresh time, and only when it is answered', async () => {
    const id = await service.idOf('web-01');
    const before = await service.device('web-01');
    await sendDeviceCommand(service, id, 'GetOS');
    await service.clock.advance(10 * SECOND);
    expect(await service.device('web-01')).toMatchObject({ last_refresh_time: before['last_refresh_time'] });
    await secondsUntil(() => answeredEntries(id));
    const after = await service.device('web-01');
    expect(at(after['last_refresh_time'])).toBe(service.clock.now());
    expect(after).toMatchObject({ needs_reboot: true, pending_patches: 3, connected: true });
  });
});

describe('a reboot', () => {
  it('takes the device away and brings it back freshly started', async () => {
    const id = await service.idOf('web-01');
    const before = await service.device('web-01');
    await sendDeviceCommand(service, id, 'Reboot');
    await secondsUntil(async () => !(await isConnected('web-01')));
    const gone = await service.device('web-01');
    expect(gone).toMatchObject({
      status: { device_status: 'not-ready', agent_status: 'disconnected' },
      needs_reboot: true,
      last_refresh_time: before['last_refresh_time'],
    });
    expect(at(gone['last_disconnect_time'])).toBe(service.clock.now());

    const away = await secondsUntil(() => isConnected('web-01'));
    expect(away).toBeGreaterThanOrEqual(40);
    expect(away).toBeLessThanOrEqual(90);
    const back = await service.device('web-01');
    expect(back).toMatchObject({ needs_reboot: false, uptime: '0', status: { device_status: 'ready' } });
    expect(Number(before['uptime'])).toBeGreaterThan(0);
    expect(at(back['last_refresh_time'])).toBe(service.clock.now());
    expect(at(back['last_process_time'])).toBe(service.clock.now());
    expect(back['last_disconnect_time']).toBe(gone['last_disconnect_time']);
  });

  it('lets what was queued behind it wait until the device is back', async () => {
    const id = await service.idOf('web-01');
    await sendDeviceCommand(service, id, 'Reboot');
    await sendDeviceCommand(service, id, 'GetOS');
    await secondsUntil(async () => !(await isConnected('web-01')));
    await service.clock.advance(30 * SECOND);
    const scan = (await queueOf(id)).find((entry) => entry['command_type_name'] === 'GetOS');
    expect(scan?.['response']).toBeNull();
    await secondsUntil(() => isConnected('web-01'));
    const longer = await secondsUntil(() => answeredEntries(id));
    expect(longer).toBeGreaterThanOrEqual(15);
  });

  it('makes no event', async () => {
    const id = await service.idOf('web-01');
    const before = await newestEvents(id);
    await sendDeviceCommand(service, id, 'Reboot');
    await service.clock.advance(PROOF_MS);
    expect(await newestEvents(id)).toEqual(before);
  });
});

describe('a patch command', () => {
  it('installs what it names, says so in an event, and leaves a reboot due where the patch asks for one', async () => {
    const id = await service.idOf('db-01');
    expect(await packageOf(id, 'libc6')).toMatchObject({ installed: false, requires_reboot: true });
    const before = await packageOf(id, 'libc6');
    await sendDeviceCommand(service, id, 'InstallUpdate', 'libc6');
    await secondsUntil(() => answeredEntries(id));
    expect(await packageOf(id, 'libc6')).toMatchObject({ installed: true, id: before?.['id'] });
    expect(await packageOf(id, 'postgresql-14')).toMatchObject({ installed: false });
    expect(await service.device('db-01')).toMatchObject({ pending_patches: 1, needs_reboot: true });
    const [event] = await newestEvents(id);
    expect(event).toMatchObject({
      name: 'system.patch.applied',
      server_name: 'db-01',
      data: { systemname: 'db-01', patches: '"libc6"' },
    });
  });

  it.each([
    ['names with spaces between', 'openssl curl', ['openssl', 'curl']],
    ['the whole in quotes', '"openssl curl"', ['openssl', 'curl']],
    ['names it does not lack left out', 'bash curl no-such-thing', ['curl']],
  ])('takes %s', async (_, args, names) => {
    const id = await service.idOf('web-01');
    await sendDeviceCommand(service, id, 'InstallUpdate', args);
    await secondsUntil(() => answeredEntries(id));
    const [event] = await newestEvents(id);
    expect(rowOf(event?.['data'])['patches']).toBe(names.map((name) => `"${name}"`).join(' '));
    expect((await service.device('web-01'))['pending_patches']).toBe(3 - names.length);
  });

  it('says plainly that nothing was there to install, and makes no event', async () => {
    const id = await service.idOf('web-01');
    const before = await newestEvents(id);
    await sendDeviceCommand(service, id, 'InstallUpdate', 'no-such-thing');
    await secondsUntil(() => answeredEntries(id));
    expect((await queueOf(id))[0]?.['response']).toEqual(['0', 'No applicable patches', null]);
    expect(await newestEvents(id)).toEqual(before);
  });

  it('for everything leaves only what is ignored or deferred', async () => {
    const row = (await service.rows('/servers')).find(
      (device) => device['connected'] && Number(device['patches']) > Number(device['pending_patches']),
    );
    const [id, held] = [Number(row?.['id']), Number(row?.['patches']) - Number(row?.['pending_patches'])];
    await sendDeviceCommand(service, id, 'InstallAllUpdates');
    await service.clock.advance(PROOF_MS);
    const { body } = await service.get(`/servers/${id}`);
    expect(body).toMatchObject({ pending_patches: 0, pending: false, patches: held });
  });
});

describe('a policy command', () => {
  const unmet = async (): Promise<number> => {
    const rows = await service.rows('/servers');
    const found = rows.find(
      (row) =>
        JSON.stringify(row['policy_status']).includes('"policy_id":2104') &&
        row['connected'] &&
        standing(row) === 0,
    );
    return Number(found?.['id']);
  };
  const standing = (row: JsonRow): unknown =>
    (Array.isArray(row['policy_status']) ? row['policy_status'].map(rowOf) : []).find(
      (entry) => entry['policy_id'] === 2104,
    )?.['status'];

  it('tells by its exit code that remediation is needed, then remediates', async () => {
    const id = await unmet();
    await sendDeviceCommand(service, id, 'policy_2104_test');
    await service.clock.advance(PROOF_MS);
    const [test] = await newestEvents(id);
    expect(test).toMatchObject({ name: 'system.policy.action', policy_id: 2104, data: { status: 1 } });
    await sendDeviceCommand(service, id, 'policy_2104_remediate');
    await service.clock.advance(PROOF_MS);
    const [remediate] = await newestEvents(id);
    expect(remediate).toMatchObject({ name: 'system.policy.action', policy_id: 2104, data: { status: 0 } });
    expect(standing(rowOf((await service.get(`/servers/${id}`)).body))).toBe(1);
  });

  it('about patches installs them', async () => {
    const id = await service.idOf('web-01');
    await sendDeviceCommand(service, id, 'policy_2101_remediate');
    await service.clock.advance(PROOF_MS);
    const [action, applied] = await newestEvents(id);
    expect(action).toMatchObject({ name: 'system.policy.action', policy_name: 'Apply All Patches' });
    expect(applied).toMatchObject({ name: 'system.patch.applied', policy_id: 2101 });
    expect(await service.device('web-01')).toMatchObject({ pending_patches: 0, compliant: true });
  });
});

describe('a device that is offline', () => {
  it('keeps its commands for as long as it is away, and takes them up in order when it returns', async () => {
    const id = await service.idOf('kiosk-07');
    await sendDeviceCommand(service, id, 'GetOS');
    await sendDeviceCommand(service, id, 'InstallAllUpdates');
    const queued = await queueOf(id);
    await service.clock.advance(24 * 60 * MINUTE);
    expect(await queueOf(id)).toEqual(queued);
    expect(service.management.world({ do: 'device-online', device: 'kiosk-07' })).toEqual({
      ok: true,
      events: [],
    });
    const returned = service.clock.now();
    const seconds = await secondsUntil(() => answeredEntries(id));
    expect(seconds).toBeGreaterThanOrEqual(15);
    const device = await service.device('kiosk-07');
    expect(device).toMatchObject({ connected: true, pending_patches: 0 });
    expect(at(device['last_refresh_time'])).toBeGreaterThan(returned);
    await service.clock.advance(PROOF_MS);
    expect(await queueOf(id)).toEqual([]);
  });

  it('does not answer what it was about to answer when it went away', async () => {
    const id = await service.idOf('web-01');
    await sendDeviceCommand(service, id, 'Reboot');
    await service.clock.advance(10 * SECOND);
    service.management.world({ do: 'device-offline', device: 'web-01' });
    await service.clock.advance(PROOF_MS);
    expect((await queueOf(id))[0]?.['response']).toBeNull();
    expect(await isConnected('web-01')).toBe(false);
  });

  it('comes back freshly started when it went away during its reboot', async () => {
    const id = await service.idOf('web-01');
    await sendDeviceCommand(service, id, 'Reboot');
    await secondsUntil(async () => !(await isConnected('web-01')));
    service.management.world({ do: 'device-offline', device: 'web-01' });
    await service.clock.advance(PROOF_MS);
    expect(await isConnected('web-01')).toBe(false);
    service.management.world({ do: 'device-online', device: 'web-01' });
    expect(await service.device('web-01')).toMatchObject({
      connected: true,
      uptime: '0',
      needs_reboot: false,
    });
  });
});

/** Within this time a connected device has done its command and shows it. */
const PROOF_MS = 10 * MINUTE;
const at = (value: unknown): number => Date.parse(String(value));

async function sendDeviceCommand(
  service: TestService,
  id: number,
  type: string,
  args?: string,
): Promise<void> {
  const answer = await service.post(`/servers/${id}/queues`, { command_type_name: type, args });
  expect(answer.status).toBe(201);
}

/** Moves the clock second by second until `test` holds; returns the number of seconds. */
async function secondsUntil(test: () => Promise<boolean>): Promise<number> {
  for (let seconds = 0; seconds <= PROOF_MS / SECOND; seconds++) {
    if (await test()) return seconds;
    await service.clock.advance(SECOND);
  }
  throw new Error('It did not come true within ten minutes.');
}

const queueOf = (id: number): Promise<readonly JsonRow[]> => service.rows(`/servers/${id}/queues`);
const answeredEntries = async (id: number): Promise<boolean> =>
  (await queueOf(id)).every((entry) => entry['response'] !== null);
const isConnected = async (name: string): Promise<boolean> =>
  (await service.device(name))['connected'] === true;
