/** Asks the service which devices filters match: groups and systems as it writes them, and the first of the devices. */
import type { Instant } from '../clock.ts';
import type { DeviceFilter, PreviewedDevice } from '../fleet/filters.ts';
import type { GroupId } from '../ids.ts';
import { groupNameIn } from '../inventory/directory.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import { fold } from '../text.ts';
import type { Problem } from '../views/model.ts';
import type { PreviewedLine } from '../views/models/report-model.ts';
import type { ReadPorts } from './command.ts';
import { personalRefusal } from './personal.ts';
import { type PreviewFilter, serviceFilters } from './preview-filters.ts';
import { familiesOf, groupsMeant, previewProblem, unknownIn } from './preview-unknown.ts';
import { PERSON } from './targets/resolve.ts';

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
  const unknown = unknownIn(filters, snapshot);
  if (unknown !== null) return { kind: 'problem', problem: previewProblem(unknown, filters, snapshot) };
  const chosen = groupsOf(filters, snapshot);
  const asOf = clock.now();
  const sent = serviceFilters(withFamilies(filters, snapshot));
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

type Chosen = { readonly ids: readonly GroupId[]; readonly all: boolean };

/** The service matches within groups only; without a word about them all are meant. */
function groupsOf(filters: readonly PreviewFilter[], { groups }: Snapshot): Chosen {
  const asked = filters.filter(({ key }) => key === 'group');
  if (asked.length === 0) return { ids: [...groups.keys()], all: true };
  return { ids: [...new Set(asked.flatMap(({ value }) => [...groupsMeant(value, groups)]))], all: false };
}

/** Families as the service writes them, because it compares letter for letter. */
function withFamilies(filters: readonly PreviewFilter[], snapshot: Snapshot): readonly PreviewFilter[] {
  const families = familiesOf(snapshot);
  return filters.map((filter) => {
    const family = filter.key === 'os' ? families.find((one) => fold(one) === fold(filter.value)) : undefined;
    return family === undefined ? filter : { ...filter, value: family };
  });
}

/** The first page: the rest would be read for nothing. */
async function firstOf<P>(pages: AsyncIterable<P & { readonly total: number | null }>) {
  for await (const page of pages) return page;
  return { rows: [], total: 0 };
}
