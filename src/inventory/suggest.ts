/** What a menu offers while somebody types. Pure. */
import { displayName } from '../fleet/model.ts';
import { fold } from '../text.ts';
import type { Book } from './book.ts';
import type { Suggestion, SuggestionKind } from './inventory.ts';
import { findTexts } from './matching.ts';
import { groupLabel } from './names.ts';
import { searchDevices } from './search.ts';
import { folded } from './searched.ts';

/** Up to `limit`, the best first; those of no words by name. */
export function suggest(
  { book, packages }: { readonly book: Book; readonly packages: Iterable<string> },
  kind: SuggestionKind,
  query: string,
  limit: number,
): readonly Suggestion[] {
  switch (kind) {
    case 'device':
      return searchDevices(book.shelf, wordsOf(query))
        .devices.slice(0, limit)
        .map((device) => ({ id: device.id, label: displayName(device), detail: `#${device.id}` }));
    case 'group':
      return among(
        [...book.groups().values()].map((group) => ({
          id: group.id,
          label: groupLabel(group),
          detail: null,
        })),
        query,
        limit,
      );
    case 'policy':
      return among(
        book.policies().map(({ id, name, type }) => ({ id, label: name, detail: type })),
        query,
        limit,
      );
    case 'package':
      return among(
        [...packages].map((label) => ({ id: null, label, detail: null })),
        query,
        limit,
      );
  }
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function among(all: readonly Suggestion[], query: string, limit: number): readonly Suggestion[] {
  const words = wordsOf(query);
  const texts = all.map(({ label }) => folded(label));
  // Only what was found is put in order: there may be thousands.
  const { found: places } = findTexts({ texts }, words);
  const found = [...places].flatMap((place) => all[place] ?? []);
  const ordered = words.length === 0 ? found.toSorted((a, b) => compare(a.label, b.label)) : found;
  return ordered.slice(0, limit);
}

function wordsOf(query: string): readonly string[] {
  return fold(query)
    .split(' ')
    .filter((word) => word !== '');
}
