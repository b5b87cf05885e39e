/**
 * Ranks how a word matches the dotted text of an IPv4 address, computed from the address as a number. When every
 * device of a network matches, reading their texts would take most of the time. Pure.
 */
import { EXACT, PREFIX, SUBSTRING, WORD_START } from './match-rank.ts';

/** The rank, or {@link NO_MATCH}. */
export type AddressRanker = (address: number) => number;

export const NO_MATCH = 255;

const OCTETS = 4;
/** How an octet matches the word: not at all, in the middle, from its first digit, or completely. */
const [NOT, INSIDE, START, WHOLE] = [0, 1, 2, 3];

/** Null: no address contains the word. */
export function createAddressRanker(word: string): AddressRanker | null {
  const parts = word.split('.');
  if (word === '' || parts.length > OCTETS || !parts.every((part) => /^\d{0,3}$/.test(part))) return null;
  const [first = '', ...others] = parts;
  const last = others.pop();
  const middle = others.map(Number);
  if (others.some((part) => !isOctet(part))) return null;
  const begins = octetTable((octet) =>
    last === undefined ? octetContains(octet, first) : octetEndsWith(octet, first),
  );
  if (last === undefined) return (address) => rankDigits(address, begins);
  const ends = octetTable((octet) => octetStartsWith(octet, last));
  const dots = middle.length + 1;
  return (address) => {
    let best = NO_MATCH;
    for (let at = 0; at + dots < OCTETS; at += 1) {
      const begin = begins[octetOf(address, at)] ?? NOT;
      const end = ends[octetOf(address, at + dots)] ?? NOT;
      if (begin === NOT || end === NOT || !holdsAt(address, at + 1, middle)) continue;
      if (at === 0 && begin === WHOLE) return dots === OCTETS - 1 && end === WHOLE ? EXACT : PREFIX;
      best = Math.min(best, begin === WHOLE ? WORD_START : SUBSTRING);
    }
    return best;
  };
}

function rankDigits(address: number, begins: Uint8Array): number {
  let best = NO_MATCH;
  for (let at = 0; at < OCTETS; at += 1) {
    const begin = begins[octetOf(address, at)] ?? NOT;
    if (begin === NOT) continue;
    if (begin === INSIDE) best = Math.min(best, SUBSTRING);
    else if (at === 0) return PREFIX;
    else best = WORD_START;
  }
  return best;
}

function holdsAt(address: number, from: number, octets: readonly number[]): boolean {
  for (let at = 0; at < octets.length; at += 1) {
    if (octetOf(address, from + at) !== octets[at]) return false;
  }
  return true;
}

function octetOf(address: number, at: number): number {
  return (address >>> (24 - 8 * at)) & 0xff;
}

function octetTable(how: (octet: string) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, octet) => how(`${octet}`));
}

function octetContains(octet: string, digits: string): number {
  if (octet.startsWith(digits)) return START;
  return octet.includes(digits) ? INSIDE : NOT;
}

/** Matches what stands before the first dot of the word; a word that starts with a dot matches any octet. */
function octetEndsWith(octet: string, digits: string): number {
  if (octet === digits) return WHOLE;
  return octet.endsWith(digits) ? INSIDE : NOT;
}

/** Matches what stands after the last dot of the word. */
function octetStartsWith(octet: string, digits: string): number {
  if (octet === digits) return WHOLE;
  return octet.startsWith(digits) ? START : NOT;
}

function isOctet(digits: string): boolean {
  return digits === `${Number(digits)}` && Number(digits) < 256;
}
