/** Facts that the service does not state: neither so nor not so. */
import { expect, it } from 'vitest';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aDevice } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';
import { runCommand } from '../harness/run-command.ts';

it('counts what the service does not say as unknown, and selects it neither by a condition nor by its negation', async () => {
  const unstated = {
    connected: null,
    needsReboot: null,
    compliant: null,
    pending: null,
    pendingPatches: null,
  };
  const stated = {
    connected: true,
    needsReboot: false,
    compliant: true,
    pending: false,
    pendingPatches: 0,
  };
  const devices = [
    aDevice({ id: deviceId(1), ...unstated }),
    aDevice({ id: deviceId(2), ...stated, name: 'known' }),
  ];
  const run = (text: string) => runCommand(devicesCommand, 'devices', text, testPorts({ devices }).ports);
  expect((await run('')).totals).toMatchObject({
    ...{ online: 1, offline: 0, pending: 0, needsReboot: 0, noncompliant: 0 },
    unknown: { connection: 1, pending: 1, needsReboot: 1, compliance: 1 },
  });
  for (const condition of ['needs-reboot', 'offline', 'noncompliant', 'pending'])
    expect((await run(`-is:${condition}`)).rows.map(({ device }) => device?.name)).toEqual(['known']);
});
