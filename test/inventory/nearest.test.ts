import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest, nearestOrAny } from '../../src/inventory/nearest.ts';

describe('the nearest names', () => {
  it.each([
    ['a slip', 'rebot', ['scan', 'reboot', 'queue'], ['reboot']],
    ['two letters that changed places', 'devcie', ['device', 'events'], ['device']],
    ['half of the letters', 'abcd', ['abxy', 'axyz'], ['abxy']],
    ['nothing shared', 'xy', ['01', 'os', 'pq'], []],
    ['a part of the name', 'server', ['Linux servers', 'Web'], ['Linux servers']],
    ['a slip in one word of the name', 'linx', ['Linux servers', 'Laptops'], ['Linux servers']],
    ['more than the name', 'web-01.example.org', ['web-01', 'db'], ['web-01']],
    ['a name twice, and once more in capitals', 'opnssl', ['openssl', 'openssl', 'OpenSSL'], ['openssl']],
    ['nothing', '', ['', 'a'], []],
  ])('for %s', (_what, query, names, expected) => {
    expect(nearest(query, names)).toEqual(expected);
  });

  it('are the least far where nothing is near and something is wanted all the same', () => {
    expect(nearestOrAny('xy', ['01', 'os', 'pqrst'])).toEqual(['01', 'os', 'pqrst']);
    expect(nearestOrAny('rebot', ['scan', 'reboot'])).toEqual(['reboot']);
  });

  it('are names that were given, each once, and as many as wanted', () => {
    const names = fc.array(fc.string({ maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), names, fc.nat(4), (query, given, count) => {
        const found = nearest(query, given, count);
        expect(found.length).toBeLessThanOrEqual(count);
        expect(new Set(found).size).toBe(found.length);
        for (const name of found) expect(given).toContain(name);
      }),
    );
  });
});
