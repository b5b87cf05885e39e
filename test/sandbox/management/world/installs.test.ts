/** Commanded installs that fail on request. */
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../../src/lib/clock.ts';
import type { WorldRequest } from '../../../../src/sandbox/contracts/services.ts';
import { createInstallOutcomes } from '../../../../src/sandbox/management/world/world.ts';
import { startService, type TestService } from '../harness/service.ts';

const order = (service: TestService, wanted: WorldRequest) => service.management.world(wanted);

async function install(service: TestService, name: string, args?: string): Promise<void> {
  const command = args === undefined ? 'InstallAllUpdates' : 'InstallUpdate';
  const body = { command_type_name: command, ...(args === undefined ? {} : { args }) };
  await service.post(`/servers/${await service.idOf(name)}/queues`, body);
  await service.clock.advance(HOUR);
}

async function newest(service: TestService, name: string, limit: number) {
  const rows = await service.rows(`/events?serverId=${await service.idOf(name)}&limit=${limit}`);
  return rows.map((row) => ({ name: row['name'], data: row['data'] }));
}

const pending = async (service: TestService, name: string) => (await service.device(name))['pending_patches'];

describe('installs-fail', () => {
  it('lets installs fail with an event, and the patches stay missing', async () => {
    const service = await startService();
    expect(order(service, { do: 'installs-fail' })).toEqual({ ok: true, events: [] });
    await install(service, 'web-01', 'openssl');
    expect(await newest(service, 'web-01', 1)).toMatchObject([
      {
        name: 'system.patch.failed',
        data: { patches: '"openssl"', failure: expect.stringMatching(/installer ended/) },
      },
    ]);
    expect(await pending(service, 'web-01')).toBe(3);
  });

  it('of one patch fails that one alone', async () => {
    const service = await startService();
    order(service, { do: 'installs-fail', device: 'web-01', patch: 'curl' });
    await install(service, 'web-01');
    const [applied, failed] = await newest(service, 'web-01', 2);
    expect(failed).toMatchObject({ name: 'system.patch.failed', data: { patches: '"curl"' } });
    expect(applied).toMatchObject({ name: 'system.patch.applied' });
    expect(await pending(service, 'web-01')).toBe(1);
  });

  it('leaves other devices alone', async () => {
    const service = await startService();
    order(service, { do: 'installs-fail', device: 'web-02' });
    await install(service, 'web-01');
    expect(await pending(service, 'web-01')).toBe(0);
  });

  it('ends with installs-work, and with a reset', async () => {
    const service = await startService();
    order(service, { do: 'installs-fail' });
    order(service, { do: 'installs-work' });
    await install(service, 'web-01', 'curl');
    expect(await pending(service, 'web-01')).toBe(2);
    order(service, { do: 'installs-fail' });
    service.management.reset();
    await install(service, 'web-01', 'curl');
    expect(await pending(service, 'web-01')).toBe(2);
  });

  it('names a device that is not there', async () => {
    const service = await startService();
    expect(order(service, { do: 'installs-fail', device: 'nowhere' })).toMatchObject({ ok: false });
  });
});

describe('what was decided', () => {
  it('is the newest order about an install', () => {
    const installs = createInstallOutcomes();
    const web = { deviceId: 1, patch: 'curl' };
    installs.decide({}, true);
    installs.decide({ deviceId: 1 }, false);
    expect([installs.fails(web), installs.fails({ ...web, deviceId: 2 })]).toEqual([false, true]);
    installs.decide({ patch: 'curl' }, true);
    expect(installs.fails(web)).toBe(true);
    installs.decide({}, false);
    expect([installs.fails(web), installs.fails({ ...web, deviceId: 2 })]).toEqual([false, false]);
  });
});
