/** The texts that search reads, each in a numbered slot, with their n-gram index. A freed slot may be used again. */
import {
  ADDRESS_MARK,
  FIELD_MARK,
  isWordCharacter,
  type Network,
  SEPARATORS,
  withNamesOnly,
} from './search-text.ts';

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

/** A range of neighbouring pairs in a word, by their index: the pairs that one typo may change. */
export type PairRange = { readonly first: number; readonly last: number };

export type NgramIndex = Readonly<ReturnType<typeof createNgramIndex>>;

/** The edge of a field, letters and digits; all other characters share the classes that are left. */
const CLASS_COUNT = 48;
const EDGE = 0;
const KNOWN = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SKIPPED = 255;

/** Numbers of bitmaps: letters by class, alone and at the beginning of a field or word; then pairs and short fields. */
const FIELD_STARTS = CLASS_COUNT;
const WORD_STARTS = 2 * CLASS_COUNT;
const PAIRS = 3 * CLASS_COUNT;
const PAIR_BITS = 9;
const SHORT_FIELDS = PAIRS + 2 ** PAIR_BITS;
const SHORT_FIELD_BITS = 6;
const BITMAP_COUNT = SHORT_FIELDS + 2 ** SHORT_FIELD_BITS;
/** The bitmaps of so many texts lie together in one block, which a processor's cache can hold. */
const SLOTS_PER_BLOCK = 8_192;
const WORDS_PER_BLOCK = SLOTS_PER_BLOCK / 32;
/** Whole fields of so few letters are n-grams too: `10` begins many addresses, but is rarely a whole field. */
const SHORT_FIELD = 3;

/**
 * The n-gram index: for each letter and each pair of neighbouring letters, a posting bitmap of the texts that contain
 * it. A word can only be in texts that contain all its n-grams, so few texts have to be read.
 *
 * Separators are skipped: `ber-web` is indexed as `berweb`, so the same bitmaps find words typed without separators.
 * Several pairs share a bitmap to save memory. Candidates may therefore be wrong, but no match is ever missing.
 */
function createNgramIndex() {
  const blocks: Bitmap[] = [];

  const mark = (slot: number, text: string, isAdded: boolean): void => {
    const number = Math.floor(slot / SLOTS_PER_BLOCK);
    while (blocks.length <= number) blocks.push(new Int32Array(BITMAP_COUNT * WORDS_PER_BLOCK));
    const block = blocks[number];
    if (block === undefined) return;
    const word = (slot % SLOTS_PER_BLOCK) >>> 5;
    const bit = 1 << (slot & 31);
    const [set, kept] = isAdded ? [bit, -1] : [0, ~bit];
    forEachNgram(FIELD_MARK + text + FIELD_MARK, (gram) => {
      const at = gram * WORDS_PER_BLOCK + word;
      block[at] = ((block[at] ?? 0) & kept) | set;
    });
  };
  /** Those of `within` with all these n-grams. In one bitmap: a new one for each would cause garbage collections. */
  const textsWith = (grams: Iterable<number>, within: Bitmap): Bitmap => {
    const found = within.slice();
    for (const gram of grams) {
      let remaining = 0;
      blocks.forEach((block, number) => {
        const from = number * WORDS_PER_BLOCK;
        const to = Math.min(from + WORDS_PER_BLOCK, found.length);
        const shift = gram * WORDS_PER_BLOCK - from;
        for (let at = from; at < to; at += 1) {
          const word = (found[at] ?? 0) & (block[at + shift] ?? 0);
          found[at] = word;
          remaining |= word;
        }
      });
      if (remaining === 0) break;
    }
    return found;
  };
  return {
    add: (slot: number, text: string): void => mark(slot, text, true),
    remove: (slot: number, text: string): void => mark(slot, text, false),
    /** A space in front stands for the beginning of a word, {@link FIELD_MARK} for the edge of a field. */
    candidates(part: string, within: Bitmap): Bitmap {
      const grams = new Set<number>();
      forEachNgram(part, (gram) => grams.add(gram));
      return textsWith(grams, within);
    },
    /** Whether the candidates of this word all contain it: the bitmaps of single letters and digits are not shared. */
    isExact: (word: string): boolean => word.length === 1 && KNOWN.includes(word),
    /** Those of `within` that may contain `letters` with one of these typos. */
    typoCandidates(letters: readonly string[], typos: readonly PairRange[], within: Bitmap): Bitmap {
      const classes = letters.map((letter) => classOf(letter.charCodeAt(0)));
      // Letter, pair, letter, …: pair `n` has index `2n + 1`.
      const grams = classes.flatMap((own, at) =>
        at === 0 ? [own] : [pairGram(classes[at - 1] ?? 0, own), own],
      );
      let found = emptyBitmap(within.length * 32);
      for (const { first, last } of typos) {
        const unchanged = [...grams.slice(0, 2 * first + 1), ...grams.slice(2 * last + 2)];
        found = union(found, textsWith(unchanged, within));
      }
      return found;
    },
  };
}

/** Visits the number of the bitmap of each n-gram of a text. */
function forEachNgram(text: string, visit: (gram: number) => void): void {
  let before = SKIPPED;
  let isWordStart = false;
  /** Since the last edge; no number before the first one. */
  let fieldLength = Number.NaN;
  let fieldHash = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    const own = classOf(char);
    if (own === SKIPPED) {
      // A field that begins with a separator does not begin with the letter behind it.
      if (before === EDGE) before = SKIPPED;
    } else {
      if (before !== SKIPPED) visit(pairGram(before, own));
      visit(own);
      if (isWordStart) visit(WORD_STARTS + own);
      before = own;
      if (own === EDGE) {
        if (fieldLength > 0 && fieldLength <= SHORT_FIELD)
          visit(SHORT_FIELDS + hashOf(fieldHash, SHORT_FIELD_BITS));
        fieldLength = 0;
        fieldHash = 0;
      } else {
        fieldLength += 1;
        if (fieldLength <= SHORT_FIELD) fieldHash = fieldHash * CLASS_COUNT + own;
      }
    }
    isWordStart = !isWordCharacter(char);
  }
}

/** The second half of a surrogate pair is skipped like a separator, so that each letter is one n-gram. */
function classOf(char: number): number {
  if (char < ASCII_CLASSES.length) return ASCII_CLASSES[char] ?? SKIPPED;
  return char >= 0xdc00 && char <= 0xdfff ? SKIPPED : sharedClass(char);
}

function sharedClass(char: number): number {
  const first = KNOWN.length + 1;
  return first + (char % (CLASS_COUNT - first));
}

const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (char === FIELD_MARK || char === ADDRESS_MARK) return EDGE;
  if (SEPARATORS.includes(char)) return SKIPPED;
  const known = KNOWN.indexOf(char);
  return known === -1 ? sharedClass(code) : known + 1;
});

/** A multiplicative hash: n-grams that share a bitmap have nothing in common. */
function hashOf(key: number, bits: number): number {
  return Math.imul(key, 0x9e3779b1) >>> (32 - bits);
}

/** Computed once: a start asks for every pair of every text. A pair with an edge in front has the number of its letter. */
const PAIR_GRAMS = Uint16Array.from({ length: CLASS_COUNT ** 2 }, (_, pair) =>
  pair < CLASS_COUNT ? FIELD_STARTS + pair : PAIRS + hashOf(pair, PAIR_BITS),
);

function pairGram(before: number, own: number): number {
  return PAIR_GRAMS[before * CLASS_COUNT + own] ?? PAIRS;
}

/** A set of slots: bit `slot % 32` of the number `slot / 32`. Bits beyond the end are not set. */
export type Bitmap = Int32Array<ArrayBuffer>;

export function emptyBitmap(count: number): Bitmap {
  return new Int32Array(Math.ceil(count / 32));
}

export function fullBitmap(count: number): Bitmap {
  const bits = emptyBitmap(count).fill(-1);
  if (count % 32 !== 0) bits[bits.length - 1] = (1 << (count % 32)) - 1;
  return bits;
}

export function bitmapOf(slots: Iterable<number>, count: number): Bitmap {
  const bits = emptyBitmap(count);
  for (const slot of slots) setBit(bits, slot);
  return bits;
}

export function setBit(bits: Bitmap, slot: number): void {
  bits[slot >>> 5] = (bits[slot >>> 5] ?? 0) | (1 << (slot & 31));
}

/** Whether the bit of the slot is set; slots beyond the end are not. */
export function hasBit(bits: Bitmap, slot: number): boolean {
  return (((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1;
}

export function isEmptyBitmap(bits: Bitmap): boolean {
  return bits.every((word) => word === 0);
}

/** Bits set in both. A plain loop: `map` takes ten times as long. */
export function intersect(one: Bitmap, other: Bitmap): Bitmap {
  const both = new Int32Array(Math.min(one.length, other.length));
  for (let at = 0; at < both.length; at += 1) both[at] = (one[at] ?? 0) & (other[at] ?? 0);
  return both;
}

/** Bits set in either, as far as `one` reaches. */
export function union(one: Bitmap, other: Bitmap): Bitmap {
  const either = one.slice();
  for (let at = 0; at < either.length; at += 1) either[at] = (either[at] ?? 0) | (other[at] ?? 0);
  return either;
}

export function forEachSlot(bits: Bitmap, visit: (slot: number) => void): void {
  for (let at = 0; at < bits.length; at += 1) {
    for (let left = bits[at] ?? 0; left !== 0; left &= left - 1) {
      visit(at * 32 + 31 - Math.clz32(left & -left));
    }
  }
}

/** The slots whose bit is set, in rising order. */
export function slotsIn(bits: Bitmap): number[] {
  const slots: number[] = [];
  forEachSlot(bits, (slot) => slots.push(slot));
  return slots;
}
