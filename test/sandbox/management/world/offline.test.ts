import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../../src/lib/clock.ts';
import {
  answeredEntries,
  at,
  isConnected,
  PROOF_MS,
  queueOf,
  secondsUntil,
  sendDeviceCommand,
} from '../harness/device-commands.ts';
import { startService } from '../harness/service.ts';

describe('a device that is offline', () => {
  it('keeps its commands for as long as it is away, and takes them up in order when it returns', async () => {
    const service = await startService();
    const id = await service.idOf('kiosk-07');
    await sendDeviceCommand(service, id, 'GetOS');
    await sendDeviceCommand(service, id, 'InstallAllUpdates');
    const queued = await queueOf(service, id);
    await service.clock.advance(24 * 60 * MINUTE);
    expect(await queueOf(service, id)).toEqual(queued);
    expect(service.management.world({ do: 'device-online', device: 'kiosk-07' })).toEqual({
      ok: true,
      events: [],
    });
    const returned = service.clock.now();
    const seconds = await secondsUntil(service, () => answeredEntries(service, id));
    expect(seconds).toBeGreaterThanOrEqual(15);
    const device = await service.device('kiosk-07');
    expect(device).toMatchObject({ connected: true, pending_patches: 0 });
    expect(at(device['last_refresh_time'])).toBeGreaterThan(returned);
    await service.clock.advance(PROOF_MS);
    expect(await queueOf(service, id)).toEqual([]);
  });

  it('does not answer what it was about to answer when it went away', async () => {
    const service = await startService();
    const id = await service.idOf('web-01');
    await sendDeviceCommand(service, id, 'Reboot');
    await service.clock.advance(10 * SECOND);
    service.management.world({ do: 'device-offline', device: 'web-01' });
    await service.clock.advance(PROOF_MS);
    expect((await queueOf(service, id))[0]?.['response']).toBeNull();
    expect(await isConnected(service, 'web-01')).toBe(false);
  });

  it('comes back freshly started when it went away during its reboot', async () => {
    const service = await startService();
    const id = await service.idOf('web-01');
    await sendDeviceCommand(service, id, 'Reboot');
    await secondsUntil(service, async () => !(await isConnected(service, 'web-01')));
    service.management.world({ do: 'device-offline', device: 'web-01' });
    await service.clock.advance(PROOF_MS);
    expect(await isConnected(service, 'web-01')).toBe(false);
    service.management.world({ do: 'device-online', device: 'web-01' });
    expect(await service.device('web-01')).toMatchObject({
      connected: true,
      uptime: '0',
      needs_reboot: false,
    });
  });
});
