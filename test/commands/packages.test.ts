import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packagesCommand, selectPackages } from '../../src/commands/packages.ts';
import { tokenizeTyped } from '../../src/commands/parser/tokenizer.ts';
import {
  packageQuery,
  packageQueryText,
  readPackageFilters,
} from '../../src/commands/software/package-filters.ts';
import type { Package } from '../../src/fleet/model/resources.ts';
import { later } from '../../src/lib/clock.ts';
import { deviceId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aPackage, START } from '../harness/builders.ts';
import { property } from '../harness/property.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, lineWords, runCommand } from './harness/typed-line.ts';

const list = [
  aPackage({ id: 1, name: 'KB1', displayName: 'Word', severity: 'low', cves: [] }),
  aPackage({
    id: 2,
    name: 'openssl',
    displayName: 'OpenSSL',
    severity: 'critical',
    cves: ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003', 'CVE-2026-0004', 'CVE-2026-0005'],
    exploitedCves: ['CVE-2026-0005'],
    requiresReboot: true,
  }),
  aPackage({ id: 3, name: 'odd', displayName: 'Odd', severity: null, cves: [] }),
  aPackage({ id: 4, name: 'held', displayName: 'Held', severity: 'critical', ignored: true }),
  aPackage({ id: 5, name: 'later', displayName: 'Later', deferredUntil: later(START, 60_000) }),
  aPackage({
    id: 6,
    name: 'openssl-libs',
    displayName: 'OpenSSL libraries',
    installed: true,
    cves: ['CVE-2026-0002'],
  }),
  aPackage({ id: 7, name: 'harmless', displayName: 'Harmless', severity: 'no_known_cves', cves: [] }),
];
const content = { devices: [aDevice(), aDevice({ id: deviceId(5), name: 'front desk' })], packages: list };
const listed = (text: string, page = 0) =>
  runCommand(packagesCommand, 'packages', text, testPorts(content).ports, page);
const namesOf = async (text: string) => (await listed(text)).rows.map(({ name }) => name);

describe('the usage of packages', () => {
  it('lists every severity that is understood', () => {
    expect(packagesCommand.usage).toContain('[severity:critical|high|medium|low|none|unstated]');
  });
});

describe('packages', () => {
  it.each([
    ['web-01', ['openssl', 'KB1', 'harmless', 'odd', 'later', 'held']],
    ['web-01 is:missing', ['openssl', 'KB1', 'harmless', 'odd']],
    ['web-01 is:pending', ['openssl', 'KB1', 'harmless', 'odd', 'later', 'held']],
    ['web-01 is:installed', ['openssl-libs']],
    ['web-01 is:ignored', ['held']],
    ['web-01 is:deferred', ['later']],
    ['web-01 is:ignored,deferred', ['later', 'held']],
    ['web-01 -is:installed', ['openssl', 'KB1', 'harmless', 'odd', 'later', 'held']],
    ['web-01 is:all', ['openssl', 'KB1', 'harmless', 'odd', 'later', 'held', 'openssl-libs']],
    ['web-01 openssl', ['openssl', 'openssl-libs']],
    ['web-01 openssl libraries', ['openssl-libs']],
    ['web-01 openssl is:missing', ['openssl']],
    ['web-01 severity:critical', ['openssl', 'held']],
    ['web-01 severity:CRITICAL,low', ['openssl', 'KB1', 'held']],
    ['web-01 severity:critical severity:low is:missing', ['openssl', 'KB1']],
    ['web-01 -severity:critical is:missing', ['KB1', 'harmless', 'odd']],
    ['web-01 severity:unstated', ['odd']],
    ['web-01 severity:none', ['harmless']],
    ['web-01 cve:cve-2026-0002', ['openssl', 'openssl-libs']],
    ['web-01 cve:2026-0005', ['openssl']],
    ['web-01 CVE-2026-0005', ['openssl']],
    ['web-01 cve-2026-0002 libs', ['openssl-libs']],
    ['web-01 is:all sort:name', ['harmless', 'held', 'later', 'odd', 'openssl', 'openssl-libs', 'KB1']],
    ['web-01 is:all sort:installed', ['openssl-libs', 'harmless', 'odd', 'openssl', 'KB1', 'later', 'held']],
    ['web-01 is:all sort:severity', ['openssl', 'held', 'later', 'openssl-libs', 'KB1', 'harmless', 'odd']],
  ])('lists for “%s”', async (text, names) => {
    expect(await namesOf(text)).toEqual(names);
  });

  it.each([
    ['', { kind: 'missing', what: 'Which device?' }],
    ['web-01 is:gone', { kind: 'unknown-word', word: 'is:gone' }],
    ['web-01 is:', { kind: 'bad-value', expected: 'a value right after the colon' }],
    ['web-01 severity:hihg', { kind: 'unknown-word', nearest: ['severity:high'] }],
    ['CVE-2026-0005', { kind: 'missing', what: 'Which device?' }],
    ['web-01 CVE-2026', { kind: 'bad-value', word: 'CVE-2026' }],
    ['web-01 cve:openssl', { kind: 'bad-value', expected: 'a CVE, such as cve:CVE-2026-1234' }],
    ['web-01 sort:size', { kind: 'unknown-word', word: 'sort:size' }],
    ['web-01 -sort:name', { kind: 'unknown-word' }],
    ['web-01 nmae:x', { kind: 'unknown-word', word: 'nmae:x' }],
    ['web-01 --all', { kind: 'unknown-word', word: '--all' }],
    ['web-01 because x', { kind: 'unknown-word', word: 'because' }],
  ])('says what is wrong with “%s”', (text, fault) => {
    expect(faultOf(packagesCommand, text)).toMatchObject(fault);
  });

  it('counts all packages by their state, and the missing ones by severity, whatever is shown', async () => {
    expect(await listed('web-01 is:installed')).toMatchObject({
      question: 'is:installed',
      isDefault: false,
      counts: { missing: 4, deferred: 1, ignored: 1, installed: 1 },
      severities: [
        { severity: 'critical', count: 1 },
        { severity: 'low', count: 1 },
        { severity: 'no_known_cves', count: 1 },
        { severity: null, count: 1 },
      ],
      paging: { total: 1 },
    });
  });

  it('takes a name of several words for the device, where there is one of that name', async () => {
    expect((await listed('front desk')).device.id).toBe(5);
    expect((await listed('"front desk" openssl')).question).toBe('openssl');
    expect((await listed('web-01 openssl')).device.id).toBe(1001);
  });

  it('keeps the query on the next page and in the picker', async () => {
    const view = await listed('web-01 openssl severity:critical sort:name');
    const { ports } = testPorts(content);
    const again = await packagesCommand.run(view.paging.input, 0, ports);
    expect(again).toMatchObject({ kind: 'packages', question: 'openssl severity:critical sort:name' });
    const twins = [aDevice(), aDevice({ id: deviceId(9) })];
    const read = testPorts({ ...content, devices: twins });
    const picker = await runCommand(packagesCommand, 'picker', 'web-01 severity:low', read.ports);
    expect(picker.choices.map(({ input }) => input)).toMatchObject([
      { device: 9, filters: [{ key: 'severity', value: 'low' }] },
      { device: 1001 },
    ]);
  });

  it('takes the input of a button that names the device alone', async () => {
    const view = await packagesCommand.run({ device: 1001 }, 0, testPorts(content).ports);
    expect(view).toMatchObject({ kind: 'packages', isDefault: true });
  });

  it('marks reboots, and names CVEs with those known to be exploited first and the rest counted', async () => {
    const { blocks, plain } = renderView(await listed('web-01'));
    const words = JSON.stringify([plain, blocks.find(({ type }) => type === 'table')]);
    expect(words).toContain(
      '*OpenSSL* `openssl` 3.0.14 · missing · critical · CVE-2026-0005 (known exploited), CVE-2026-0001, CVE-2026-0002, and 2 more · score 7.5 · reboot required',
    );
    expect(words).toContain('CVE-2026-0005 (exploited), CVE-2026-0001, CVE-2026-0002, and 2 more');
    expect(words).toMatch(/OpenSSL.{0,80}critical.{0,180}required.{0,40}3\.0\.14/);
    expect(words).toContain(
      '6 not installed: 4 missing patches (1 critical, 1 low, 1 no known CVEs, 1 without severity), 1 deferred, 1 ignored; 1 installed',
    );
    expect(words).toContain('1 of the missing packages');
  });

  it.each<[Partial<Package>, string, string]>([
    [{ cveScore: 9.8, epssScore: 0.943 }, 'CVE-2026-0001 · score 9.8, EPSS 94%', '"9.8, EPSS 94%"'],
    [{ cveScore: null, epssScore: 0.0004 }, 'CVE-2026-0001 · EPSS under 1%', '"EPSS under 1%"'],
    [{ cveScore: null }, 'missing · high · CVE-2026-0001"', '"CVE-2026-0001"'],
    [{ ignored: true, ignoredBy: ['device'] }, 'ignored on the device ·', '"ignored on the device"'],
    [
      { ignored: true, ignoredBy: ['device', 'group'] },
      'ignored on the device and by its group ·',
      '"ignored on the device and by its group"',
    ],
    [{ ignored: true }, 'ignored ·', '"ignored"'],
    [
      { deferredUntil: later(START, 60_000), deferredBy: ['group'] },
      'deferred by its group until ',
      '"deferred by its group until "',
    ],
  ])('of %j are listed with it, as a row and in the table', async (over, row, cell) => {
    const { ports } = testPorts({ ...content, packages: [aPackage(over)] });
    const { plain, blocks } = renderView(
      await runCommand(packagesCommand, 'packages', 'web-01 is:all', ports),
    );
    expect(JSON.stringify(plain)).toContain(row);
    expect(JSON.stringify(blocks.find(({ type }) => type === 'table'))).toContain(cell);
  });

  it('defines missing and pending patches where their numbers differ', async () => {
    const notes = async (pendingPatches: number | null) => {
      const { ports } = testPorts({ ...content, devices: [aDevice({ pendingPatches })] });
      return renderView(await runCommand(packagesCommand, 'packages', 'web-01', ports)).text;
    };
    const words = 'Pending patches (2) are those that policies require.';
    expect(await notes(2)).toContain(words);
    for (const number of [4, null]) expect(await notes(number)).not.toContain('Pending patches');
  });

  it('says that nothing of a name is installed, and nothing missing', async () => {
    expect(renderView(await listed('web-01 zoom')).text).toContain(
      'No package named `zoom` is installed on web-01, and none is missing.',
    );
    expect(renderView(await listed('web-01 is:installed zoom')).text).toContain('No packages match.');
  });

  it('says where the service states no severity at all', async () => {
    const bare = list.map((item) => ({ ...item, severity: null }));
    const { ports } = testPorts({ ...content, packages: bare });
    const view = await runCommand(packagesCommand, 'packages', 'web-01 severity:critical', ports);
    const words = JSON.stringify(renderView(view).blocks);
    expect(words).toContain('The management service gives no severity for these missing packages.');
    expect(words).toContain('No packages match.');
  });

  it('leads from pending packages to all and back', async () => {
    const view = await listed('web-01');
    const { ports } = testPorts(content);
    const all = await packagesCommand.run(view.other.input, 0, ports);
    expect(all).toMatchObject({ kind: 'packages', question: 'is:all', paging: { total: 7 } });
    if (all.kind !== 'packages') throw new Error(all.kind);
    expect(await packagesCommand.run(all.other.input, 0, ports)).toMatchObject({ isDefault: true });
  });
});

const anyFilter = fc.oneof(
  fc.record({
    key: fc.constant('is' as const),
    value: fc.constantFrom('missing', 'installed', 'ignored', 'deferred', 'pending', 'all'),
    negated: fc.boolean(),
  }),
  fc.record({
    key: fc.constant('severity' as const),
    value: fc.constantFrom('critical', 'high', 'medium', 'low', 'none', 'unstated'),
    negated: fc.boolean(),
  }),
  fc.record({
    key: fc.constant('cve' as const),
    value: fc.integer({ min: 1_000, max: 99_999 }).map((number) => `CVE-2026-${number}`),
    negated: fc.boolean(),
  }),
);
const anyQuery = fc.record({
  words: fc.array(
    fc.stringMatching(/^[a-z0-9]{1,8}$/).filter((word) => word !== 'because'),
    { maxLength: 2 },
  ),
  filters: fc.array(anyFilter, { maxLength: 4 }),
  sort: fc.constantFrom(null, 'severity', 'name', 'installed'),
});

describe('queries of packages', () => {
  property([anyQuery])('read back as they are written', (given) => {
    const query = packageQuery.parse(given);
    const words = lineWords(packageQueryText(query));
    const filters = readPackageFilters(words.filters);
    expect(filters).toEqual({ kind: 'input', input: { filters: query.filters, sort: query.sort } });
    expect(words.free).toEqual(query.words);
  });

  it('with a package named like the word between filters read back as well', () => {
    const query = packageQuery.parse({ words: ['or'], filters: [], sort: 'severity' });
    expect(tokenizeTyped(packageQueryText(query))).toMatchObject({ words: { free: ['or'], flags: [] } });
  });

  property([anyQuery])(
    'never list a package twice, nor one that is not there, nor more than all',
    (given) => {
      const found = selectPackages(list, packageQuery.parse(given), START);
      expect(new Set(found).size).toBe(found.length);
      expect(found.every((item) => list.includes(item))).toBe(true);
    },
  );
});
