/** The texts that search reads, each in a numbered slot, with their n-gram index. A freed slot may be used again. */
import { type Bitmap, emptyBitmap, forEachSlot, fullBitmap, setBit } from './bitmap.ts';
import type { Network } from './ip-networks.ts';
import { createNgramIndex, type NgramIndex } from './ngram-index.ts';
import { withNamesOnly } from './search-text.ts';

/** What a search reads. */
export type SearchableTexts = {
  /** By slot. */
  readonly texts: string[];
  /** Absent: so few texts that each is read. */
  readonly ngrams?: NgramIndex;
  /** The n-grams are those of longer texts. */
  readonly arePartial?: true;
  /** The order of equally good matches, by slot; absent: the order of the slots. */
  readonly order?: Uint32Array;
};

export function createTextIndex() {
  const texts: string[] = [];
  const ngrams = createNgramIndex();
  /** Null until the first search by names alone: where everybody sees everything, there is none. */
  let names: string[] | null = null;

  const replace = (slot: number, text: string): void => {
    const before = texts[slot] ?? '';
    if (before === text) return;
    if (before !== '') ngrams.remove(slot, before);
    if (text !== '') ngrams.add(slot, text);
    texts[slot] = text;
    if (names !== null) names[slot] = withNamesOnly(text);
  };
  return {
    /** By slot; "" where there is none. */
    texts,
    /** The same with the names alone. */
    names: (): string[] => {
      names ??= texts.map(withNamesOnly);
      return names;
    },
    ngrams,
    set: replace,
    remove: (slot: number): void => replace(slot, ''),
    /** Texts with an address in this network. */
    inNetwork(network: Network): Bitmap {
      const found = emptyBitmap(texts.length);
      forEachSlot(ngrams.candidates(network.hint, fullBitmap(texts.length)), (slot) => {
        if (network.isIn(texts[slot] ?? '')) setBit(found, slot);
      });
      return found;
    },
  };
}
