import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADDRESS_MARK,
  canonicalAddress,
  FIELD_MARK,
  parseNetwork,
} from '../../../src/inventory/search/search-text.ts';
import { createTextIndex, slotsIn } from '../../../src/inventory/search/text-index.ts';
import { searchTexts } from '../../../src/inventory/search/text-search.ts';
import { property } from '../../harness/property.ts';
import { runs } from '../../harness/runs.ts';

const field = fc.oneof(
  fc.constantFrom('', 'kiosk-berlin', 'web-01', 'old-web-01', 'corp\\jane.smith', 'a', '1', 'ß', '10.1.2.3'),
  fc.stringMatching(/^[abk10.-]{0,8}$/),
);
const text = fc
  .tuple(fc.array(field, { minLength: 1, maxLength: 4 }), fc.array(field, { maxLength: 2 }))
  .map(([fields, addresses]) => [fields.join(FIELD_MARK), ...addresses].join(ADDRESS_MARK));
const word = fc.oneof(
  fc.constantFrom(
    ..."kisok kiossk berlni jnae web we w a 1 - ß kiosk-belrin a's web01 w-eb01 10.1".split(' '),
    ...'.1.2 2.3 10.1.2.3 01 wb-01 wbe01 kioskberlin kisokberlin kiosk.belrin old_web01'.split(' '),
  ),
  fc.stringMatching(/^[abk10.-]{1,6}$/),
);
const words = fc.array(word, { maxLength: 3 });

/** Texts added one after the other; a number removes the text in this slot. */
const changes = fc.array(fc.oneof({ weight: 4, arbitrary: text }, fc.nat(9)), { maxLength: 40 });

function textIndexOf(given: readonly (string | number)[]) {
  const textIndex = createTextIndex();
  for (const change of given) {
    if (typeof change === 'string') textIndex.set(textIndex.texts.length, change);
    else if (change < textIndex.texts.length) textIndex.remove(change);
  }
  return textIndex;
}

describe('finding texts', () => {
  property([changes, words], { numRuns: runs(1_000) })(
    'finds the same, in the same order, as when every text is read',
    (given, wanted) => {
      const { texts, ngrams } = textIndexOf(given);
      const order = Uint32Array.from(texts.keys()).reverse();
      expect(searchTexts({ texts, ngrams, order }, wanted)).toEqual(searchTexts({ texts, order }, wanted));
    },
  );

  property([changes, words, fc.nat(9)])(
    'returns only the first ones with a limit',
    (given, wanted, limit) => {
      const { texts, ngrams } = textIndexOf(given);
      const { slots } = searchTexts({ texts, ngrams }, wanted);
      const first = searchTexts({ texts, ngrams }, wanted, { limit });
      expect([...first.slots]).toEqual([...slots.slice(0, limit)]);
    },
  );

  const FLEET = [
    'web-02',
    'web-12',
    'build-1',
    'build-10',
    'build-11.corp',
    'front network',
    'lnx_7',
    'db02',
    'zükiln-1',
  ];
  it.each([
    ['a hyphen that was left out', 'web02', ['web-02']],
    ['the whole name before longer ones', 'build1', ['build-1', 'build-10', 'build-11.corp']],
    ['a hyphen and a letter that were left out', 'wb02', ['web-02']],
    ['a letter left out of two', 'wb-02', ['web-02']],
    ['a letter too many', 'webb-02', ['web-02']],
    ['letters that changed places, without a hyphen', 'wbe02', ['web-02']],
    ['an extra hyphen', 'db-02', ['db02']],
    ['another separator', 'lnx-7', ['lnx_7']],
    ['a space that was left out', 'frontnetwork', ['front network']],
    ['a dot in place of the hyphen', 'web.12', ['web-12']],
    ['another number', 'web03', []],
    ['a number with a hyphen in it', 'web0-2', []],
    ['too few letters to come near to anything', 'w_', []],
    ['one letter over and over', 'e-e-e-e-e-e-e-e', []],
    ['a slip in the middle of a word, behind a letter beyond ASCII', 'kln-1', []],
  ])('finds names by %s', (_what, typed, expected) => {
    const { texts, ngrams } = textIndexOf(FLEET);
    const hits = searchTexts({ texts, ngrams }, [typed]);
    expect([...hits.slots].map((at) => texts[at])).toEqual(expected);
    expect(hits.isApproximate).toBe(expected.length > 0);
  });

  property([changes, words, fc.nat()])('searches only the slots it is given', (given, wanted, mask) => {
    const { texts, ngrams } = textIndexOf(given);
    const only = Int32Array.of(mask);
    for (const slot of searchTexts({ texts, ngrams }, wanted, { only }).slots) {
      expect(slot < 32 && ((mask >>> slot) & 1) === 1).toBe(true);
    }
  });
});

describe('a network', () => {
  const address = fc.oneof(fc.ipV4(), fc.constantFrom('10.1.2.3', '10.1.3.3', 'fe80::1', '2001:db8::5'));
  const network = fc.constantFrom('10.1.2.0/24', '10.1.0.0/15', '0.0.0.0/0', 'fe80::/10', '2001:db8::/64');
  const put = fc.tuple(fc.nat(5), fc.array(address, { maxLength: 3 }));
  property([fc.array(put, { maxLength: 12 }), network])(
    'has the slots of the texts with an address in it, whatever was there before',
    (puts, asked) => {
      const haystack = createTextIndex();
      const known = new Map<number, readonly string[]>();
      for (const place of [0, 1, 2, 3, 4, 5]) haystack.set(place, FIELD_MARK);
      for (const [place, addresses] of puts) {
        haystack.set(place, [FIELD_MARK, ...addresses].join(ADDRESS_MARK));
        known.set(place, addresses);
      }
      const bounds = parseNetwork(asked);
      const expected = [...known].filter(([, addresses]) =>
        addresses.some((one) => bounds?.isIn(ADDRESS_MARK + one)),
      );
      const found = bounds === null ? [] : slotsIn(haystack.inNetwork(bounds));
      expect(found).toEqual(expected.map(([place]) => place).toSorted());
    },
  );
});

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

  const all = parseNetwork('0.0.0.0/0');
  property([text], { numRuns: runs(2_000) })(
    'is what node:net accepts, anywhere in a search text',
    (address) => {
      expect(all?.isIn(ADDRESS_MARK + address)).toBe(isIPv4(address));
      expect(all?.isIn(['web-1\n\n\n', 'fe80::1', address, 'x'].join(ADDRESS_MARK))).toBe(isIPv4(address));
    },
  );
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

  const given = anAddress4.chain((base) =>
    fc.tuple(fc.constant(base), fc.integer({ min: 0, max: 32 }), near4(base)),
  );
  property([given], { numRuns: runs(500) })('contain what node:net says: IPv4', ([base, bits, address]) => {
    const list = new BlockList();
    list.addSubnet(base, bits, 'ipv4');
    const network = parseNetwork(`${base}/${bits}`);
    const expected = bits === 0 || list.check(address, 'ipv4');
    expect(network?.isIn(ADDRESS_MARK + address)).toBe(expected);
    if (expected) expect(ADDRESS_MARK + address).toContain(network?.hint ?? '?');
  });

  property([anAddress6, fc.integer({ min: 1, max: 128 }), anAddress6, fc.boolean()], { numRuns: runs(500) })(
    'contain what node:net says: IPv6',
    (base, bits, other, same) => {
      const address = same ? canonicalAddress(base) : other;
      const list = new BlockList();
      list.addSubnet(base, bits, 'ipv6');
      const network = parseNetwork(`${base}/${bits}`);
      const expected = list.check(address, 'ipv6');
      expect(network?.isIn(ADDRESS_MARK + address)).toBe(expected);
      if (expected) expect(ADDRESS_MARK + address).toContain(network?.hint ?? '?');
    },
  );

  it('contain no address of the other family', () => {
    expect(parseNetwork('10.0.0.0/8')?.isIn(`${ADDRESS_MARK}fe80::1`)).toBe(false);
    expect(parseNetwork('0.0.0.0/0')?.isIn(`${ADDRESS_MARK}fe80::1`)).toBe(false);
    expect(parseNetwork('fe80::/10')?.isIn(`${ADDRESS_MARK}10.0.0.1`)).toBe(false);
    expect(parseNetwork('::/0')?.isIn(`${ADDRESS_MARK}10.0.0.1`)).toBe(false);
  });
});
