/** The suggestions of a menu while a person types. Pure. */

import { groupLabel } from '../fleet/model/derived-fields.ts';
import { displayName, type Group } from '../fleet/model/resources.ts';
import type { GroupId } from '../lib/ids.ts';
import { compareNames, fold } from '../lib/text.ts';
import type { IndexState } from './device-index/index-state.ts';
import type { IndexedDevice } from './device-index/indexed-device.ts';
import { ancestorNames, groupNameIn } from './group-names.ts';
import type { SearchScope, Suggestion, SuggestionKind } from './inventory.ts';
import { searchDevices } from './search/device-search.ts';
import { normalizeField } from './search/search-text.ts';
import { searchTexts } from './search/text-search.ts';

/** Up to `limit` suggestions, best first; without words, by name. */
export function suggestFrom(
  { state, packages }: { readonly state: IndexState; readonly packages: Iterable<string> },
  kind: SuggestionKind,
  query: string,
  { limit, ...options }: { readonly limit: number } & SearchScope,
): readonly Suggestion[] {
  const words = queryWords(query);
  switch (kind) {
    case 'device':
      return searchDevices(state.rowStore, words, { limit, ...options })
        .devices.slice(0, limit)
        .map((device) => ({
          id: device.id,
          label: displayName(device),
          detail: deviceDetail(device, groupNameIn({ groups: state.groups() }, device.groupId)),
        }));
    case 'group':
      return suggestGroups(state.groups(), query, limit);
    case 'policy':
      return matchLabels(
        state.policies().map(({ id, name, type }) => ({ id, label: name, detail: type })),
        query,
        limit,
      );
    case 'package':
      return matchLabels(
        [...packages].map((label) => ({ id: null, label, detail: null })),
        query,
        limit,
      );
  }
}

function deviceDetail({ id }: IndexedDevice, groupName: string | null): readonly string[] {
  return groupName === null ? [`#${id}`] : [`#${id}`, groupName];
}

function suggestGroups(
  groups: ReadonlyMap<GroupId, Group>,
  query: string,
  limit: number,
): readonly Suggestion[] {
  const all = [...groups.values()].map((group) => ({ group, label: groupLabel(group) }));
  return matchLabels(all, query, limit).map(({ group, label }) => {
    const above = ancestorNames(group, groups).join(' / ');
    return { id: group.id, label, detail: above === '' ? null : above };
  });
}

function matchLabels<T extends { readonly label: string }>(
  all: readonly T[],
  query: string,
  limit: number,
): readonly T[] {
  const words = queryWords(query);
  const texts = all.map(({ label }) => normalizeField(label));
  // Only matches are sorted, because there may be thousands of entries.
  const { slots } = searchTexts({ texts }, words);
  const found = [...slots].flatMap((slot) => all[slot] ?? []);
  const ordered = words.length === 0 ? found.toSorted((a, b) => compareNames(a.label, b.label)) : found;
  return ordered.slice(0, limit);
}

function queryWords(query: string): readonly string[] {
  return fold(query)
    .split(' ')
    .filter((word) => word !== '');
}
