import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADDRESS_MARK, FIELD_MARK, parseNetwork } from '../../../src/inventory/search/search-text.ts';
import { createTextIndex, slotsIn } from '../../../src/inventory/search/text-index.ts';
import { searchTexts } from '../../../src/inventory/search/text-search.ts';
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
    'kisok',
    'kiossk',
    'berlni',
    'jnae',
    'web',
    'we',
    'w',
    'a',
    '1',
    '-',
    'ß',
    'kiosk-belrin',
    "a's",
    'web01',
    'w-eb01',
    '10.1',
    '.1.2',
    '2.3',
    '10.1.2.3',
    '01',
    'wb-01',
    'wbe01',
    'kioskberlin',
    'kisokberlin',
    'kiosk.belrin',
    'old_web01',
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
  it('finds the same, in the same order, as when every text is read', () => {
    fc.assert(
      fc.property(changes, words, (given, wanted) => {
        const { texts, ngrams } = textIndexOf(given);
        const order = Uint32Array.from(texts.keys()).reverse();
        expect(searchTexts({ texts, ngrams, order }, wanted)).toEqual(searchTexts({ texts, order }, wanted));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('returns only the first ones with a limit', () => {
    fc.assert(
      fc.property(changes, words, fc.nat(9), (given, wanted, limit) => {
        const { texts, ngrams } = textIndexOf(given);
        const { slots } = searchTexts({ texts, ngrams }, wanted);
        const first = searchTexts({ texts, ngrams }, wanted, { limit });
        expect([...first.slots]).toEqual([...slots.slice(0, limit)]);
      }),
    );
  });

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

  it('searches only the slots it is given', () => {
    fc.assert(
      fc.property(changes, words, fc.nat(), (given, wanted, mask) => {
        const { texts, ngrams } = textIndexOf(given);
        const only = Int32Array.of(mask);
        for (const slot of searchTexts({ texts, ngrams }, wanted, { only }).slots) {
          expect(slot < 32 && ((mask >>> slot) & 1) === 1).toBe(true);
        }
      }),
    );
  });
});

describe('a network', () => {
  it('has the slots of the texts with an address in it, whatever was there before', () => {
    const address = fc.oneof(fc.ipV4(), fc.constantFrom('10.1.2.3', '10.1.3.3', 'fe80::1', '2001:db8::5'));
    const network = fc.constantFrom('10.1.2.0/24', '10.1.0.0/15', '0.0.0.0/0', 'fe80::/10', '2001:db8::/64');
    const put = fc.tuple(fc.nat(5), fc.array(address, { maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(put, { maxLength: 12 }), network, (puts, asked) => {
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
      }),
    );
  });
});
