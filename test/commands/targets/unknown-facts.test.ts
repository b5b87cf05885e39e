/** Facts that the service does not state: neither so nor not so. */
import { describe, expect, it } from 'vitest';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { planLine } from '../harness/plan-line.ts';
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

describe('tags, a system and a group that the service does not state', () => {
  const [linux, windows, elsewhere] = [groupId(3), groupId(4), groupId(5)];
  const groups = [aGroup({ id: linux, name: 'Linux' }), aGroup({ id: windows, name: 'Windows' })];
  const own = { osFamily: 'Linux', osName: 'Ubuntu', groupId: linux };
  const devices = [
    aDevice({ id: deviceId(1), name: 'web-01', ...own, tags: ['production'] }),
    aDevice({ id: deviceId(2), name: 'web-02', ...own, tags: null }),
    aDevice({ id: deviceId(3), name: 'web-03', ...own, tags: [] }),
    aDevice({ id: deviceId(4), name: 'web-04', ...own, tags: ['lab'] }),
    aDevice({ id: deviceId(5), name: 'win-05', osFamily: null, osName: null, groupId: windows, tags: [] }),
    aDevice({ id: deviceId(6), name: 'odd-06', ...own, groupId: null, tags: [] }),
    aDevice({ id: deviceId(7), name: 'odd-07', ...own, groupId: elsewhere, tags: [] }),
  ];

  it.each([
    ['tag:production', ['web-01'], 1],
    ['-tag:production group:Linux', ['web-03', 'web-04'], 3],
    ['tag:production or -tag:production', ['odd-06', 'odd-07', 'web-01', 'web-03', 'web-04', 'win-05'], 1],
    ['-os:Ubuntu group:Windows', [], 1],
    ['group:Windows', ['win-05'], 2],
    ['-group:Windows', ['web-01', 'web-02', 'web-03', 'web-04'], 2],
    ['tag:lab os:Ubuntu', ['web-04'], 1],
    ['os:Ubuntu -os:Ubuntu', [], 1],
  ])('fit neither `%s` nor its negation, and their devices are counted', async (text, names, unstated) => {
    const view = await runCommand(devicesCommand, 'devices', text, testPorts({ devices, groups }).ports);
    expect(view.rows.map(({ device }) => device?.name).toSorted()).toEqual(names);
    expect(view.unstated).toBe(unstated);
  });

  it.each(['user:anna', 'serial:SN', 'ip:203.0.', 'policy:#7', 'fails:#7'])(
    'nor does a device without what `%s` asks pass its negation',
    async (text) => {
      const nothing = { lastLoggedInUser: null, serialNumber: null, addresses: [], privateAddresses: [] };
      const bare = aDevice({ id: deviceId(8), name: 'bare', groupId: null, policyStatus: null, ...nothing });
      const { ports } = testPorts({ devices: [bare] });
      const view = await runCommand(devicesCommand, 'devices', `-${text}`, ports);
      expect([view.rows, view.unstated]).toEqual([[], 1]);
    },
  );

  it('leave devices out of a change, which is said with their names', async () => {
    const { ports } = testPorts({ devices, groups });
    const outOf = (names: readonly string[]) =>
      names.map((name) => ({ name, problem: { kind: 'unknown-fit', deviceName: name } }));
    const several = await planLine('reboot group:Linux -tag:production', ports);
    expect(several).toMatchObject({
      proposal: { targets: [{ hostname: 'web-03' }, { hostname: 'web-04' }] },
      leftOut: outOf(['odd-06', 'odd-07', 'web-02']),
    });
    const one = await planLine('reboot tag:production', ports);
    const proposal = { plan: { waves: [1] }, unknownFit: { devices: 1, some: [{ name: 'web-02' }] } };
    expect(one).toMatchObject({ kind: 'proposal', proposal, leftOut: outOf(['web-02']) });
    expect(await planLine('reboot -os:Ubuntu', ports)).toMatchObject({
      problem: { kind: 'no-devices-match', unknown: 1 },
    });
  });
});
