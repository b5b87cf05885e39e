import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressRanker, NO_MATCH } from '../../../src/inventory/search/address-rank.ts';
import { parseIpv4 } from '../../../src/inventory/search/ip-networks.ts';
import { EXACT, PREFIX, SUBSTRING, WORD_START } from '../../../src/inventory/search/match-rank.ts';

function rankIn(word: string, address: string): number {
  return createAddressRanker(word)?.(parseIpv4(address, 0, address.length) ?? 0) ?? NO_MATCH;
}

/** The same result by reading the text. */
function readIn(word: string, address: string): number {
  if (address === word) return EXACT;
  if (address.startsWith(word)) return PREFIX;
  if (!word.startsWith('.') && address.includes(`.${word}`)) return WORD_START;
  return address.includes(word) ? SUBSTRING : NO_MATCH;
}

describe('a word in an IPv4 address', () => {
  it.each([
    ['10.20.30.40', '10.20.30.40', EXACT],
    ['10', '10.20.30.40', PREFIX],
    ['10.2', '10.20.30.40', PREFIX],
    ['20', '10.20.30.40', WORD_START],
    ['30.40', '10.20.30.40', WORD_START],
    ['0.3', '10.20.30.40', SUBSTRING],
    ['.', '10.20.30.40', SUBSTRING],
    ['.40', '10.20.30.40', SUBSTRING],
    ['20.', '10.20.30.40', WORD_START],
    ['10', '210.0.0.110', SUBSTRING],
    ['255.255', '0.255.255.0', WORD_START],
    ['40.', '10.20.30.40', NO_MATCH],
    ['10.020', '10.20.30.40', NO_MATCH],
    ['1..2', '1.2.3.4', NO_MATCH],
    ['web', '1.2.3.4', NO_MATCH],
    ['1.2.3.4.5', '1.2.3.4', NO_MATCH],
    ['', '1.2.3.4', NO_MATCH],
  ])('%s ranks in %s as in its text', (word, address, rank) => {
    expect(rankIn(word, address)).toBe(rank);
  });

  it('ranks as in the text, whatever both are', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc
        .array(fc.constantFrom('1', '10', '11', '101', '0', '255'), { minLength: 4, maxLength: 4 })
        .map((parts) => parts.join('.')),
    );
    const part = fc
      .tuple(address, fc.nat(14), fc.nat(15))
      .map(([text, from, length]) => text.slice(from, from + length + 1));
    const word = fc.oneof(part, fc.stringMatching(/^[0125.]{1,9}$/)).filter((text) => text !== '');
    fc.assert(
      fc.property(word, address, (typed, text) => {
        expect(rankIn(typed, text)).toBe(readIn(typed, text));
      }),
      { numRuns: 3_000 },
    );
  });
});
