import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import type { Device } from '../../src/fleet/model/resources.ts';
import {
  type IndexedDevice,
  inventoryWithoutPersonalData,
  type SuggestionKind,
} from '../../src/inventory/inventory.ts';
import { createInventory } from '../../src/inventory/inventory-service.ts';
import { comparedWords, nearestNames, nearestNamesOrAll } from '../../src/inventory/nearest-names.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { deviceId, groupId, policyId } from '../../src/lib/ids.ts';
import { BROKEN, createFakeFleet, type FakeFleetContent } from '../commands/harness/fake-fleet.ts';
import { aDevice, aGroup, anEvent, aPolicy, START } from '../harness/builders.ts';
import { nothingSaved } from '../harness/nothing-saved.ts';

/** The requests of one walk. */
const WALK = ['devices', 'groups', 'policies'];

/** The row's fields in the service's spelling. */
function asRead({
  searchText: _,
  policyIds: _all,
  failingIds: _failing,
  seenMinute: _seen,
  missesPatches: _misses,
  ...row
}: IndexedDevice) {
  return row;
}

const named = (id: number, name: string, customName: string | null = null): Device =>
  aDevice({ id: deviceId(id), name, customName });

function anInventory(content: FakeFleetContent) {
  const clock = createManualClock(START);
  const fleet = createFakeFleet(content);
  return { fleet, clock, inventory: createInventory({ fleet, clock, store: nothingSaved }) };
}

describe('inventory: reading', () => {
  it('does nothing before it is started or used', async () => {
    const { fleet, clock } = anInventory({ devices: [aDevice()] });
    await clock.advance(3_600_000);
    expect(fleet.reads).toEqual([]);
  });

  it('tells of devices that are connected again, and of no others', async () => {
    const away = [1, 2].map((id) => aDevice({ id: deviceId(id), name: `web-${id}`, connected: false }));
    const { inventory } = anInventory({ devices: [...away, named(3, 'web-3')] });
    const returned: number[] = [];
    inventory.onReturn((id) => void returned.push(id));
    await inventory.snapshot();
    const [first, second] = away;
    if (first === undefined || second === undefined) throw new Error('there are two');
    inventory.learnDevice({ ...first, connected: true });
    inventory.learnDevice({ ...second, name: 'web-2b' });
    inventory.learnDevice({ ...named(3, 'web-3'), connected: true });
    expect(returned).toEqual([1]);
  });

  it('looks for similar names only when requested', async () => {
    const { inventory } = anInventory({ devices: [aDevice({ name: 'web-01' })] });
    const { find } = inventoryWithoutPersonalData(inventory);
    for (const each of [inventory.find, find]) {
      expect(await each('web-10')).toEqual({ kind: 'none', nearest: ['web-01'] });
      expect(await each('web-10', { exact: true })).toEqual({ kind: 'none', nearest: [] });
    }
  });

  it('finds only by names and numbers for people who may not see personal data', async () => {
    const [jane, anna] = [
      aDevice({ id: deviceId(7), name: 'web-01', serialNumber: 'SN-7', lastLoggedInUser: 'anna' }),
      aDevice({ id: deviceId(8), name: 'anna', customName: 'Jane’s', addresses: ['203.0.113.8'] }),
    ];
    const { inventory } = anInventory({ devices: [jane, anna] });
    const { find } = inventoryWithoutPersonalData(inventory);
    const found = async (query: string) => {
      const answer = await find(query, { exact: true });
      return answer.kind === 'one' ? [answer.device.id, answer.device.searchText] : answer.kind;
    };
    expect(await found('WEB-01')).toEqual([7, 'web-01\n\n\n']);
    expect(await found('#007')).toEqual([7, 'web-01\n\n\n']);
    expect(await found('anna')).toEqual([8, "anna\njane's\n\n"]);
    expect(await found("jane's")).toEqual([8, "anna\njane's\n\n"]);
    for (const personal of ['SN-7', '203.0.113.8', '203.0.113.0/24', '#9', ''])
      expect(await found(personal)).toBe('none');
    expect(await find('aana')).toEqual({ kind: 'none', nearest: ['anna'] });
    expect(await find('nobody')).toEqual({ kind: 'none', nearest: [] });
  });

  it('names devices from memory only', async () => {
    const { fleet, inventory } = anInventory({
      devices: [named(7, 'web-07', 'Front door'), named(8, 'web-08')],
    });
    expect(inventory.displayName(deviceId(7))).toBeNull();
    expect(fleet.reads).toEqual([]);
    await inventory.snapshot();
    expect([7, 8, 9].map((id) => inventory.displayName(deviceId(id)))).toEqual([
      'Front door',
      'web-08',
      null,
    ]);
    inventory.learnDevice(named(8, 'web-08', 'Back door'));
    expect(inventory.displayName(deviceId(8))).toBe('Back door');
    expect(fleet.reads).toEqual(WALK);
  });

  it('names the groups of devices from memory only', async () => {
    const group = aGroup({ id: groupId(3), name: 'Linux servers' });
    const devices = [
      aDevice({ id: deviceId(7), groupId: group.id }),
      aDevice({ id: deviceId(8), groupId: groupId(4) }),
    ];
    const { fleet, inventory } = anInventory({ devices, groups: [group] });
    expect(inventory.groupOf(deviceId(7))).toBeNull();
    expect(fleet.reads).toEqual([]);
    await inventory.snapshot();
    expect([7, 8, 9].map((id) => inventory.groupOf(deviceId(id)))).toEqual(['Linux servers', null, null]);
    expect(fleet.reads).toEqual(WALK);
  });

  it('counts the fleet from memory only, however old that is', async () => {
    const { fleet, clock, inventory } = anInventory({ devices: [named(7, 'web-07'), named(8, 'web-08')] });
    expect(inventory.fleetSize()).toBeNull();
    await inventory.snapshot();
    await clock.advance(3_600_000);
    expect(inventory.fleetSize()).toBe(2);
    expect(fleet.reads).toEqual(WALK);
  });

  it('shares one walk among all callers', async () => {
    const { fleet, inventory } = anInventory({ devices: [aDevice()] });
    await Promise.all([inventory.snapshot(), inventory.find('web-01'), inventory.suggest('device', '', 5)]);
    expect(fleet.reads).toEqual(['devices', 'groups', 'policies']);
  });

  it('answers from memory for a minute, then walks again', async () => {
    const { fleet, clock, inventory } = anInventory({ devices: [aDevice()] });
    const first = await inventory.snapshot();
    await clock.advance(60_000);
    expect((await inventory.snapshot()).asOf).toBe(first.asOf);
    await clock.advance(1);
    expect((await inventory.snapshot()).asOf).toBe(clock.now());
    expect(fleet.reads).toEqual([...WALK, ...WALK]);
  });

  it('counts a device that moves between pages during the walk once', async () => {
    const { inventory } = anInventory({ devices: [named(1, 'a'), named(2, 'b'), named(1, 'a')] });
    expect((await inventory.snapshot()).devices.map((device) => device.name)).toEqual(['a', 'b']);
  });

  it('requests no policy statuses, and stores nothing that only a device’s card shows', async () => {
    const whole = aDevice({
      policyStatuses: [],
      policyCompliance: [{ policyId: policyId(3), compliant: false }],
      compliant: false,
    });
    const { fleet, inventory } = anInventory({ devices: [whole] });
    const { devices } = await inventory.snapshot();
    expect(fleet.deviceQueries).toEqual([{ withoutPolicyStatus: true }]);
    expect(whole).toMatchObject(devices[0] === undefined ? {} : asRead(devices[0]));
    expect(Object.keys(devices[0] ?? {})).toHaveLength(21);
  });

  it.each([
    [{ unreadable: 0 }, 0],
    [{ unreadable: 2 }, 2],
    [{ unreadable: 0, shortfall: 3 }, 3],
    [{ unreadable: 2, shortfall: 3 }, 5],
  ])('reports how many devices could not be listed: %j', async (unlisted, expected) => {
    const { inventory } = anInventory({ devices: [aDevice()], unlisted });
    expect(await inventory.snapshot()).toMatchObject({ unlisted: expected, devices: [{ id: aDevice().id }] });
  });

  it('returns what it knows as overdue when a walk fails, and tries again for the next caller', async () => {
    const { fleet, clock, inventory } = anInventory({ devices: [aDevice()] });
    const { asOf } = await inventory.snapshot();
    await clock.advance(60_001);
    fleet.failWith(BROKEN);
    expect(await inventory.find('web-01')).toMatchObject({ kind: 'one' });
    expect(await inventory.snapshot()).toMatchObject({ asOf, overdue: true });
    fleet.failWith(null);
    expect(await inventory.snapshot()).toMatchObject({ asOf: clock.now(), overdue: false });
  });

  it('throws when nothing was ever read', async () => {
    const { fleet, inventory } = anInventory({ devices: [aDevice()] });
    fleet.failWith(BROKEN);
    await expect(inventory.find('web-01')).rejects.toThrow(FleetFailure);
    await expect(inventory.snapshot()).rejects.toThrow(FleetFailure);
  });

  it('finds a known name without reading anything, and reads for an unknown one', async () => {
    const { fleet, clock, inventory } = anInventory({ devices: [aDevice()] });
    await inventory.snapshot();
    await clock.advance(3_600_000);
    fleet.reads.length = 0;
    await inventory.find('web-01');
    expect(fleet.reads).toEqual([]);
    await inventory.find('web-99');
    expect(fleet.reads).toEqual(WALK);
  });

  it('reads the fleet again on request, however fresh it is', async () => {
    const { fleet, inventory } = anInventory({ devices: [aDevice()] });
    await inventory.snapshot();
    await inventory.snapshot({ refresh: true });
    expect(fleet.reads).toEqual([...WALK, ...WALK]);
  });

  it('works without policies when the key has no right to them', async () => {
    const { fleet: whole, clock } = anInventory({ devices: [aDevice()] });
    const policies = () => {
      throw new FleetFailure({ ...BROKEN, kind: 'forbidden' });
    };
    const inventory = createInventory({ fleet: { ...whole, policies }, clock, store: nothingSaved });
    expect((await inventory.snapshot()).devices).toHaveLength(1);
    expect(inventory.suggest('policy', '', 5)).toEqual([]);
  });

  it('fails all callers who wait for the same walk', async () => {
    const { fleet, inventory } = anInventory({});
    fleet.failWith(BROKEN);
    const results = await Promise.allSettled([inventory.snapshot(), inventory.find('x')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('runs the walk in the caller’s lane', async () => {
    const { fleet, inventory } = anInventory({ devices: [aDevice()] });
    await inventory.snapshot({ lane: 'person' });
    expect([...fleet.lanes]).toEqual(['person']);
  });
});

describe('inventory: finding', () => {
  const devices = [
    named(1, 'web-01'),
    named(2, 'web-02'),
    named(3, 'dup-01'),
    named(4, 'dup-01'),
    named(5, 'LAPTOP-5', 'Jane’s MacBook  Pro'),
    named(6, '<!channel> & *bold*'),
    named(7, ''),
    named(8, 'same', 'Same'),
  ];
  it.each([
    ['the hostname', 'web-01', 1],
    ['whatever the case', 'WEB-01', 1],
    ['spaces around it', '  web-01 ', 1],
    ['the custom name with another apostrophe', "jane's macbook pro", 5],
    ['the hostname of a device with a custom name', 'laptop-5', 5],
    ['a hostile name', '<!channel> & *bold*', 6],
    ['the id', '#2', 2],
    ['the id of a device without a name', '#7', 7],
    ['a custom name that is also the hostname, once', 'same', 8],
  ])('finds by %s', async (_what, query, id) => {
    const { inventory } = anInventory({ devices });
    expect(await inventory.find(query)).toMatchObject({ kind: 'one', device: { id } });
  });

  it('never picks among several', async () => {
    const { inventory } = anInventory({ devices });
    const found = await inventory.find('DUP-01');
    expect(found).toMatchObject({ kind: 'several', devices: [{ id: 3 }, { id: 4 }] });
  });

  it.each([
    ['a slip of the pen', 'wbe-01', ['web-01']],
    ['a part of a name', 'macbook', ['Jane’s MacBook  Pro']],
    ['an id that is not there', '#99999', []],
    ['nothing at all', '', []],
    ['nothing alike', 'mainframe', []],
    ['very much', 'web-01'.repeat(1_000), ['web-01']],
  ])('offers similar names for %s', async (_what, query, nearest) => {
    const { inventory } = anInventory({ devices });
    expect(await inventory.find(query)).toEqual({ kind: 'none', nearest });
  });
});

describe('inventory: group names', () => {
  const groups = [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup({ id: groupId(20), name: 'Linux servers' }),
  ];
  it.each([
    ['the name', 20, 'Linux servers'],
    ['a name for the default group, which has none', 1, 'Default group'],
    ['null for a group that is not known', 99, null],
  ])('gives %s', async (_what, id, name) => {
    const { inventory } = anInventory({ groups });
    expect(await inventory.groupName(groupId(id))).toBe(name);
  });

  it('reads nothing when the device has no group', async () => {
    const { fleet, inventory } = anInventory({ groups });
    expect(await inventory.groupName(null)).toBeNull();
    expect(fleet.reads).toEqual([]);
  });
});

async function suggestingInventory() {
  const fleet = createFakeFleet({
    devices: [
      aDevice({ id: deviceId(1), name: 'web-01' }),
      aDevice({ id: deviceId(2), name: 'web-02', customName: 'Front desk' }),
      aDevice({ id: deviceId(3), name: 'dup-01', groupId: groupId(20) }),
      aDevice({ id: deviceId(4), name: 'dup-01', groupId: null }),
    ],
    groups: [
      aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
      aGroup({ id: groupId(20), name: 'Linux servers', parentId: groupId(1) }),
      aGroup({ id: groupId(21), name: 'Web', parentId: groupId(20) }),
    ],
    policies: [aPolicy({ id: policyId(5), name: 'Patch everything', type: 'patch' })],
  });
  const inventory = createInventory({ fleet, clock: createManualClock(START), store: nothingSaved });
  await inventory.snapshot();
  inventory.learnPackages(['openssl', 'libssl3', 'zlib']);
  inventory.noteEvents([anEvent({ patches: [{ name: 'KB5034441', version: null, displayName: null }] })]);
  fleet.reads.length = 0;
  return { fleet, inventory };
}

describe('suggestions', () => {
  it.each<readonly [SuggestionKind, string, readonly (readonly [string, number | null])[]]>([
    [
      'device',
      'web-0',
      [
        ['Front desk', 2],
        ['web-01', 1],
      ],
    ],
    [
      'device',
      'dup',
      [
        ['dup-01', 3],
        ['dup-01', 4],
      ],
    ],
    ['device', 'desk', [['Front desk', 2]]],
    [
      'group',
      '',
      [
        ['Default group', 1],
        ['Linux servers', 20],
        ['Web', 21],
      ],
    ],
    ['group', 'servres', [['Linux servers', 20]]],
    ['group', 'default', [['Default group', 1]]],
    ['policy', 'every', [['Patch everything', 5]]],
    [
      'package',
      'ssl',
      [
        ['openssl', null],
        ['libssl3', null],
      ],
    ],
    ['package', 'kb50', [['KB5034441', null]]],
    ['package', 'nothing', []],
  ])('of a %s for “%s”', async (kind, query, expected) => {
    const { fleet, inventory } = await suggestingInventory();
    const found = inventory.suggest(kind, query, 10);
    expect(found.map(({ label, id }) => [label, id])).toEqual(expected);
    expect(fleet.reads).toEqual([]);
  });

  it('are at most as many as wanted', async () => {
    const { inventory } = await suggestingInventory();
    expect(inventory.suggest('device', '', 2)).toHaveLength(2);
  });

  it('tell devices with the same name apart, by number and group', async () => {
    const { inventory } = await suggestingInventory();
    const details = inventory.suggest('device', 'dup', 5).map(({ detail }) => detail);
    expect(details).toEqual([['#3', 'Linux servers'], ['#4']]);
  });

  it('show the groups above a group', async () => {
    const { inventory } = await suggestingInventory();
    expect(inventory.suggest('group', 'web', 5)).toEqual([{ id: 21, label: 'Web', detail: 'Linux servers' }]);
    expect(inventory.suggest('group', 'linux', 5)).toMatchObject([{ label: 'Linux servers', detail: null }]);
  });

  it('forget the least recently seen packages', async () => {
    const { inventory } = await suggestingInventory();
    inventory.learnPackages(Array.from({ length: 4_999 }, (_, at) => `package-${at}`));
    inventory.learnPackages(['package-0']);
    inventory.learnPackages(['last']);
    expect(inventory.suggest('package', 'openssl', 5)).toEqual([]);
    expect(inventory.suggest('package', 'package-1234', 1)).toHaveLength(1);
  });
});

describe('the nearest names', () => {
  it.each([
    ['a slip', 'rebot', ['scan', 'reboot', 'queue'], ['reboot']],
    ['two letters that changed places', 'devcie', ['device', 'events'], ['device']],
    ['half of the letters', 'abcd', ['abxy', 'axyz'], []],
    ['two letters of a short word that changed places', 'scna', ['scan', 'scene', 'saved'], ['scan']],
    ['letters that changed places before other slips', 'wbe-01', ['db-01', 'web-01'], ['web-01', 'db-01']],
    ['the same beginning and nothing else', 'export', ['explain', 'events', 'operations'], []],
    ['an everyday word for something else', 'delete', ['devices', 'device', 'queue'], []],
    [
      'the beginning of the name',
      'sub',
      ['subscribe', 'subscriptions', 'status'],
      ['subscribe', 'subscriptions'],
    ],
    ['a hyphen that was left out', 'web01', ['web-01', 'web-22', 'db-01'], ['web-01']],
    ['an abbreviation', 'grp', ['group', 'ip', 'os'], ['group']],
    ['letters that stand in it by chance', 'cosmos', ['os', 'is'], []],
    ['a value that is not among them', 'urgent', ['critical', 'high', 'none'], []],
    ['nothing shared', 'xy', ['01', 'os', 'pq'], []],
    ['a part of the name', 'server', ['Linux servers', 'Web'], ['Linux servers']],
    ['a slip in one word of the name', 'linx', ['Linux servers', 'Laptops'], ['Linux servers']],
    [
      'a slip in a name that holds another name',
      'linx servers',
      ['Servers', 'Linux servers'],
      ['Linux servers', 'Servers'],
    ],
    ['more than the name', 'web-01.example.org', ['web-01', 'db'], ['web-01']],
    ['a name twice, and once more in capitals', 'opnssl', ['openssl', 'openssl', 'OpenSSL'], ['openssl']],
    ['nothing', '', ['', 'a'], []],
  ])('for %s', (_what, query, names, expected) => {
    expect(nearestNames(query, names)).toEqual(expected);
  });

  it('are all names in order when none is close and there are few', () => {
    expect(nearestNamesOrAll('xy', ['01', 'os', 'pqrst', 'os'])).toEqual(['01', 'os', 'pqrst']);
    expect(nearestNamesOrAll('rebot', ['scan', 'reboot'])).toEqual(['reboot']);
    const many = Array.from({ length: 17 }, (_, at) => `policy ${at}`);
    expect(nearestNamesOrAll('nothing at all', many)).toEqual([]);
    expect(nearestNamesOrAll('nothing at all', many.slice(1))).toEqual(many.slice(1));
  });

  it('are known names, each once, and at most as many as wanted', () => {
    const names = fc.array(fc.string({ maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), names, fc.nat(4), (query, known, count) => {
        const found = nearestNames(query, known, count);
        expect(found.length).toBeLessThanOrEqual(count);
        expect(new Set(found).size).toBe(found.length);
        for (const name of found) expect(known).toContain(name);
      }),
    );
  });

  it('are searched by the start of what was typed, as they are compared', () => {
    expect(comparedWords('linx  servers')).toEqual(['linx', 'servers']);
    expect(comparedWords(Array.from({ length: 12 }, () => 'e'.repeat(150)).join(' '))).toEqual([
      'e'.repeat(64),
    ]);
  });
});
