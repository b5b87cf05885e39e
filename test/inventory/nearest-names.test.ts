import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedWords, nearestNames, nearestNamesOrAll } from '../../src/inventory/nearest-names.ts';

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
