/** `powershell:`: the service selects, the version in each row decides. */
import { describe, expect, it } from 'vitest';
import { devicesCommand } from '../../../src/commands/devices.ts';
import type { FleetDeviceQuery, FleetReader } from '../../../src/fleet/fleet.ts';
import { readDetail } from '../../../src/fleet/schema/device.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { proposalOf } from '../harness/plan-line.ts';
import { testPorts } from '../harness/ports.ts';
import { runCommand } from '../harness/run-command.ts';

const withShell = (id: number, name: string, version: string | null) =>
  aDevice({ id: deviceId(id), name, detail: readDetail({ PS_VERSION: version }, null) });
const devices = [
  withShell(1, 'win-1', '5.1.22621.4111'),
  withShell(2, 'win-2', '5.1'),
  withShell(3, 'win-3', '5.10.1'),
  withShell(4, 'core-1', '7.4.5'),
  withShell(5, 'lin-1', null),
  aDevice({ id: deviceId(6), name: 'new-1', detail: null }),
];

/** `honors`: whether a row passes the version that was sent; a service without the parameter passes all. */
function fleetThat(honors: (version: string | null, sent: string) => boolean, rows = devices) {
  const { ports, fleet } = testPorts({ devices: rows, groups: [aGroup()], packages: [aPackage()] });
  const asked: FleetDeviceQuery[] = [];
  const listDevices: FleetReader['devices'] = async function* (query = {}) {
    if (query.withDetails === true) asked.push(query);
    const { shellVersion: sent } = query;
    const listed = rows
      .filter(({ detail }) => sent === undefined || honors(detail?.shellVersion ?? null, sent))
      .map((device) => (query.withDetails === true ? device : { ...device, detail: null }));
    yield { rows: listed, total: listed.length, unreadable: 0 };
  };
  return { ports: { ...ports, fleet: { ...fleet, devices: listDevices } }, asked };
}
const byStart = (version: string | null, sent: string) =>
  version === sent || version?.startsWith(`${sent}.`) === true;
const byWhole = (version: string | null, sent: string) => version === sent;
const ignoring = () => true;

const named = async (text: string, honors = byStart) => {
  const { ports, asked } = fleetThat(honors);
  const view = await runCommand(devicesCommand, 'devices', text, ports);
  return { names: view.rows.map(({ device }) => device?.name), asked };
};

describe('devices powershell:', () => {
  it.each([
    ['powershell:5.1', ['win-1', 'win-2']],
    ['powershell:5.1.22621.4111', ['win-1']],
    ['powershell:7', ['core-1']],
    ['powershell:7,5.10', ['core-1', 'win-3']],
    ['-powershell:5.1', ['core-1', 'win-3']],
    ['powershell:5.1 win-2', ['win-2']],
    ['powershell:5.1 missing:openssl', ['win-1', 'win-2']],
  ])('%s lists %j', async (text, names) => {
    expect((await named(text)).names.toSorted()).toEqual(names);
  });

  it('asks the service for one version by one list, and for several by the list of all devices', async () => {
    const always = { withDetails: true, withoutPolicyStatus: true };
    expect((await named('powershell:5.1')).asked).toEqual([{ ...always, shellVersion: '5.1' }]);
    expect((await named('powershell:7,5.1')).asked).toEqual([always]);
  });

  it.each([
    ['ignores the parameter', ignoring],
    ['compares whole versions', byWhole],
  ])('lists the same devices of a service that %s', async (_, honors) => {
    expect((await named('powershell:7', honors)).names).toEqual(['core-1']);
    expect((await named('-powershell:7', honors)).names).toHaveLength(3);
    expect((await named('powershell:5.1', honors)).names.toSorted()).toEqual(['win-1', 'win-2']);
    expect((await named('-powershell:5.1', honors)).names).toHaveLength(2);
  });

  it('names the versions that there are where no device has this one', async () => {
    const { ports, asked } = fleetThat(byStart);
    const { problem } = await runCommand(devicesCommand, 'problem', 'powershell:5.2', ports);
    expect(problem).toMatchObject({
      fault: {
        kind: 'unknown-word',
        word: 'powershell:5.2',
        nearest: expect.arrayContaining(['powershell:5.1']),
      },
    });
    expect(asked).toHaveLength(2);
  });

  it('selects none by a list that states no versions', async () => {
    const rows = devices.map((device) => ({ ...device, detail: null }));
    const { ports } = fleetThat(ignoring, rows);
    await expect(runCommand(devicesCommand, 'devices', 'powershell:5.1', ports)).rejects.toMatchObject({
      error: { kind: 'unreadable', detail: 'its list of devices has no PowerShell versions' },
    });
  });
});

it('a change of several devices takes powershell: as it takes every filter', async () => {
  const { ports } = fleetThat(byStart);
  expect((await proposalOf('scan powershell:5.1', ports)).ids.toSorted()).toEqual([1, 2]);
  expect((await proposalOf('reboot powershell:7 because test', ports)).ids).toEqual([4]);
});
