/** Changes of many devices: what is frozen, what stays out, in which order, and how many requests that takes. */
import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../../src/commands/core/command.ts';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { registry } from '../../../src/commands/index.ts';
import type { DevicePackage } from '../../../src/fleet/model/resources.ts';
import { createMissingPatchIndex } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import type { RolloutLimits } from '../../../src/lib/rollout-limits.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup, aPackage, aPolicy, START } from '../../harness/builders.ts';
import { noMissingPatchesSaved } from '../../harness/nothing-saved.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../harness/rollouts.ts';
import { renderedText } from '../../views/rendered-text.ts';
import { testPorts } from '../harness/ports.ts';
import { planLine as plan, planLine, proposalOf, runCommand } from '../harness/typed-line.ts';

const LINUX = groupId(20);
const WINDOWS = groupId(30);
const GROUPS = [
  aGroup({ id: LINUX }),
  aGroup({ id: WINDOWS, name: 'Laptops', policyIds: [policyId(2_101), policyId(2_103)] }),
];
const SMB = aPolicy({ id: policyId(2_103), name: 'Disable SMBv1', type: 'custom', groupIds: [WINDOWS] });

/** `count` devices, half of them in each group, and every tenth offline. */
const devicesOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    aDevice({
      id: deviceId(at + 1),
      name: `node-${at + 1}`,
      groupId: at % 2 === 0 ? LINUX : WINDOWS,
      osFamily: at % 2 === 0 ? 'Linux' : 'Windows',
      connected: at % 10 !== 9,
    }),
  );
const fleetOf = (count: number, more: Parameters<typeof testPorts>[0] = {}) =>
  testPorts({ devices: devicesOf(count), groups: GROUPS, pageSize: 500, ...more });

describe('the devices of a change', () => {
  it('are those that the filters match now, connected ones first, each group from the start', async () => {
    const { ports } = fleetOf(40);
    const { ids, targets, plan: waves } = await proposalOf('reboot os:windows,linux because x', ports);
    expect(ids.toSorted((a, b) => a - b)).toEqual(devicesOf(40).map(({ id }) => Number(id)));
    expect(waves?.waves).toEqual([2, 8, 30]);
    const first = targets.slice(0, 2).map((facts) => 'osFamily' in facts && facts.osFamily);
    expect(new Set(first)).toEqual(new Set(['Linux', 'Windows']));
    expect(ids.slice(-4)).toEqual([10, 20, 30, 40]);
  });

  it('take few requests: one list for hundreds of them', async () => {
    const { ports, fleet } = fleetOf(300);
    await ports.inventory.snapshot();
    const before = fleet.reads.length;
    const { ids } = await proposalOf('reboot is:online because x', ports);
    expect(ids).toHaveLength(270);
    expect(fleet.reads.slice(before)).toEqual(['devices']);
  });

  it('a few of a large fleet are read one by one', async () => {
    const { ports, fleet } = fleetOf(1_200);
    await ports.inventory.snapshot();
    const before = fleet.reads.length;
    const { ids, plan: waves } = await proposalOf('reboot node-1, node-2', ports);
    expect(ids).toEqual([1, 2]);
    expect(waves?.waves).toEqual([2]);
    expect(fleet.reads.slice(before)).toEqual(['device', 'device']);
  });

  it.each([
    'reboot node-1 node-2 because x',
    'scan node-1\nnode-2',
    'scan node-1  node-2, #2',
    'scan "node-1" node-2 offline:skip',
    'device-edit node-1 node-2 tag:blue',
  ])('are all that spaces or lines part, where each is one: %s', async (line) => {
    expect((await proposalOf(line, fleetOf(3).ports)).ids).toEqual([1, 2]);
  });

  it('a single one is planned as ever, without waves', async () => {
    const { ports, fleet } = fleetOf(3);
    const proposal = await proposalOf('reboot node-1', ports);
    expect('plan' in proposal).toBe(false);
    expect(fleet.reads.toSorted()).toContain('queue');
    expect('plan' in (await proposalOf('reboot node-1, #1', ports))).toBe(false);
    const expected = { waves: [1], gate: 'manual' };
    expect((await proposalOf('reboot node-1 gate:manual', ports)).plan).toMatchObject(expected);
  });

  it('that are gone meanwhile stay out of a filter, and are named where they were named', async () => {
    const devices = devicesOf(5);
    const { ports } = fleetOf(0, { devices });
    await ports.inventory.snapshot();
    devices.pop();
    const expected = { problem: { kind: 'device-gone', query: '#5' } };
    expect(await plan('reboot node-1, #5', ports)).toMatchObject(expected);
    const leftOut = [{ name: '#5', problem: { kind: 'device-gone' } }];
    expect(await proposalOf('reboot is:needs-reboot', ports)).toMatchObject({ ids: [1, 2, 3, 4], leftOut });
  });

  it.each([
    ['read by id where their list lacks a few', 44, 54],
    ['not requested at all where it lacks more', 10, null],
  ])('are %s: it shows %d', async (_, shown, requested) => {
    const { ports, fleet } = fleetOf(60);
    await ports.inventory.snapshot();
    const rows = devicesOf(60).slice(0, shown);
    Object.assign(fleet, {
      devices: async function* () {
        yield { rows, total: null, unreadable: 0 };
      },
    });
    const proposal = proposalOf('reboot is:online because x', ports);
    if (requested === null)
      await expect(proposal).rejects.toMatchObject({ error: { kind: 'unreadable', path: 'list' } });
    else expect((await proposal).ids).toHaveLength(requested);
  });

  it('are selected by no filter while a list is doubted, and by name as ever', async () => {
    const { ports } = fleetOf(60);
    const doubt = { list: 'devices', since: START, missing: 50, checkedAt: START, alive: null } as const;
    const { snapshot } = ports.inventory;
    const inventory = {
      ...ports.inventory,
      snapshot: async () => ({ ...(await snapshot()), doubts: [doubt] }),
    };
    const doubted = { ...ports, inventory };
    const problem = { kind: 'list-doubted', doubt };
    expect(await plan('reboot group:Laptops because x', doubted)).toMatchObject({ problem });
    expect((await proposalOf('reboot node-1, #2', doubted)).ids).toEqual([1, 2]);
  });

  it.each([
    ['reboot node-1, nodee-2', { kind: 'not-all-devices', unknown: ['nodee-2'] }],
    ['reboot group:Lptops', { kind: 'no-such-group', offers: [{ line: '/fleet reboot group:Laptops' }] }],
    ['reboot os:solaris', { kind: 'usage', fault: { kind: 'unknown-word' } }],
    [
      'reboot is:needs-reboot brake:9999',
      { fault: { word: 'brake:9999', expected: 'at most 6, the number of devices' } },
    ],
    [
      'reboot is:needs-reboot waves:50%,2',
      { fault: { word: 'waves:50%,2', expected: expect.stringMatching(/^growing numbers: .* 6 devices/) } },
    ],
    ['reboot ,', { kind: 'no-such-device', query: ',' }],
    ['reboot os:linux tag:web version:9', { kind: 'usage' }],
    ['reboot os:linux -os:linux', { kind: 'no-devices-match', filters: 'os:linux -os:linux' }],
  ])('%s: nothing is requested', async (line, problem) => {
    const { ports } = fleetOf(6);
    expect(await plan(line, ports)).toMatchObject({ kind: 'problem', problem });
  });

  it.each([
    ['os:plan9', { kind: 'unknown-word', nearest: ['os:Linux', 'os:Windows'] }],
    ['tag:plan9', { kind: 'bad-value', word: 'tag:plan9', expected: 'a tag that a device has' }],
    ['version:x', { expected: 'the start of an agent or OS version that a device has' }],
  ])('says of %s which values there are, also where they are many', async (filter, fault) => {
    const devices = devicesOf(20).map((device, at) => ({
      ...device,
      osName: `Edition ${at}`,
      osVersion: `1.${at}`,
      tags: [`rack-${at}`],
    }));
    const { ports } = fleetOf(0, { devices });
    expect(await plan(`reboot ${filter}`, ports)).toMatchObject({ problem: { kind: 'usage', fault } });
    const [key, value] = filter.split(':');
    const input = { words: [], filters: [{ key, value, negated: false }] };
    const list = await devicesCommand.run(input, 0, ports);
    expect(list).toMatchObject({ problem: { kind: 'usage', fault } });
  });

  it.each([
    ['reboot laptops because x', 'reboot group:laptops because x'],
    ['patch all laptops', 'patch group:laptops'],
    ['patch Linux servers openssl curl', 'patch group:"Linux servers" openssl curl'],
    ['scan windows', 'scan os:windows'],
  ])('that a group or system names are offered, and never taken: %s', async (line, offered) => {
    const { ports, fleet } = fleetOf(4);
    await ports.inventory.snapshot();
    const before = fleet.reads.length;
    const problem = { kind: 'no-such-device', offers: [{ line: `/fleet ${offered}`, does: 'form' }] };
    expect(await plan(line, ports)).toMatchObject({ kind: 'problem', problem });
    expect(fleet.reads.slice(before)).toEqual([]);
  });

  it('a name that fits several is asked about, and the others stay', async () => {
    const devices = [
      ...devicesOf(2),
      aDevice({ id: deviceId(8), name: 'twin' }),
      aDevice({ id: deviceId(9), name: 'twin' }),
    ];
    const { ports } = fleetOf(0, { devices });
    expect(await plan('reboot node-1, twin because x', ports)).toMatchObject({
      view: {
        kind: 'picker',
        choices: [{ command: 'reboot', input: { device: 'node-1, #8', reason: 'x' } }, {}],
      },
    });
  });
});

describe('a patch of many devices', () => {
  const packages = [
    aPackage({ severity: 'critical' }),
    aPackage({ id: 502, name: 'curl', displayName: 'curl', severity: 'low' }),
  ];

  it('installs on each what is missing there, and leaves out devices that miss nothing of it', async () => {
    const { ports } = fleetOf(6, { packages });
    expect(await proposalOf('patch os:linux severity:critical', ports)).toMatchObject({
      command: { kind: 'patch-each', chosen: { severities: ['critical'], named: [] } },
      targets: [{ packages: [{ name: packages[0]?.name }] }, {}, {}],
      leftOut: [],
    });
    expect((await proposalOf('patch os:linux', ports)).command).toEqual({ kind: 'patch-each', chosen: null });
    expect(await plan('patch os:linux severity:high', ports)).toMatchObject({
      problem: {
        kind: 'none-to-change',
        leftOut: [{ problem: { kind: 'none-missing', severities: ['high'] } }, {}, {}],
      },
    });
  });

  it('of a package that nothing misses is a slip', async () => {
    const { ports } = fleetOf(6, { packages });
    const expected = { problem: { kind: 'missing-nowhere', query: 'crul', devices: 3, nearest: ['curl'] } };
    expect(await plan('patch os:linux crul', ports)).toMatchObject(expected);
  });
});

describe('a policy on many devices', () => {
  it('leaves out the devices that it does not apply to', async () => {
    const { ports } = fleetOf(6, { policies: [SMB] });
    const proposal = await proposalOf('policy-remediate os:linux,windows policy:"Disable SMBv1"', ports);
    expect(proposal.ids).toEqual([2, 4, 6]);
    expect(proposal.leftOut).toHaveLength(3);
    expect(proposal.leftOut[0]).toMatchObject({ problem: { kind: 'policy-not-for', why: 'device' } });
  });
});

describe('the limits of a change', () => {
  const limited = (count: number, limits: Partial<RolloutLimits>) => {
    const { ports } = testPorts({ devices: devicesOf(count), groups: GROUPS, pageSize: 500 });
    return { ...ports, rollouts: () => ({ ...ports.rollouts(), ...limits }) };
  };

  it('keep the devices of one request within bounds', async () => {
    const planned = await plan('reboot is:needs-reboot because x', limited(20, { maxDevices: 19 }));
    expect(planned).toMatchObject({ problem: { kind: 'rollout-too-large', devices: 20, most: 19 } });
    if (planned.kind !== 'problem') throw new Error(planned.kind);
    expect(renderView({ kind: 'problem', problem: planned.problem }).text).toContain('20 devices');
  });
});

describe('changes of the devices that miss something', () => {
  const OPENSSL = aPackage({ severity: 'critical', cves: ['CVE-2026-0001'] });
  const CURL = aPackage({ id: 502, name: 'curl', displayName: 'curl', severity: 'low', cves: [] });
  const CONTENT = {
    groups: [aGroup({ id: LINUX }), aGroup({ id: WINDOWS, name: 'Laptops' })],
    packages: [OPENSSL, CURL],
    pageSize: 500,
  };

  const allOnline = (count: number) => devicesOf(count).map((device) => ({ ...device, connected: true }));
  const fleetOf = (count: number) => testPorts({ ...CONTENT, devices: allOnline(count) });

  /** With the service's list of missing packages, of which each page is one request. */
  function withList(count: number, packageOf: (id: number) => DevicePackage['item'] | null) {
    const made = fleetOf(count);
    let lists = 0;
    const fleet = {
      ...made.fleet,
      async *missingPackages() {
        lists += 1;
        const rows = allOnline(count).flatMap(({ id }) => {
          const item = packageOf(id);
          return item === null ? [] : [{ id: item.id, deviceId: id, item }];
        });
        yield { rows, total: null, unreadable: 0 };
      },
    };
    const { clock } = made;
    const missingPatches = createMissingPatchIndex({
      fleet,
      clock,
      onNames: () => undefined,
      ...noMissingPatchesSaved,
    });
    return { ...made, ports: { ...made.ports, missingPatches }, lists: () => lists };
  }

  describe('devices named one after the other', () => {
    it('are all patched, and a word that is a package stays one', async () => {
      const { ports } = fleetOf(2);
      expect((await proposalOf('patch node-1 node-2', ports)).ids).toEqual([1, 2]);
      ports.inventory.learnPackages(['node-2']);
      const problem = { kind: 'no-such-package', query: 'node-2' };
      expect(await planLine('patch node-1 node-2', ports)).toMatchObject({ problem });
    });
  });

  describe('devices that are missing something', () => {
    it.each([
      'openssl',
      'critical',
      'severity:critical',
      'CVE-2026-0001',
      'cve-2026-0001',
      'cve:CVE-2026-0001',
      'critical,high',
    ])('are selected by missing:%s', async (what) => {
      const { ports } = fleetOf(6);
      expect((await proposalOf(`reboot missing:${what} os:linux`, ports)).ids).toEqual([1, 3, 5]);
    });

    it('are none where nothing misses it', async () => {
      const { ports } = fleetOf(6);
      const expected = { problem: { kind: 'no-devices-match' } };
      expect(await planLine('reboot missing:high', ports)).toMatchObject(expected);
      expect((await proposalOf('reboot -missing:high', ports)).ids).toHaveLength(6);
      expect((await proposalOf('reboot missing:high or os:linux', ports)).ids).toEqual([1, 3, 5]);
    });

    it.each([
      ['reboot missing:opnssl', ['openssl'], '/fleet reboot missing:openssl'],
      ['reboot -missing:crtical os:linux', ['critical'], '/fleet reboot -missing:critical os:linux'],
    ])('are asked about where no device misses a package of the name: %s', async (line, nearest, offered) => {
      const { ports } = fleetOf(6);
      const expected = { problem: { kind: 'missing-nowhere', nearest, offers: [{ line: offered }] } };
      expect(await planLine(line, ports)).toMatchObject(expected);
    });

    it('cost two lists of the service, however many they are', async () => {
      const { ports, fleet, lists } = withList(300, (id) => (id % 3 === 0 ? OPENSSL : CURL));
      await ports.inventory.snapshot();
      const before = fleet.reads.length;
      const { ids } = await proposalOf('reboot missing:critical because x', ports);
      expect(ids).toHaveLength(100);
      expect(lists()).toBe(1);
      // Those with missing patches, then the facts of those that are meant.
      expect(fleet.reads.slice(before)).toEqual(['devices', 'devices']);
    });

    it('come with how and when their packages were read', async () => {
      const listed = withList(300, () => OPENSSL);
      await listed.clock.advance(MINUTE);
      const { packagesRead } = await proposalOf('reboot missing:critical because x', listed.ports);
      expect(packagesRead).toEqual({ looked: 300, fromList: 300, oldest: listed.clock.now() });
      const each = fleetOf(6);
      await each.ports.missingPatches.query({ groups: null, waitMs: 0 });
      const readAt = each.clock.now();
      await each.clock.advance(MINUTE);
      const expected = { packagesRead: { looked: 6, fromList: 0, oldest: readAt } };
      expect(await proposalOf('reboot missing:critical because x', each.ports)).toMatchObject(expected);
      expect(await proposalOf('reboot os:linux because x', each.ports)).not.toHaveProperty('packagesRead');
    });

    it('of one group are read for that group alone', async () => {
      const { ports, fleet } = fleetOf(10);
      await ports.inventory.snapshot();
      const before = fleet.reads.length;
      await proposalOf('reboot missing:critical group:Laptops because x', ports);
      expect(fleet.reads.slice(before).filter((name) => name === 'packages')).toHaveLength(5);
      expect(fleet.deviceQueries.at(1)).toMatchObject({ missingPatches: true, groupId: WINDOWS });
    });
  });

  describe('a reading that is not complete', () => {
    const unread = async (ports: ReadPorts, more: object) => {
      const answer = await ports.missingPatches.query({ groups: null, waitMs: 0 });
      const missingPatches = { ...ports.missingPatches, query: async () => ({ ...answer, ...more }) };
      return planLine('reboot missing:critical', { ...ports, missingPatches });
    };

    it('selects no devices to be changed', async () => {
      const { ports } = fleetOf(6);
      const expected = { problem: { kind: 'packages-unread', known: 0, of: 6, isGoing: true } };
      expect(await unread(ports, { known: new Map(), isReading: true })).toMatchObject(expected);
    });

    it('selects none either where what is known is too old', async () => {
      const { ports, clock } = fleetOf(6);
      const asOf = clock.now() - 3 * HOUR;
      const known = new Map(allOnline(6).map(({ id }) => [id, { asOf, packages: [OPENSSL] }]));
      expect(await unread(ports, { known, isReading: false })).toMatchObject({
        problem: { kind: 'packages-unread', known: 6, of: 6, isGoing: false, oldest: asOf },
      });
    });
  });

  describe('a patch of devices that are missing something', () => {
    it.each([
      ['patch missing:openssl', { severities: [], named: [OPENSSL.name] }],
      ['patch missing:CVE-2026-0001', { severities: [], named: [OPENSSL.name] }],
      ['patch missing:critical', { severities: ['critical'], named: [] }],
      ['patch missing:openssl curl', { severities: [], named: ['curl'] }],
      ['patch missing:openssl severity:low', { severities: ['low'], named: [] }],
    ])('%s: installs only what is named', async (line, chosen) => {
      const { ports } = fleetOf(6);
      expect(await proposalOf(line, ports)).toMatchObject({
        command: { kind: 'patch-each', chosen },
        targets: Array.from({ length: 6 }, () => ({ packages: [expect.anything()] })),
      });
    });

    it('that is a single one gets only that, too', async () => {
      const { ports } = fleetOf(1);
      const expected = { kind: 'patch', packages: [OPENSSL.name] };
      expect((await proposalOf('patch missing:openssl', ports)).command).toMatchObject(expected);
      expect((await proposalOf('patch -missing:high', ports)).command).toEqual({ kind: 'patch-all' });
    });

    it('leaves out those that pass by another filter', async () => {
      const { ports } = withList(30, (id) => (id === 3 ? OPENSSL : CURL));
      const { ids, leftOut } = await proposalOf('patch missing:openssl or os:linux because x', ports);
      expect(ids).toEqual([3]);
      expect(leftOut).toHaveLength(14);
      expect(leftOut[0]).toMatchObject({ problem: { kind: 'none-missing' } });
    });
  });
});

describe('what is said of the packages that selected devices', () => {
  const devices = [1, 2, 3].map((id) => aDevice({ id: deviceId(id), name: `web-${id}` }));

  it('explain says how the packages were read, and how old that is', async () => {
    const { ports } = testPorts({ devices, groups: [aGroup()], packages: [aPackage()] });
    const command = registry.find('explain');
    if (command?.kind !== 'read') throw new Error('no command');
    const explained = async (line: string) =>
      renderedText(renderView(await runCommand(command, 'explain-plan', line, ports)));
    expect(await explained('reboot missing:openssl')).toContain(
      `Devices selected by their missing packages, read device by device. Package data from ${relativeDate(START)} or later.`,
    );
    expect(await explained('reboot os:linux')).not.toContain('Package data');
  });

  it('the card of a request says it while it waits and while it runs', () => {
    const packagesRead = { looked: 40, fromList: 38, oldest: later(START, -5 * MINUTE) };
    const rollout = aRollout(40, { summary: aSummary({ packagesRead }) });
    const drawn = (over: Parameters<typeof aRolloutRequest>[0]) =>
      renderedText(renderView({ kind: 'request', request: aRolloutRequest(over) }));
    for (const state of ['waiting', 'running'] as const)
      expect(drawn({ rollout, state })).toContain(
        `Devices selected by their missing packages, read from the fleet-wide list for 38 devices, and one by one for 2. Package data from ${relativeDate(packagesRead.oldest)} or later.`,
      );
    expect(drawn({})).not.toContain('Package data');
  });
});
