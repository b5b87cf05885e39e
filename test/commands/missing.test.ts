import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../src/commands/core/command.ts';
import { devicesCommand } from '../../src/commands/devices.ts';
import { missingCommand, missingForm } from '../../src/commands/missing.ts';
import type { Package } from '../../src/fleet/model/resources.ts';
import type { MissingPatchIndex } from '../../src/inventory/missing-patches/missing-patch-index.ts';
import { later, MINUTE } from '../../src/lib/clock.ts';
import { deviceId, groupId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, aPackage, START } from '../harness/builders.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, runCommand } from './harness/typed-line.ts';

const groups = [
  aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
  aGroup({ id: groupId(10), name: 'Servers' }),
  aGroup({ id: groupId(20), parentId: groupId(10) }),
  aGroup({ id: groupId(30), name: 'Kiosks' }),
];
const devices = [
  aDevice({ id: deviceId(2), name: 'web-10' }),
  aDevice({ id: deviceId(1), name: 'web-2' }),
  aDevice({ id: deviceId(3), name: 'kiosk-1', groupId: groupId(30) }),
];
const openssl = aPackage({ name: 'openssl', displayName: 'OpenSSL 3', cves: ['CVE-2026-0001'] });

type Known = Readonly<Record<number, readonly Package[]>>;

function portsWith(
  known: Known,
  over: Partial<Awaited<ReturnType<MissingPatchIndex['query']>>> = {},
  all = devices,
) {
  const { ports } = testPorts({ devices: all, groups });
  const missingPatches: MissingPatchIndex = {
    start: () => {},
    learnPackages: () => {},
    packagesChanged: () => {},
    noteEvents: () => {},
    stop: async () => {},
    query: async ({ groups: wanted }) => ({
      devices: all.filter(({ groupId: id }) => wanted === null || (id !== null && wanted.has(id))),
      known: new Map(
        Object.entries(known).map(([id, packages]) => [deviceId(Number(id)), { asOf: START, packages }]),
      ),
      unread: 0,
      isReading: false,
      seen: NOTHING_SEEN,
      isSeenComplete: true,
      ...over,
    }),
  };
  return { ...ports, missingPatches };
}
const NOTHING_SEEN = { hasName: () => false, hasCve: () => false, names: () => [] };
/** As if these packages had been read on some device, installed or not. */
const seenOf = (...names: readonly string[]) => ({
  ...NOTHING_SEEN,
  hasName: (one: string) => names.includes(one),
  names: () => names,
});
const everybody = { 1: [openssl], 2: [openssl], 3: [openssl] };
const asked = (text: string, ports = portsWith(everybody)) =>
  runCommand(missingCommand, 'missing', text, ports);
const who = async (text: string, known: Known = everybody) =>
  (await asked(text, portsWith(known))).rows.map(({ line }) => line.device.name);

describe('missing', () => {
  it.each([
    'openssl',
    'OPENSSL',
    '"OpenSSL 3"',
    'openssl 3',
    'cve:CVE-2026-0001',
    'cve:2026-0001',
    'CVE-2026-0001',
    'cve-2026-0001',
    '"CVE-2026-0001"',
  ])('finds by “%s” the devices missing it, by the names that people know', async (text) => {
    expect(await who(text)).toEqual(['kiosk-1', 'web-2', 'web-10']);
  });

  it('finds the devices missing a patch for any of several CVEs', async () => {
    const curl = aPackage({ name: 'curl', cves: ['CVE-2026-0002'] });
    for (const between of [' ', ',', ', ', '\n', ' and ']) {
      const ports = portsWith({ 1: [curl], 2: [openssl], 3: [] });
      const { rows, paging } = await asked(`CVE-2026-0001${between}cve-2026-0002`, ports);
      expect(rows.map(({ line }) => line.device.name)).toEqual(['web-2', 'web-10']);
      expect(paging.line?.text).toBe('missing cve:CVE-2026-0001,CVE-2026-0002');
    }
  });

  it('takes a name with a colon in quotes for a package', async () => {
    const zlib = aPackage({ name: 'zlib:amd64' });
    expect(await who('"zlib:amd64"', { 1: [zlib] })).toEqual(['web-2']);
  });

  it.each([
    ['os:windows', ['cve:', 'severity:', 'sort:', 'group:']],
    ['openssl grup:Servers', ['group:', '"grup:Servers"']],
    ['zlib:amd64', ['cve:', 'severity:', 'sort:', 'group:', '"zlib:amd64"']],
    ['openssl -tag:web', ['cve:', 'severity:', 'sort:', 'group:']],
  ])('never takes the filter of “%s” for a name', (text, nearest) => {
    expect(faultOf(missingCommand, text)).toMatchObject({ kind: 'unknown-word', nearest });
  });

  it.each([
    ['no device has it', 'opensl', NOTHING_SEEN, true, 'No package named `opensl` found.'],
    ['it is installed everywhere', 'vim', seenOf('vim'), true, 'No device is missing the `vim` patch.'],
    [
      'installed ones are not all known',
      'vim',
      NOTHING_SEEN,
      false,
      'No missing package is named `vim`. It may be up to date on all devices, or have another name.',
    ],
    [
      'no device has a package for it',
      'CVE-2026-0002',
      NOTHING_SEEN,
      true,
      'No device is missing a patch for `CVE-2026-0002`.',
    ],
    [
      'all have the patch',
      'CVE-2026-0002',
      { ...NOTHING_SEEN, hasCve: () => true },
      true,
      'No device is missing a patch for `CVE-2026-0002`.',
    ],
  ])('distinguishes why no device is missing it: %s', async (_what, text, seen, isSeenComplete, words) => {
    const shown = renderView(await asked(text, portsWith(everybody, { seen, isSeenComplete })));
    expect(JSON.stringify(shown.blocks)).toContain(words);
    expect(shown.text).toContain(words);
    expect(shown.text).not.toContain('0 devices');
  });

  it('names near matches, including installed packages', async () => {
    const seen = seenOf('openssl-libs', 'zsh');
    const expected = { offers: [{ line: '/fleet missing openssl-libs', does: 'run' }] };
    expect(await asked('openssl-lib', portsWith({ 1: [] }, { seen }))).toMatchObject(expected);
  });

  it('names only other packages as similar, and says in which group no device is missing it', async () => {
    const libs = [aPackage({ name: 'openssl-libs', displayName: 'openssl-libs' })];
    const ports = portsWith({ 3: libs }, { seen: seenOf('openssl', 'zsh') });
    const view = await asked('openssl group:Kiosks', ports);
    expect(view).toMatchObject({ rows: [], offers: [{ line: '/fleet missing openssl-libs group:Kiosks' }] });
    expect(renderView(view).text).toContain('No device in Kiosks is missing the `openssl` patch.');
    const none = { ...view, candidates: 0, looked: 0 };
    expect(renderView(none).text).toContain('No device in Kiosks has missing patches.');
  });

  it('calls no count final while some devices are not checked yet', async () => {
    const part = renderView(await asked('openssl', portsWith({ 1: [openssl] })));
    expect(part.text).toContain('1 device is missing the `openssl` patch so far.');
    expect(JSON.stringify(part.blocks)).toContain('*1 device* is missing the `openssl` patch so far.');
    const whole = renderView(await asked('openssl', portsWith({ 1: [openssl], 2: [], 3: [] })));
    expect(`${whole.text}${JSON.stringify(whole.blocks)}`).not.toContain('so far');
  });

  it('says once what all are missing, and of each where they differ', async () => {
    const textOf = async (known: Known) => renderView(await asked('openssl', portsWith(known))).text;
    const same = await textOf(everybody);
    expect(same).toContain('Each device below is missing OpenSSL 3 3.0.14 (high).');
    expect(same.match(/3\.0\.14/g)).toHaveLength(1);
    const differing = await textOf({ ...everybody, 2: [{ ...openssl, version: '3.0.15' }] });
    expect(differing).not.toContain('All of these');
    expect(differing.match(/OpenSSL 3 3\.0\.1[45]/g)).toHaveLength(3);
  });

  it('looks in a group and those below it', async () => {
    expect(await who('openssl group:Servers', { 1: [openssl], 2: [openssl] })).toEqual(['web-2', 'web-10']);
    expect(await asked('openssl group:Servers', portsWith({ 1: [openssl] }))).toMatchObject({
      inGroup: 'Servers',
      paging: { line: { text: 'missing openssl group:Servers' } },
      devices: 2,
      candidates: 2,
      looked: 1,
    });
    const inGroup = 'Servers or Kiosks';
    const paging = { line: { text: 'missing openssl group:Servers,Kiosks' } };
    for (const either of ['group:Servers,Kiosks', 'group:Servers group:Kiosks'])
      expect(await asked(`openssl ${either}`)).toMatchObject({ inGroup, paging, devices: 3 });
  });

  it('offers the nearest of an unknown group', async () => {
    const text = 'openssl group:Servers,Kiosk';
    expect(await runCommand(missingCommand, 'problem', text, portsWith({}))).toMatchObject({
      problem: {
        kind: 'no-such-group',
        query: 'Kiosk',
        nearest: expect.arrayContaining(['Kiosks']),
        offers: expect.arrayContaining([
          expect.objectContaining({
            choice: { command: 'missing', input: expect.objectContaining({ group: ['Servers', 30] }) },
          }),
        ]),
      },
    });
  });

  it('names missing packages with similar names where no device is missing this one', async () => {
    const libs = [aPackage({ name: 'openssl-libs', displayName: 'OpenSSL libraries' })];
    const offers = [{ line: '/fleet missing OpenSSL libraries' }, { line: '/fleet missing openssl-libs' }];
    expect(await asked('openssl', portsWith({ 1: libs, 2: [], 3: [] }))).toMatchObject({ rows: [], offers });
    expect(await asked('cve:CVE-2026-9999', portsWith({ 1: libs }))).toMatchObject({ rows: [], offers: [] });
  });

  it.each([
    ['', { kind: 'missing', what: 'Which package, CVE or severity?' }],
    ['group:Servers', { kind: 'missing', prefill: { group: ['Servers'] } }],
    ['cve:openssl', { kind: 'bad-value', word: 'cve:openssl' }],
    ['openssl cve:CVE-2026-0001', { kind: 'bad-value', expected: 'either a package, CVEs or severities' }],
    ['openssl CVE-2026-0001', { kind: 'bad-value', expected: 'either a package, CVEs or severities' }],
    ['CVE-2026-0001,CVE-2026-63x', { kind: 'bad-value', word: 'CVE-2026-63x' }],
    ['CVE-2026', { kind: 'bad-value', word: 'CVE-2026' }],
    ['openssl -group:a', { kind: 'bad-value' }],
    ['openssl group:', { kind: 'bad-value', expected: 'a value right after the colon' }],
    ['openssl --all', { kind: 'unknown-word' }],
    ['openssl because x', { kind: 'unknown-word' }],
  ])('says what is wrong with “%s”', (text, fault) => {
    expect(faultOf(missingCommand, text)).toMatchObject(fault);
  });

  it('is as new as its newest read, and says how old the oldest is', async () => {
    const old = later(START, -30 * MINUTE);
    const known = new Map([
      [deviceId(1), { asOf: later(START, -MINUTE), packages: [openssl] }],
      [deviceId(2), { asOf: old, packages: [] }],
    ]);
    const view = await asked('openssl', portsWith({}, { known }));
    expect(view.paging.asOf).toBe(later(START, -MINUTE));
    expect(JSON.stringify(renderView(view))).toContain(`Package data from <!date^${old / 1_000}^`);
  });

  it('names the CVEs that no package is about, alone and among others', async () => {
    const one = JSON.stringify(renderView(await asked('CVE-2099-99999')));
    expect(one).toContain('No patch for `CVE-2099-99999` is listed for any device checked');
    const seen = { ...seenOf('openssl'), hasCve: (cve: string) => cve === 'CVE-2024-1234' };
    const view = await asked('CVE-2024-1234,CVE-2099-99999', portsWith({}, { seen }));
    expect(view.unseenCves).toEqual(['CVE-2099-99999']);
  });

  it('says how many devices it knows, and that it continues', async () => {
    const part = await asked('openssl', portsWith({ 1: [openssl] }, { isReading: true, unread: 2 }));
    const words = JSON.stringify(renderView(part));
    expect(words).toContain('1 device is missing the `openssl` patch');
    expect(words).toContain('Checked 1 of 3 devices with missing patches, required by policies or not');
    expect(words).toContain('read the packages of 2 devices');
    expect(words).toContain('missing:on');
    const whole = JSON.stringify(renderView(await asked('openssl')));
    expect(whole).toContain('Checked all 3 devices');
    expect(whole).not.toContain('missing:on');
    const none = JSON.stringify(
      renderView(await asked('vim', portsWith({ 1: [] }, { seen: seenOf('vim') }))),
    );
    expect(none).toContain('No device checked so far is missing the `vim` patch');
  });

  it.each([
    ['openssl', ['web-2', 'web-10', 'z-kiosk']],
    ['openssl sort:name', ['web-2', 'web-10', 'z-kiosk']],
    ['openssl sort:group', ['z-kiosk', 'web-2', 'web-10']],
    ['openssl sort:severity', ['web-10', 'z-kiosk', 'web-2']],
  ])('sorts: %s', async (text, names) => {
    const critical = aPackage({ name: 'openssl', severity: 'critical' });
    const high = aPackage({ name: 'openssl', severity: 'high' });
    const unstated = aPackage({ name: 'openssl', severity: null });
    const all = devices.map((one) => (one.id === 3 ? { ...one, name: 'z-kiosk' } : one));
    const ports = portsWith({ 1: [unstated], 2: [critical], 3: [high] }, {}, all);
    expect((await asked(text, ports)).rows.map(({ line }) => line.device.name)).toEqual(names);
  });

  it('names the nearest of an unknown order', () => {
    expect(faultOf(missingCommand, 'openssl sort:grp')).toMatchObject({
      kind: 'unknown-word',
      word: 'sort:grp',
      nearest: expect.arrayContaining(['sort:group']),
    });
  });

  it('lists the devices anew for its refresh', async () => {
    const looks: (boolean | undefined)[] = [];
    const ports = portsWith(everybody);
    const query: MissingPatchIndex['query'] = (asked) => {
      looks.push(asked.refresh);
      return ports.missingPatches.query(asked);
    };
    const watched = { ...ports, missingPatches: { ...ports.missingPatches, query } };
    const input = { sought: { kind: 'package', name: 'openssl' }, group: ['Servers'] } as const;
    const first = await missingCommand.run(input, 0, watched);
    expect(JSON.stringify(renderView(first))).toContain('refresh');
    await missingCommand.run({ ...input, refresh: true }, 0, watched);
    expect(looks).toEqual([false, true]);
  });

  it('continues from the button with the same query, a page at a time', async () => {
    const all = Array.from({ length: 25 }, (_, at) => aDevice({ id: deviceId(at + 1), name: `web-${at}` }));
    const known = Object.fromEntries(all.map(({ id }) => [id, [openssl]]));
    const ports = portsWith(known, {}, all);
    const first = await asked('openssl', ports);
    expect(first.paging).toMatchObject({ page: 0, pages: 3, total: 25 });
    const last = await missingCommand.run(first.paging.input, 2, ports);
    expect(last).toMatchObject({ kind: 'missing', rows: { length: 5 } });
  });
});

describe('who misses patches of a severity', () => {
  const CONTENT = {
    devices: [
      aDevice({ id: deviceId(1), name: 'web-1' }),
      aDevice({ id: deviceId(2), name: 'web-2' }),
      aDevice({ id: deviceId(3), name: 'kiosk-1', groupId: groupId(30) }),
    ],
    groups: [aGroup(), aGroup({ id: groupId(30), name: 'Kiosks' })],
    packages: [
      aPackage({ severity: 'critical', cves: ['CVE-2026-0001'] }),
      aPackage({ id: 502, name: 'curl', displayName: 'curl', severity: 'high' }),
    ],
  };
  const asked = (text: string, more: Partial<ReadPorts> = {}) =>
    runCommand(missingCommand, 'missing', text, { ...testPorts(CONTENT).ports, ...more });
  const listed = (text: string, more: Partial<ReadPorts> = {}) =>
    runCommand(devicesCommand, 'devices', text, { ...testPorts(CONTENT).ports, ...more });

  describe('missing severity:', () => {
    it('lists the devices missing any patch of it', async () => {
      const view = await asked('severity:critical,high group:Kiosks');
      expect(view.rows.map(({ line, packages }) => [line.device.name, packages.length])).toEqual([
        ['kiosk-1', 2],
      ]);
      expect(view.paging.line?.text).toBe('missing severity:critical,high group:Kiosks');
      expect(renderView(await asked('severity:high')).text).toContain(
        '3 devices are missing patches of high severity.',
      );
      expect((await asked('critical,high')).paging.line?.text).toBe('missing severity:critical,high');
      expect(renderView(await asked('severity:low')).text).toContain(
        'No device is missing patches of low severity.',
      );
    });

    it.each(['openssl severity:high', 'CVE-2026-0001 severity:high', 'severity:worst', '-severity:high'])(
      '%s: is refused',
      (text) => {
        expect(['bad-value', 'unknown-word']).toContain(faultOf(missingCommand, text).kind);
      },
    );
  });

  describe('devices missing:', () => {
    it('says how the packages were read', async () => {
      const text = JSON.stringify(renderView(await listed('missing:openssl')).blocks);
      expect(text).toContain('Checked all 3 devices with missing patches.');
      expect(text).toContain('or later, read device by device.');
      expect(JSON.stringify(renderView(await listed('web')).blocks)).not.toContain('Packages');
    });

    it('asks about a package that no device misses, and about a CVE that is none', async () => {
      const { ports } = testPorts(CONTENT);
      expect((await runCommand(devicesCommand, 'problem', 'missing:opnssl', ports)).problem).toMatchObject({
        kind: 'missing-nowhere',
        devices: 3,
        offers: [{ line: '/fleet devices missing:openssl' }],
      });
      const expected = { nearest: ['missing:critical,high'] };
      expect(faultOf(devicesCommand, 'web severity:critical,high')).toMatchObject(expected);
      expect(faultOf(devicesCommand, '-cve:CVE-2026-0001')).toMatchObject({
        nearest: ['-missing:CVE-2026-0001'],
      });
      expect(faultOf(devicesCommand, 'missing:CVE-26')).toMatchObject({ kind: 'bad-value' });
    });

    it.each([
      ['missing:openssl', 3],
      ['missing:critical group:Kiosks', 1],
      ['missing:CVE-2026-0001 web', 2],
      ['missing:low', 0],
      ['-missing:low', 3],
    ])('%s: %d devices', async (text, total) => {
      expect((await listed(text)).paging.total).toBe(total);
    });

    it('says how many devices were looked at, where that is not all', async () => {
      const { ports } = testPorts(CONTENT);
      const all = await ports.missingPatches.query({ groups: null, waitMs: 0 });
      const missingPatches = { ...ports.missingPatches, query: async () => ({ ...all, known: new Map() }) };
      const view = await listed('missing:openssl', { missingPatches });
      expect(JSON.stringify(renderView(view).blocks)).toContain(
        'Checked 0 of 3 devices with missing patches.',
      );
    });
  });
});

it.each<[string, unknown, readonly string[]]>([
  ['its groups', { group: ['Servers', 30] }, ['20', '30']],
  ['no group, for everywhere', { group: null }, []],
  ['no group that is not there', { group: ['Servers', 'Attic'] }, ['20']],
  ['nothing of what does not fit', { group: {} }, []],
])('the form of missing opens with %s', async (_, input, chosen) => {
  const groups = [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup({ id: groupId(20), name: 'Servers' }),
    aGroup({ id: groupId(30), name: 'Kiosks' }),
  ];
  const opened = await missingForm.open(input, testPorts({ groups }).ports);
  const fields = opened.kind === 'form' ? opened.form.fields : [];
  expect(fields.find((field) => 'id' in field && field.id === 'group')).toMatchObject({
    initial: chosen.map((value) => expect.objectContaining({ value })),
  });
});
