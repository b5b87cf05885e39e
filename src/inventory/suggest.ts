/** What a menu offers while somebody types. Pure. */
import { displayName, type Group } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';
import { compareNames, fold } from '../text.ts';
import type { Book } from './book.ts';
import { namesAbove } from './group-paths.ts';
import type { FoundBy, Suggestion, SuggestionKind } from './inventory.ts';
import { findTexts } from './matching.ts';
import { groupLabel, groupNameIn } from './names.ts';
import type { IndexedDevice } from './row.ts';
import { searchDevices } from './search.ts';
import { folded } from './searched.ts';

/** Up to `limit`, the best first; those of no words by name. */
export function suggest(
  { book, packages }: { readonly book: Book; readonly packages: Iterable<string> },
  kind: SuggestionKind,
  query: string,
  { limit, ...options }: { readonly limit: number } & FoundBy,
): readonly Suggestion[] {
  const words = wordsOf(query);
  switch (kind) {
    case 'device':
      return searchDevices(book.shelf, words, { limit, ...options })
        .devices.slice(0, limit)
        .map((device) => ({
          id: device.id,
          label: displayName(device),
          detail: deviceDetail(device, groupNameIn({ groups: book.groups() }, device.groupId)),
        }));
    case 'group':
      return suggestGroups(book.groups(), query, limit);
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

function deviceDetail({ id }: IndexedDevice, groupName: string | null): string {
  return groupName === null ? `#${id}` : `#${id} · ${groupName}`;
}

function suggestGroups(
  groups: ReadonlyMap<GroupId, Group>,
  query: string,
  limit: number,
): readonly Suggestion[] {
  const all = [...groups.values()].map((group) => ({ group, label: groupLabel(group) }));
  return among(all, query, limit).map(({ group, label }) => {
    const above = namesAbove(group, groups).join(' / ');
    return { id: group.id, label, detail: above === '' ? null : above };
  });
}

function among<T extends { readonly label: string }>(
  all: readonly T[],
  query: string,
  limit: number,
): readonly T[] {
  const words = wordsOf(query);
  const texts = all.map(({ label }) => folded(label));
  // Only what was found is put in order: there may be thousands.
  const { found: places } = findTexts({ texts }, words);
  const found = [...places].flatMap((place) => all[place] ?? []);
  const ordered = words.length === 0 ? found.toSorted((a, b) => compareNames(a.label, b.label)) : found;
  return ordered.slice(0, limit);
}

function wordsOf(query: string): readonly string[] {
  return fold(query)
    .split(' ')
    .filter((word) => word !== '');
}
