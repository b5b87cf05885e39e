/** Asks the service which devices filters match: groups and systems as it writes them, and the first of the devices. */
import type { Instant } from '../clock.ts';
import type { DeviceFilter, PreviewedDevice } from '../fleet/filters.ts';
import { type GroupId, groupId } from '../ids.ts';
import { groupLabel, groupNameIn } from '../inventory/directory.ts';
import { isDefault } from '../inventory/group-paths.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import { nearestOrAny } from '../inventory/nearest.ts';
import { fold } from '../text.ts';
import type { Problem } from '../views/model.ts';
import type { PreviewedLine } from '../views/models/report-model.ts';
import type { ReadPorts } from './command.ts';
import { usageProblem } from './line/faults.ts';
import { personalRefusal } from './personal.ts';
import { type PreviewFilter, serviceFilters } from './preview-filters.ts';
import { filterText } from './targets/device-filters.ts';
import { descendants, groupsNamed } from './targets/group-members.ts';
import { PERSON } from './targets/resolve.ts';

export const PREVIEW = {
  name: 'preview',
  usage: 'preview [os:NAME] [version:ID] [tag:TEXT] [ip:TEXT] [host:TEXT] [group:NAME|#ID]',
};

/** So many devices are shown; the rest is counted. */
const SAMPLE = 10;

export type Previewed = {
  readonly kind: 'previewed';
  /** As it was sent. */
  readonly filters: readonly DeviceFilter[];
  /** Names of the groups asked for; empty: all of them. */
  readonly groups: readonly string[];
  readonly rows: readonly PreviewedLine[];
  /** Null where the service did not say. */
  readonly total: number | null;
  readonly asOf: Instant;
};
type Not = { readonly kind: 'problem'; readonly problem: Problem };

/** Asks the service which devices the filters would match. Throws FleetFailure. */
export async function askPreview(
  filters: readonly PreviewFilter[],
  ports: ReadPorts,
): Promise<Previewed | Not> {
  const { fleet, inventory, clock } = ports;
  const refused = personalRefusal(ports, filters.some(({ key }) => key === 'ip') ? 'ip:' : undefined);
  if (refused !== null) return { kind: 'problem', problem: refused };
  const snapshot = await inventory.snapshot(PERSON);
  const chosen = groupsOf(filters, snapshot);
  if (chosen.kind === 'problem') return chosen;
  const named = withFamilies(filters, snapshot);
  if (named.kind === 'problem') return named;
  const asOf = clock.now();
  const sent = serviceFilters(named.filters);
  const query = { filters: sent, groupIds: chosen.ids, pageSize: SAMPLE };
  const { rows, total } = await firstOf(fleet.preview(query, PERSON));
  return {
    kind: 'previewed',
    filters: sent,
    groups: chosen.all ? [] : chosen.ids.map((id) => groupNameIn(snapshot, id) ?? `#${id}`),
    rows: rows.slice(0, SAMPLE).map((row) => lineOf(row, snapshot)),
    total,
    asOf,
  };
}

/** With what its own record says, so that it reads as it does in lists. */
function lineOf(row: PreviewedDevice, snapshot: Snapshot): PreviewedLine {
  const groupName = groupNameIn(snapshot, row.groupId) ?? row.groupName;
  const known = snapshot.device(row.id);
  // One that was set up anew meanwhile has another family.
  const osName = known?.osFamily === row.osFamily ? (known?.osName ?? null) : null;
  return { ...row, groupName, ...(osName === null ? {} : { osName }) };
}

type Chosen = { readonly kind: 'groups'; readonly ids: readonly GroupId[]; readonly all: boolean } | Not;

/** The service matches within groups only; without a word about them all are meant. */
function groupsOf(filters: readonly PreviewFilter[], { groups }: Snapshot): Chosen {
  const asked = filters.filter(({ key }) => key === 'group');
  if (asked.length === 0) return { kind: 'groups', ids: [...groups.keys()], all: true };
  const ids = new Set<GroupId>();
  for (const { value } of asked) {
    const members = groupsMeant(value, groups);
    if (members.size === 0) {
      const nearest = nearestOrAny(value, [...groups.values()].map(groupLabel));
      return { kind: 'problem', problem: { kind: 'no-such-group', query: value, nearest } };
    }
    for (const id of members) ids.add(id);
  }
  return { kind: 'groups', ids: [...ids], all: false };
}

/** Those of this name, or the one with this number, and those below. */
function groupsMeant(value: string, groups: Snapshot['groups']): ReadonlySet<GroupId> {
  const named = groupsNamed(value, groups.values());
  const digits = /^#([1-9]\d{0,14})$/.exec(value)?.[1];
  if (named.size > 0 || digits === undefined) return named;
  const id = groupId(Number(digits));
  const group = groups.get(id);
  if (group === undefined) return new Set();
  return isDefault(group) ? new Set([id]) : descendants([id], [...groups.values()]);
}

type Named = { readonly kind: 'filters'; readonly filters: readonly PreviewFilter[] } | Not;

/** Families as the service writes them, because it compares letter for letter; a slip of the pen is named back. */
function withFamilies(filters: readonly PreviewFilter[], snapshot: Snapshot): Named {
  const families = familiesOf(snapshot);
  const named: PreviewFilter[] = [];
  for (const filter of filters) {
    const family = families.find((one) => fold(one) === fold(filter.value));
    if (filter.key === 'os' && family === undefined) {
      const nearest = nearestOrAny(filter.value, families).map((name) => filterText('os', name));
      const fault = { kind: 'unknown-word', word: filterText('os', filter.value), nearest } as const;
      return { kind: 'problem', problem: usageProblem(PREVIEW, fault) };
    }
    named.push(filter.key === 'os' && family !== undefined ? { ...filter, value: family } : filter);
  }
  return { kind: 'filters', filters: named };
}

/** The families of systems that there are in the fleet. */
export function familiesOf({ devices }: Snapshot): readonly string[] {
  return [...new Set(devices.flatMap(({ osFamily }) => osFamily ?? []))].toSorted();
}

/** The first page: the rest would be read for nothing. */
async function firstOf<P>(pages: AsyncIterable<P & { readonly total: number | null }>) {
  for await (const page of pages) return page;
  return { rows: [], total: 0 };
}
