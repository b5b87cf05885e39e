/**
 * Texts that search reads, each at a place of its own, with what it needs to know which of them are worth reading.
 * A place whose text was taken away may be given again.
 */
import { leadingBits, type Network, numberOf4 } from './addresses.ts';
import { createGrams, type Grams } from './grams.ts';
import { createNumbers } from './numbers.ts';
import { ADDRESS, headsOf, namesIn } from './searched.ts';

export type Haystack = {
  /** By their places; "" where there is none. */
  readonly texts: string[];
  /** Of each the names alone. */
  readonly names: () => string[];
  readonly grams: Grams;
  /** Of each where its first two addresses begin, see {@link headsOf}. */
  readonly heads: readonly number[];
  readonly put: (place: number, text: string) => void;
  readonly remove: (place: number) => void;
  /** Places with an address in this network, some of them twice. */
  readonly within: (network: Network) => readonly number[];
};

export function createHaystack(): Haystack {
  const texts: string[] = [];
  const heads: number[] = [];
  const grams = createGrams();
  const addresses = { 4: createNumbers(), 6: createNumbers() };
  /** Null until somebody asks for them: where everybody sees everything, nobody does. */
  let names: string[] | null = null;

  /** Address by address, without a list of them: this is met for every device at the start. */
  const addAddresses = (place: number, text: string): void => {
    for (let at = text.indexOf(ADDRESS); at !== -1; ) {
      const next = text.indexOf(ADDRESS, at + 1);
      const end = next === -1 ? text.length : next;
      const number = numberOf4(text, at + 1, end);
      const leading = number === null ? leadingBits(text.slice(at + 1, end)) : null;
      if (number !== null) addresses[4].add(place, number);
      else if (leading !== null) addresses[leading.family].add(place, leading.number);
      at = next;
    }
  };
  const remove = (place: number): void => {
    const text = texts[place] ?? '';
    if (text === '') return;
    grams.clear(place, text);
    texts[place] = '';
    if (names !== null) names[place] = '';
    addresses[4].clear(place);
    addresses[6].clear(place);
  };
  return {
    texts,
    names: () => {
      names ??= texts.map((text) => (text === '' ? '' : namesIn(text)));
      return names;
    },
    grams,
    heads,
    remove,
    put(place, text) {
      if (texts[place] === text) return;
      remove(place);
      texts[place] = text;
      heads[place] = headsOf(text);
      if (names !== null) names[place] = namesIn(text);
      grams.add(place, text);
      addAddresses(place, text);
    },
    within(network) {
      const { family, number } = network.leading;
      const near = addresses[family].beginning(number, Math.min(network.bits, 32));
      if (network.bits <= 32) return near;
      return near.filter((place) => addressesIn(texts[place] ?? '').some(network.holds));
    },
  };
}

function addressesIn(text: string): readonly string[] {
  return text.split(ADDRESS).slice(1);
}
