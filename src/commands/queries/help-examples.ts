/** Examples with names of the reader's own fleet in place of made-up ones, from the device index in memory. */
import type { Inventory, SuggestionKind } from '../../inventory/inventory.ts';
import type { HelpEntry } from '../../views/model.ts';
import { quoteWord } from '../parser/tokenizer.ts';

/** The made-up names in the commands' examples, quoted as they are there. */
const EXAMPLE_NAMES: readonly {
  readonly kind: SuggestionKind;
  readonly name: string;
  readonly id: string;
}[] = [
  { kind: 'device', name: 'web-01', id: '#1042' },
  { kind: 'group', name: '"Linux servers"', id: '#3111' },
  { kind: 'policy', name: '"Apply All Patches"', id: '#2103' },
];
/** A name that needs no quotes and no escaping. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,40}$/u;
/** A name that needs no escaping inside quotes. */
const PLAIN_WORDS_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,40}$/u;
/** How many names are read to find one that fits. */
const MAX_SUGGESTIONS = 30;

/** The entry with examples that use names of the fleet. */
export function withFleetNames(entry: HelpEntry, inventory: Pick<Inventory, 'suggest'>): HelpEntry {
  return { ...entry, examples: ownLines(entry.examples, inventory) };
}

/** The lines with names of the fleet. A name that would need escaping is not used. */
export function ownLines(
  given: readonly string[],
  { suggest }: Pick<Inventory, 'suggest'>,
): readonly string[] {
  const swaps = EXAMPLE_NAMES.flatMap(({ kind, name, id }) => {
    const own = pickName(suggest(kind, '', MAX_SUGGESTIONS), name.startsWith('"'));
    return own === null ? [] : [{ name, id, own }];
  });
  return given.map((example) => {
    let shown = example;
    for (const { name, id, own } of swaps) {
      shown = shown.replaceAll(name, () => own.name);
      if (own.id !== null) shown = shown.replaceAll(id, `#${own.id}`);
    }
    return shown;
  });
}

/** The first fitting name that only one item has. A single word needs no quotes. */
function pickName(found: ReturnType<Inventory['suggest']>, isQuoted: boolean) {
  const allowed = isQuoted ? PLAIN_WORDS_NAME : PLAIN_NAME;
  const labels = found.map(({ label }) => label);
  const fits = found.find(
    ({ label }) => allowed.test(label) && labels.indexOf(label) === labels.lastIndexOf(label),
  );
  if (fits === undefined) return null;
  const isWord = quoteWord(fits.label) === fits.label;
  if (!isQuoted && !isWord) return null;
  return { id: fits.id, name: isQuoted && !isWord ? `"${fits.label}"` : fits.label };
}
