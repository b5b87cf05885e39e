/**
 * Texts that search reads, each at a place of its own, with what it needs to know which of them are worth reading.
 * A place whose text was taken away may be given again.
 */
import { leadingBits, type Network } from './addresses.ts';
import { createGrams, type Grams } from './grams.ts';
import { createNumbers } from './numbers.ts';
import { ADDRESS } from './searched.ts';

export type Haystack = {
  /** By their places; "" where there is none. */
  readonly texts: string[];
  readonly grams: Grams;
  readonly put: (place: number, text: string) => void;
  readonly remove: (place: number) => void;
  /** Places with an address in this network, some of them twice. */
  readonly within: (network: Network) => readonly number[];
};

export function createHaystack(): Haystack {
  const texts: string[] = [];
  const grams = createGrams();
  const addresses = { 4: createNumbers(), 6: createNumbers() };

  const remove = (place: number): void => {
    const text = texts[place] ?? '';
    if (text !== '') grams.clear(place, text);
    texts[place] = '';
    addresses[4].clear(place);
    addresses[6].clear(place);
  };
  return {
    texts,
    grams,
    remove,
    put(place, text) {
      if (texts[place] === text) return;
      remove(place);
      texts[place] = text;
      grams.add(place, text);
      const leading = addressesIn(text).flatMap((address) => leadingBits(address) ?? []);
      for (const { family, number } of leading) addresses[family].add(place, [number]);
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
