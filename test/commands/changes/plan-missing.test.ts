/** Changes of the devices that miss something: which they are, what is installed, and how many requests that takes. */

import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../../src/commands/core/command.ts';
import type { DevicePackage } from '../../../src/fleet/model/resources.ts';
import { createMissingPatchIndex } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { noMissingPatchesSaved } from '../../harness/nothing-saved.ts';
import { planLine, proposalOf } from '../harness/plan-line.ts';
import { testPorts } from '../harness/ports.ts';

const LINUX = groupId(20);
const WINDOWS = groupId(30);
const OPENSSL = aPackage({ severity: 'critical', cves: ['CVE-2026-0001'] });
const CURL = aPackage({ id: 502, name: 'curl', displayName: 'curl', severity: 'low', cves: [] });
const CONTENT = {
  groups: [aGroup({ id: LINUX }), aGroup({ id: WINDOWS, name: 'Laptops' })],
  packages: [OPENSSL, CURL],
  pageSize: 500,
};

const devicesOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    aDevice({
      id: deviceId(at + 1),
      name: `node-${at + 1}`,
      groupId: at % 2 === 0 ? LINUX : WINDOWS,
      osFamily: at % 2 === 0 ? 'Linux' : 'Windows',
    }),
  );
const fleetOf = (count: number) => testPorts({ ...CONTENT, devices: devicesOf(count) });

/** With the service's list of missing packages, of which each page is one request. */
function withList(count: number, packageOf: (id: number) => DevicePackage['item'] | null) {
  const made = fleetOf(count);
  let lists = 0;
  const fleet = {
    ...made.fleet,
    async *missingPackages() {
      lists += 1;
      const rows = devicesOf(count).flatMap(({ id }) => {
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
    expect(await planLine('reboot missing:high', ports)).toMatchObject({
      problem: { kind: 'no-devices-match' },
    });
    expect((await proposalOf('reboot -missing:high', ports)).ids).toHaveLength(6);
    expect((await proposalOf('reboot missing:high or os:linux', ports)).ids).toEqual([1, 3, 5]);
  });

  it.each([
    ['reboot missing:opnssl', ['openssl'], '/fleet reboot missing:openssl'],
    ['reboot -missing:crtical os:linux', ['critical'], '/fleet reboot -missing:critical os:linux'],
  ])('are asked about where no device misses a package of the name: %s', async (line, nearest, offered) => {
    const { ports } = fleetOf(6);
    expect(await planLine(line, ports)).toMatchObject({
      problem: { kind: 'missing-nowhere', nearest, offers: [{ line: offered }] },
    });
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
    expect(await proposalOf('reboot missing:critical because x', each.ports)).toMatchObject({
      packagesRead: { looked: 6, fromList: 0, oldest: readAt },
    });
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
    expect(await unread(ports, { known: new Map(), isReading: true })).toMatchObject({
      problem: { kind: 'packages-unread', known: 0, of: 6, isGoing: true },
    });
  });

  it('selects none either where what is known is too old', async () => {
    const { ports, clock } = fleetOf(6);
    const asOf = clock.now() - 3 * HOUR;
    const known = new Map(devicesOf(6).map(({ id }) => [id, { asOf, packages: [OPENSSL] }]));
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
    expect((await proposalOf('patch missing:openssl', ports)).command).toMatchObject({
      kind: 'patch',
      packages: [OPENSSL.name],
    });
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
