import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceCommand } from '../../../src/commands/device.ts';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';
import { DEVICE_SORTS, type DeviceSort, sortDevices } from '../../../src/commands/targets/device-query.ts';
import { deviceListOffer, unknownValueProblem } from '../../../src/commands/targets/find-devices.ts';
import { deviceMatcher } from '../../../src/commands/targets/select-devices.ts';
import type { FleetDeviceQuery, FleetReader } from '../../../src/fleet/fleet.ts';
import { readDetail } from '../../../src/fleet/schema/device.ts';
import type { IndexedDevice } from '../../../src/inventory/inventory.ts';
import { DAY, later } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPackage, aPolicy, START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { testPorts } from '../harness/ports.ts';
import { proposalOf, runCommand } from '../harness/typed-line.ts';

const groups = [
  aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
  aGroup({ id: groupId(20), name: 'Linux, all', parentId: groupId(1) }),
  aGroup({ id: groupId(30), name: 'Windows', parentId: groupId(1), policyIds: [policyId(8)] }),
];
const policies = [
  aPolicy({ id: policyId(7), name: 'Apply All Patches' }),
  aPolicy({ id: policyId(8), name: 'Disable SMBv1' }),
];
const seen = (days: number) => ({
  connected: false,
  lastDisconnectTime: later(START, -days * DAY),
  lastUpdateTime: null,
  lastRefreshTime: null,
  lastProcessTime: null,
});
const has = (id: number, compliant: boolean) => ({ policyId: policyId(id), compliant });
const fleet = [
  aDevice({
    id: deviceId(1),
    name: 'web-01',
    tags: ['a'],
    policyCompliance: [has(7, false), has(8, true)],
    pendingPatches: 1,
  }),
  aDevice({
    id: deviceId(2),
    name: 'db-02',
    tags: ['b', 'x,y'],
    serialNumber: 'ZX-77',
    lastLoggedInUser: 'ACME\\Anna',
    addresses: ['198.51.100.7'],
    privateAddresses: ['10.1.2.3', 'fe80::7'],
    agentVersion: '2.0.1',
    policyCompliance: [has(7, true)],
    pendingPatches: 9,
    ...seen(30),
  }),
  aDevice({
    id: deviceId(3),
    name: 'pc-03',
    tags: [],
    groupId: groupId(30),
    osFamily: 'Windows',
    osName: '11 Pro',
    osVersion: '10.0.26100',
    policyStatus: null,
    compliant: true,
    pendingPatches: null,
    ...seen(29),
  }),
  aDevice({
    id: deviceId(4),
    name: 'mac-04',
    tags: ['a', 'b'],
    groupId: groupId(1),
    osFamily: 'Mac',
    osName: 'OS X',
    osVersion: '15.5',
    policyStatus: 'unmanaged',
    pendingPatches: 4,
    connected: null,
    lastDisconnectTime: null,
    lastUpdateTime: null,
    lastRefreshTime: null,
    lastProcessTime: null,
  }),
];
const content = { devices: fleet, groups, policies };

async function listed(text: string) {
  return runCommand(devicesCommand, 'devices', text, testPorts(content).ports);
}
async function names(text: string): Promise<readonly string[]> {
  return (await listed(text)).rows.map(({ device }) => device?.name ?? 'gone');
}

describe('devices: filters', () => {
  it.each([
    ['ip:10.1.2.3', ['db-02']],
    ['ip:10.1.0.0/16', ['db-02']],
    ['ip:10.1.', ['db-02']],
    ['ip:198.51.100.7', ['db-02']],
    ['ip:FE80::/10', ['db-02']],
    ['ip:10.9.0.0/16', []],
    ['-ip:10.1.2.3', ['mac-04', 'pc-03', 'web-01']],
    ['user:anna', ['db-02']],
    ['user:nobody', []],
    ['serial:zx', ['db-02']],
    ['policy:"apply all patches"', ['db-02', 'web-01']],
    ['policy:#7', ['db-02', 'web-01']],
    ['policy:8', ['pc-03', 'web-01']],
    ['-policy:#7', ['mac-04', 'pc-03']],
    ['policy:#99', []],
    ['fails:"Apply All Patches"', ['web-01']],
    ['fails:#8', []],
    ['version:2.', ['db-02']],
    ['version:10.0.26', ['pc-03']],
    ['version:1.42', ['mac-04', 'pc-03', 'web-01']],
    ['is:unmanaged', ['mac-04']],
    ['is:stale', ['db-02']],
    ['-is:stale', ['pc-03', 'web-01']],
    ['device:WEB-01', ['web-01']],
    ['-device:web-01,#2', ['mac-04', 'pc-03']],
  ])('%s', async (text, expected) => {
    expect(await names(text)).toEqual(expected);
  });

  it('leave a device out of a change, too', async () => {
    expect((await proposalOf('scan tag:a -device:web-01', testPorts(content).ports)).ids).toEqual([4]);
  });

  it('counts from now, whatever the age of the data', async () => {
    const { ports, clock } = testPorts(content);
    await ports.inventory.snapshot();
    await clock.advance(DAY);
    expect(
      (await runCommand(devicesCommand, 'devices', 'is:stale', ports)).rows.map(
        ({ device }) => device?.name ?? 'gone',
      ),
    ).toEqual(['db-02', 'pc-03']);
  });

  it.each([
    ['policy:"Aply All Patches"', 'no-such-policy', 'Apply All Patches'],
    ['fails:SMB', 'no-such-policy', 'Disable SMBv1'],
    ['version:24.40', 'usage', 'version:24.04'],
    ['-device:web-1', 'usage', 'device:web-01'],
  ])('names %s back with the nearest', async (text, kind, nearest) => {
    const read = tokenizeTyped(text);
    const parsed = read.kind === 'words' ? devicesCommand.parse(read.words) : read;
    if (parsed.kind !== 'input') throw new Error('not read');
    const view = await devicesCommand.run(parsed.input, 0, testPorts(content).ports);
    expect(view).toMatchObject({ kind: 'problem', problem: { kind } });
    expect(JSON.stringify(view)).toContain(nearest);
  });
});

describe('devices: either and both', () => {
  it.each([
    ['tag:a tag:b', ['mac-04']],
    ['tag:a,b', ['db-02', 'mac-04', 'web-01']],
    ['tag:a or tag:b', ['db-02', 'mac-04', 'web-01']],
    ['tag:"x,y"', ['db-02']],
    ['-tag:a,b', ['pc-03']],
    ['os:windows or os:mac', ['mac-04', 'pc-03']],
    ['os:windows,mac -is:offline', []],
    ['group:"Linux, all" or group:windows is:offline', ['db-02', 'pc-03']],
    ['group:"Linux, all" group:windows is:offline', ['db-02', 'pc-03']],
    ['is:stale or -os:linux', ['db-02', 'mac-04', 'pc-03']],
    ['is:stale or tag:a or os:windows', ['db-02', 'mac-04', 'pc-03', 'web-01']],
    ['web or db', ['db-02', 'web-01']],
    ['web or pc or zx-77', ['db-02', 'pc-03', 'web-01']],
    ['web or nothing-so-named', ['web-01']],
    ['web or db 02', ['db-02']],
    ['web or db is:offline', ['db-02']],
  ])('%s', async (text, expected) => {
    expect((await names(text)).toSorted()).toEqual(expected);
  });
});

describe('devices: their order and numbers', () => {
  it.each([
    ['sort:name', ['db-02', 'mac-04', 'pc-03', 'web-01']],
    ['-sort:name', ['web-01', 'pc-03', 'mac-04', 'db-02']],
    ['sort:group', ['mac-04', 'db-02', 'web-01', 'pc-03']],
    ['sort:seen', ['web-01', 'pc-03', 'db-02', 'mac-04']],
    ['-sort:seen', ['db-02', 'pc-03', 'web-01', 'mac-04']],
    ['sort:pending', ['db-02', 'mac-04', 'web-01', 'pc-03']],
    ['-sort:pending', ['web-01', 'mac-04', 'db-02', 'pc-03']],
    ['sort:os', ['mac-04', 'db-02', 'web-01', 'pc-03']],
    ['0 sort:name', ['db-02', 'mac-04', 'pc-03', 'web-01']],
  ])('%s', async (text, expected) => {
    expect(await names(text)).toEqual(expected);
  });

  it('counts all that fit, not this page alone', async () => {
    const many = Array.from({ length: 25 }, (_, at) =>
      aDevice({ id: deviceId(at + 1), connected: at % 5 !== 0, needsReboot: at === 24 }),
    );
    const view = await runCommand(devicesCommand, 'devices', '', testPorts({ devices: many, groups }).ports);
    expect(view.totals).toEqual({
      ...{ devices: 25, online: 20, offline: 5, pending: 25, needsReboot: 1 },
      ...{ compliant: 0, noncompliant: 25 },
      unknown: { connection: 0, pending: 0, needsReboot: 0, compliance: 0 },
    });
  });
});

describe('devices: what the title says', () => {
  it.each([
    'web or db',
    '"front desk" -is:online or os:windows,mac',
    'tag:"x,y" -tag:a,b sort:seen',
    'Jane’s "group:x" user:"a b" -sort:os',
  ])('asks for the same again: %s', async (text) => {
    const parse = (line: string) => {
      const read = tokenizeTyped(line);
      return read.kind === 'words' ? devicesCommand.parse(read.words) : read;
    };
    const parsed = parse(text);
    if (parsed.kind !== 'input') throw new Error(JSON.stringify(parsed));
    const view = await devicesCommand.run(parsed.input, 0, testPorts({ ...content, devices: fleet }).ports);
    if (view.kind !== 'devices') throw new Error(JSON.stringify(view));
    expect(parse(view.title)).toEqual(parsed);
  });

  const value = fc.constantFrom('a', 'two words', 'x,y', "Jane's", '10.1.', 'Zürich', '#7');
  const key = fc.constantFrom('tag', 'os', 'user', 'serial');
  const filter = fc.record({ key, value, negated: fc.boolean() });
  const joined = fc.tuple(filter, fc.boolean());
  property([fc.array(joined, { maxLength: 5 })], { numRuns: 60 })(
    'reads every query back from its own text',
    async (asked) => {
      const filters = asked.map(([one, or], at) => (or && at > 0 ? { ...one, or: true } : one));
      const known = fleet.map((device) => ({
        ...device,
        tags: ['a', 'two words', 'x,y', "Jane's", '10.1.', 'Zürich', '#7'],
        osName: "a two words x,y Jane's 10.1. Zürich #7",
      }));
      const view = await devicesCommand.run(
        { words: [], filters },
        0,
        testPorts({ ...content, devices: known }).ports,
      );
      if (view.kind !== 'devices') throw new Error(JSON.stringify(view));
      const read = tokenizeTyped(view.title);
      const parsed = read.kind === 'words' ? devicesCommand.parse(read.words) : read;
      expect(parsed).toEqual({ kind: 'input', input: { words: [], filters } });
    },
  );

  it.each([
    ['user:anna', 'user:…'],
    ['-serial:ZX is:online', '-serial:… is:online'],
    ['anna', '…'],
    ['10.1.2.3 db', '… db'],
  ])('for a channel hides what is personal: %s', async (text, expected) => {
    expect((await listed(text)).publicTitle).toBe(expected);
  });

  it('for a channel hides what is personal also beside an “or” that joins nothing', async () => {
    const asked = { words: ['db', 'anna', 'or'], filters: [] };
    const named = aDevice({ id: deviceId(2), name: 'db-for-02', lastLoggedInUser: 'anna' });
    const view = await devicesCommand.run(asked, 0, testPorts({ ...content, devices: [named] }).ports);
    expect(view).toMatchObject({ title: 'db anna or', publicTitle: 'db … or', rows: [{}] });
  });

  it.each(['web', 'db or web', '#2', 'os:mac', ''])(
    'is the same for a channel where nothing is: %s',
    async (text) => {
      expect((await listed(text)).publicTitle).toBeUndefined();
    },
  );
});

describe('devices: several of one name', () => {
  it('are distinguished by group, last seen, addresses and serial number', async () => {
    const twins = [1, 2].map((at) =>
      aDevice({
        id: deviceId(at),
        name: 'pc',
        serialNumber: `SN-${at}`,
        addresses: [`203.0.113.${at}`],
        ...seen(at),
      }),
    );
    const read = testPorts({ ...content, devices: twins });
    const view = await runCommand(deviceCommand, 'picker', 'pc network', read.ports);
    expect(view.rows[1]).toMatchObject({
      groupName: 'Linux, all',
      seenAt: later(START, -2 * DAY),
      addresses: ['203.0.113.2', '10.0.0.10'],
      serialNumber: 'sn-2',
    });
    expect(view.choices[1]).toEqual({ command: 'device', input: { device: 2, page: 'network' } });
  });
});

describe('what is read of each device', () => {
  const DEVICES = 20;

  /** A snapshot that counts how often each fact of its devices was read. */
  async function aSnapshot() {
    const { ports } = testPorts({
      devices: Array.from({ length: DEVICES }, (_, at) =>
        aDevice({ id: deviceId(at + 1), name: `web-${at}`, tags: ['critical', 'kiosk'], osName: 'Ubuntu' }),
      ),
    });
    const snapshot = await ports.inventory.snapshot();
    const reads = new Map<PropertyKey, number>();
    const devices = snapshot.devices.map(
      (device) =>
        new Proxy(device, {
          get(target, fact) {
            reads.set(fact, (reads.get(fact) ?? 0) + 1);
            return Reflect.get(target, fact);
          },
        }),
    );
    return { snapshot: { ...snapshot, devices }, reads };
  }

  const LIST = { head: { name: 'devices', usage: 'devices' }, offer: deviceListOffer };
  const SLIPS = ['criticla', 'crtical', 'kisok', 'criticall', 'koisk', 'ctitical'];
  const slips = (count: number) =>
    SLIPS.slice(0, count).map((value) => ({ key: 'tag', value, negated: false }) as const);
  const UNKNOWN = { kind: 'word', key: 'tag', value: 'criticla', nearest: ['critical'] } as const;

  describe('a value of a filter', () => {
    it('is compared with the devices’ values, which are read once per snapshot', async () => {
      const { snapshot, reads } = await aSnapshot();
      for (const { key, value } of slips(SLIPS.length))
        expect(deviceMatcher({ key, value }, snapshot, START)).toMatchObject({ kind: 'word', value });
      const against = { snapshot, now: START, ...LIST };
      unknownValueProblem(UNKNOWN, { words: [], filters: slips(5) }, against);
      expect(reads.get('tags')).toBe(DEVICES);
    });

    it.each([
      [1, 1],
      [5, 1],
      [6, 0],
    ])('is corrected with the others where %d are misspelled: %d lines', async (mistyped, lines) => {
      const { snapshot } = await aSnapshot();
      const problem = unknownValueProblem(
        UNKNOWN,
        { words: [], filters: slips(mistyped) },
        { snapshot, now: START, ...LIST },
      );
      expect('offers' in problem ? problem.offers : []).toHaveLength(lines);
    });
  });
});

describe('sorted devices', () => {
  const SYSTEMS = ['Ubuntu', 'Debian', null];
  const DEVICES = 30;

  async function aSnapshot() {
    const { ports } = testPorts({
      devices: Array.from({ length: DEVICES }, (_, at) =>
        aDevice({
          id: deviceId(at + 1),
          name: `web-${at}`,
          groupId: groupId(20 + (at % 2)),
          osFamily: null,
          osName: SYSTEMS[at % 3] ?? null,
          osVersion: null,
          pendingPatches: at % 4,
        }),
      ),
      groups: [aGroup({ id: groupId(20), name: 'b' }), aGroup({ id: groupId(21), name: 'a' })],
    });
    return ports.inventory.snapshot();
  }

  /** The same device, reporting each read of its facts. */
  function counted(device: IndexedDevice, read: (fact: PropertyKey) => void): IndexedDevice {
    return new Proxy(device, {
      get(target, fact) {
        read(fact);
        return Reflect.get(target, fact);
      },
    });
  }

  describe('devices in order', () => {
    it.each(
      DEVICE_SORTS.flatMap(
        (by) =>
          [
            { by, reversed: false },
            { by, reversed: true },
          ] as const,
      ),
    )('are each looked at once: $by, reversed $reversed', async (sort: DeviceSort) => {
      const snapshot = await aSnapshot();
      const reads = new Map<PropertyKey, number>();
      const read = (fact: PropertyKey) => reads.set(fact, (reads.get(fact) ?? 0) + 1);
      const devices = snapshot.devices.map((device) => counted(device, read));
      const found = sortDevices(devices, sort, { ...snapshot, devices });
      expect(new Set(found)).toEqual(new Set(devices));
      expect(Math.max(0, ...reads.values())).toBeLessThanOrEqual(DEVICES);
    });

    it('are sorted by name where equal, and come last where the value is missing', async () => {
      const snapshot = await aSnapshot();
      const order = (reversed: boolean) =>
        sortDevices(snapshot.devices.slice(0, 6), { by: 'os', reversed }, snapshot).map(({ name }) => name);
      expect(order(false)).toEqual(['web-1', 'web-4', 'web-0', 'web-3', 'web-2', 'web-5']);
      expect(order(true)).toEqual(['web-0', 'web-3', 'web-1', 'web-4', 'web-2', 'web-5']);
    });
  });
});

describe('powershell:, by which the service selects and the version in each row decides', () => {
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
});
