import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventReader, parsePatches } from '../../../src/fleet/schema/event.ts';
import { deviceId, organizationId, policyId, serviceUserId } from '../../../src/lib/ids.ts';
import { property } from '../../harness/property.ts';
import { event, recorded } from '../fixtures.ts';
import { rowIn } from './rows-of.ts';

const eventOf = (row: unknown, organization = 7) =>
  rowIn(eventReader({ organizationId: organizationId(organization) })(row));
const withData = (data: unknown) => eventOf(event(1, { data }));

describe('an event', () => {
  const published = recorded('events-published.json');
  const samples: readonly unknown[] = Array.isArray(published) ? published.map(({ sample }) => sample) : [];

  it('is read as published, without the fields that a removal lacks', () => {
    expect(eventOf(samples[0], 1234)).toEqual({
      id: 1234,
      name: 'system.delete',
      userId: null,
      deviceId: 1234,
      deviceName: 'hostname-1',
      policyId: null,
      policyName: null,
      createTime: Date.UTC(2021, 11, 16, 6, 20, 38, 153),
      patches: [],
      failure: null,
      text: null,
      exitCode: null,
      operatingSystem: 'Ubuntu',
      address: '192.168.0.1',
      notificationResponse: null,
      scheduledTime: null,
    });
  });

  it('is read as published, with data of every kind at once', () => {
    expect(eventOf(samples[1], 8427961)).toEqual({
      id: 123456,
      name: 'system.add',
      userId: 754125,
      deviceId: 621453,
      deviceName: 'My New Device',
      policyId: 123456,
      policyName: 'Test Policy',
      createTime: Date.UTC(2021, 0, 1),
      patches: [{ name: 'KB123456', version: null, displayName: null }],
      failure: null,
      text: 'This is a test message',
      exitCode: 1,
      operatingSystem: 'Windows',
      address: '192.168.0.23',
      notificationResponse: null,
      scheduledTime: null,
    });
  });

  it.each([[null], [undefined], [{}], [[]], ['text'], [[null]], [5]])('is read with data %j', (data) => {
    expect(withData(data)).toMatchObject({ id: 1, patches: [], failure: null, text: null, exitCode: null });
  });

  it.each([
    [0, 0],
    ['0', 0],
    [1, 1],
    ['-1073741502', -1073741502],
    [-1073741502, -1073741502],
    [3221225794, -1073741502],
    [2147483647, 2147483647],
    [4294967296, null],
    ['0xC0000142', -1073741502],
    ['0x80070643', -2147023293],
    [' 0x0 ', 0],
    ['0x100000000', null],
    ['0x', null],
    [1.5, null],
    ['', null],
    ['failed', null],
    [null, null],
    [{}, null],
  ])('has an exit code from status %j', (status, expected) => {
    expect(withData({ status }).exitCode).toBe(expected);
  });

  it('keeps the reason, also an empty one', () => {
    expect(withData({ failure: 'KB123456' }).failure).toBe('KB123456');
    expect(withData({ failure: '' }).failure).toBe('');
  });

  it('takes its patches from a list too, and from an unusual row', () => {
    const names = (row: unknown) => eventOf(row).patches.map(({ name }) => name);
    expect(names(event(1, { data: { patches: ['a', 'b|1|B|r|0'] } }))).toEqual(['a', 'b']);
    expect(names(event(1, { name: 5, data: { patches: ['a', null, 'b'] } }))).toEqual(['a', 'b']);
    expect(names(event(1, { name: 5, data: { patches: '"a" "b"' } }))).toEqual(['a', 'b']);
  });

  it('has the device name from its data when only the data names it', () => {
    expect(eventOf(event(1, { server_name: null, data: { systemname: 'web-09' } })).deviceName).toBe(
      'web-09',
    );
  });

  it.each([
    ['device', { deviceId: deviceId(43) }],
    ['policy', { policyId: policyId(3) }],
    ['user', { userId: serviceUserId(9) }],
    ['name', { name: 'system.add' }],
  ])('of another %s than the requested one is foreign', (_, asked) => {
    const readRow = eventReader({ organizationId: organizationId(7), ...asked });
    const row = event(1, { policy_id: 4, user_id: 8 });
    expect(readRow(row).kind).toBe('foreign');
    const right = { server_id: 43, policy_id: 3, user_id: 9, name: 'system.add' };
    expect(readRow({ ...row, ...right }).kind).toBe('row');
  });

  it('keeps an unknown name', () => {
    expect(eventOf(event(1, { name: 'device.new_thing' })).name).toBe('device.new_thing');
  });
});

const named = (name: string, version: string | null = null, displayName: string | null = null) => ({
  name,
  version,
  displayName,
});

describe('the patches of an event', () => {
  it.each([
    [
      'quoted names',
      '"brave-browser" "python3-gpg" "libc-ares2"',
      [named('brave-browser'), named('python3-gpg'), named('libc-ares2')],
    ],
    [
      'quoted tokens',
      '"a|1|App A|r|0","b|2|App B|r|1"',
      [named('a', '1', 'App A'), named('b', '2', 'App B')],
    ],
    ['bare tokens', 'a|1|App A|r|0,b|2|App B|r|1', [named('a', '1', 'App A'), named('b', '2', 'App B')]],
    [
      'bare tokens with spaces between',
      'a|1|App A|r|0, b|2|App B|r|1 ',
      [named('a', '1', 'App A'), named('b', '2', 'App B')],
    ],
    [
      'a display name with commas',
      'KB1|1|Update, for A|r|0,KB2|2|B, C|r|1',
      [named('KB1', '1', 'Update, for A'), named('KB2', '2', 'B, C')],
    ],
    ['one token with commas', 'KB1|1|Update, for A|r|0', [named('KB1', '1', 'Update, for A')]],
    ['tokens without an end mark', 'a|1,b|2', [named('a', '1'), named('b', '2')]],
    ['some tokens quoted', '"a|1|App A|r|0",b|2|B|r|1', [named('a', '1', 'App A'), named('b', '2', 'B')]],
    ['a quoted name with spaces', '"Two Words" "b"', [named('Two Words'), named('b')]],
    ['names with commas between', 'KB1, KB2,KB3', [named('KB1'), named('KB2'), named('KB3')]],
    ['names with spaces between', 'KB1 KB2\nKB3', [named('KB1'), named('KB2'), named('KB3')]],
    ['one name', 'KB123456', [named('KB123456')]],
    ['a quote left open', '"a" "b', [named('a'), named('b')]],
    ['empty fields', 'a||', [named('a')]],
    ['a token without a name', '|1|App|r|0', []],
    ['nothing', '', []],
    ['separators only', ' , "", |', []],
  ])('are read from %s', (_, text, expected) => {
    expect(parsePatches(text)).toEqual(expected);
  });

  it('are read from the published forms', () => {
    const forms = recorded('event-data-patches-strings.json');
    const texts: readonly string[] = Array.isArray(forms) ? forms.map(({ text }) => String(text)) : [];
    expect(texts.slice(0, 2).map((text) => parsePatches(text).map(({ name }) => name))).toEqual([
      ['brave-browser', 'python3-gpg', 'libc-ares2'],
      ['name', 'name2'],
    ]);
  });

  it('are none when the event has none', () => {
    expect(parsePatches(null)).toEqual([]);
    expect(parsePatches([])).toEqual([]);
  });

  const word = fc.stringMatching(/^[\w.{}:+-]{1,12}$/);
  const patch = fc.record({
    name: word,
    version: word,
    displayName: fc.stringMatching(/^\w[\w, ()]{0,20}\w$/),
  });
  property([fc.array(patch, { minLength: 1, maxLength: 6 }), fc.boolean()])(
    'are read back whatever their names and display names are',
    (patches, quoted) => {
      const quote = quoted ? '"' : '';
      const text = patches
        .map((p) => `${quote}${p.name}|${p.version}|${p.displayName}|repo|1${quote}`)
        .join(',');
      expect(parsePatches(text)).toEqual(patches);
    },
  );

  property([fc.string({ unit: fc.constantFrom('"', '|', ',', ' ', '0', '1', 'a', 'é') })])(
    'never fail, and never have an empty name',
    (text) => {
      for (const { name } of parsePatches(text)) expect(name.trim()).not.toBe('');
    },
  );
});
