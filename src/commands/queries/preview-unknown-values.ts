/** Groups and families of systems that filters of `preview` name, and what is said of those that the fleet does not have. */

import { groupLabel, isDefaultGroup } from '../../fleet/model/derived-fields.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import { nearestNames, nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import { type GroupId, groupId } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { fold } from '../../lib/text.ts';
import type { Problem } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import { usageProblem } from '../parser/usage-errors.ts';
import { filterText } from '../targets/device-filters.ts';
import { descendants, groupsMatching } from '../targets/resolve-group.ts';
import type { PreviewFilter } from './preview-filters.ts';

export const PREVIEW_LINE = {
  name: 'preview',
  usage: 'preview [os:NAME] [version:ID] [tag:TEXT] [ip:TEXT] [host:TEXT] [ou:TEXT] [group:NAME|#ID]',
};

/** Those of this name, or the one with this number, and those below. */
export function groupsNamedBy(value: string, groups: Snapshot['groups']): ReadonlySet<GroupId> {
  const named = groupsMatching(value, groups.values());
  const digits = /^#([1-9]\d{0,14})$/.exec(value)?.[1];
  if (named.size > 0 || digits === undefined) return named;
  const id = groupId(Number(digits));
  const group = groups.get(id);
  if (group === undefined) return new Set();
  return isDefaultGroup(group) ? new Set([id]) : descendants([id], [...groups.values()]);
}

/** The families of systems that there are in the fleet. */
export function familiesOf({ devices }: Snapshot): readonly string[] {
  return [...new Set(devices.flatMap(({ osFamily }) => osFamily ?? []))].toSorted();
}

/** The first group or family that the fleet does not have; null: it has all of them. */
export function unknownValuesIn(filters: readonly PreviewFilter[], snapshot: Snapshot): PreviewFilter | null {
  const families = familiesOf(snapshot).map(fold);
  const isKnown = ({ key, value }: PreviewFilter) =>
    key === 'group'
      ? groupsNamedBy(value, snapshot.groups).size > 0
      : key !== 'os' || families.includes(fold(value));
  return filters.find((filter) => !isKnown(filter)) ?? null;
}

/** It named back, with the same question for each that comes near and leaves nothing else unknown. */
export function previewProblem(
  unknown: PreviewFilter,
  filters: readonly PreviewFilter[],
  snapshot: Snapshot,
): Problem {
  const { key, value } = unknown;
  const known = key === 'group' ? [...snapshot.groups.values()].map(groupLabel) : familiesOf(snapshot);
  const offers = nearestNames(value, known).flatMap((near): readonly Offer[] => {
    const right = filters.map((filter) => (filter === unknown ? { ...filter, value: near } : filter));
    if (unknownValuesIn(right, snapshot) !== null) return [];
    const line = `${ROOT_COMMAND} preview ${previewQueryText(right)}`;
    return [{ kind: 'line', does: 'run', line, choice: { command: 'preview', input: { filters: right } } }];
  });
  const offered = offers.length === 0 ? {} : { offers };
  if (key === 'group') {
    return { kind: 'no-such-group', query: value, nearest: nearestNames(value, known), ...offered };
  }
  const words = nearestNamesOrAll(value, known).map((name) => filterText('os', name));
  const fault = { kind: 'unknown-word', word: filterText('os', value), nearest: words } as const;
  return { ...usageProblem(PREVIEW_LINE, fault), ...offered };
}

/** As it would be typed. */
export function previewQueryText(filters: readonly PreviewFilter[]): string {
  return filters.map(({ key, value, negated }) => filterText(key, value, negated)).join(' ');
}
