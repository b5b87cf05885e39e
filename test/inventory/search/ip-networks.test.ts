import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADDRESS_MARK, canonicalAddress, parseNetwork } from '../../../src/inventory/search/search-text.ts';
import { runs } from '../../harness/runs.ts';

describe('addresses', () => {
  it.each([
    ['FE80:0:0:0::1', 'fe80::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:0DB8::00A0', '2001:db8::a0'],
    ['10.0.0.1', '10.0.0.1'],
    ['web-01', 'web-01'],
    ['cpu-50%-spare', 'cpu-50%-spare'],
    ['%', '%'],
    ['', ''],
  ])('have one form: %s', (text, form) => {
    expect(canonicalAddress(text)).toBe(form);
  });
});

describe('an IPv4 address', () => {
  const sign = fc.constantFrom(...'0125.9 a:');
  const octets = fc.array(fc.constantFrom('0', '00', '01', '9', '10', '255', '256', '1000', ''), {
    maxLength: 5,
  });
  const text = fc.oneof(
    fc.ipV4(),
    fc.string({ unit: sign }),
    octets.map((parts) => parts.join('.')),
  );

  it('is what node:net accepts, anywhere in a search text', () => {
    const all = parseNetwork('0.0.0.0/0');
    fc.assert(
      fc.property(text, (address) => {
        expect(all?.isIn(ADDRESS_MARK + address)).toBe(isIPv4(address));
        expect(all?.isIn(['web-1\n\n\n', 'fe80::1', address, 'x'].join(ADDRESS_MARK))).toBe(isIPv4(address));
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('networks', () => {
  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0/8',
    'web/24',
    '/8',
    'fe80::/129',
    'fe80:::/10',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
  ])('are invalid: %s', (word) => {
    expect(parseNetwork(word)).toBeNull();
  });

  const anAddress4 = fc.ipV4();
  const anAddress6 = fc.ipV6().map(canonicalAddress).filter(isIPv6);
  /** Addresses close to the network, so that some of them are in it. */
  const near4 = (base: string) =>
    fc
      .tuple(fc.integer({ min: 0, max: 4 }), anAddress4)
      .map(([kept, other]) => [...base.split('.').slice(0, kept), ...other.split('.').slice(kept)].join('.'));

  it('contain what node:net says: IPv4', () => {
    const given = anAddress4.chain((base) =>
      fc.tuple(fc.constant(base), fc.integer({ min: 0, max: 32 }), near4(base)),
    );
    fc.assert(
      fc.property(given, ([base, bits, address]) => {
        const list = new BlockList();
        list.addSubnet(base, bits, 'ipv4');
        const network = parseNetwork(`${base}/${bits}`);
        const expected = bits === 0 || list.check(address, 'ipv4');
        expect(network?.isIn(ADDRESS_MARK + address)).toBe(expected);
        if (expected) expect(ADDRESS_MARK + address).toContain(network?.hint ?? '?');
      }),
      { numRuns: runs(500) },
    );
  });

  it('contain what node:net says: IPv6', () => {
    fc.assert(
      fc.property(
        anAddress6,
        fc.integer({ min: 1, max: 128 }),
        anAddress6,
        fc.boolean(),
        (base, bits, other, same) => {
          const address = same ? canonicalAddress(base) : other;
          const list = new BlockList();
          list.addSubnet(base, bits, 'ipv6');
          const network = parseNetwork(`${base}/${bits}`);
          const expected = list.check(address, 'ipv6');
          expect(network?.isIn(ADDRESS_MARK + address)).toBe(expected);
          if (expected) expect(ADDRESS_MARK + address).toContain(network?.hint ?? '?');
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('contain no address of the other family', () => {
    expect(parseNetwork('10.0.0.0/8')?.isIn(`${ADDRESS_MARK}fe80::1`)).toBe(false);
    expect(parseNetwork('0.0.0.0/0')?.isIn(`${ADDRESS_MARK}fe80::1`)).toBe(false);
    expect(parseNetwork('fe80::/10')?.isIn(`${ADDRESS_MARK}10.0.0.1`)).toBe(false);
    expect(parseNetwork('::/0')?.isIn(`${ADDRESS_MARK}10.0.0.1`)).toBe(false);
  });
});
