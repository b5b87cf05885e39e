/** Asks the service which devices match filters, with groups and OS families in its own spelling. */

import type { DevicePreviewFilter, PreviewedDevice } from '../../fleet/model/preview-query.ts';
import { groupNameIn } from '../../inventory/group-names.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { Problem } from '../../views/model.ts';
import type { PreviewedDeviceLine } from '../../views/models/report-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { personalDataProblem } from '../core/personal-data.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { type PreviewFilter, toServiceFilters } from './preview-filters.ts';
import { familiesOf, groupsNamedBy, previewProblem, unknownValuesIn } from './preview-unknown-values.ts';

/** Maximum number of devices shown; the rest is counted. */
const SAMPLE_SIZE = 10;

export type PreviewResult = {
  readonly kind: 'previewed';
  /** The filters as they were sent. */
  readonly filters: readonly DevicePreviewFilter[];
  /** Names of the groups asked for; empty: all of them. */
  readonly groups: readonly string[];
  readonly rows: readonly PreviewedDeviceLine[];
  /** Null if the service gave no total. */
  readonly total: number | null;
  readonly asOf: Instant;
};
type PreviewProblem = { readonly kind: 'problem'; readonly problem: Problem };

/** Asks the service which devices the filters would match. Throws FleetFailure. */
export async function previewDevices(
  filters: readonly PreviewFilter[],
  ports: ReadPorts,
): Promise<PreviewResult | PreviewProblem> {
  const { fleet, inventory, clock } = ports;
  const refused = personalDataProblem(ports, filters.some(({ key }) => key === 'ip') ? 'ip:' : undefined);
  if (refused !== null) return { kind: 'problem', problem: refused };
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  const unknown = unknownValuesIn(filters, snapshot);
  if (unknown !== null) return { kind: 'problem', problem: previewProblem(unknown, filters, snapshot) };
  const chosen = chosenGroups(filters, snapshot);
  const asOf = clock.now();
  const sent = toServiceFilters(withFamilies(filters, snapshot));
  const query = { filters: sent, groupIds: chosen.ids, pageSize: SAMPLE_SIZE };
  const { rows, total } = await firstPage(fleet.preview(query, PERSON_PRIORITY));
  return {
    kind: 'previewed',
    filters: sent,
    groups: chosen.all ? [] : chosen.ids.map((id) => groupNameIn(snapshot, id) ?? `#${id}`),
    rows: rows.slice(0, SAMPLE_SIZE).map((row) => previewedDevice(row, snapshot)),
    total,
    asOf,
  };
}

/** With the facts of its own record, so that it reads as in lists. */
function previewedDevice(row: PreviewedDevice, snapshot: Snapshot): PreviewedDeviceLine {
  const groupName = groupNameIn(snapshot, row.groupId) ?? row.groupName;
  const known = snapshot.device(row.id);
  // A device that was reinstalled meanwhile has another OS family.
  const osName = known?.osFamily === row.osFamily ? (known?.osName ?? null) : null;
  return { ...row, groupName, ...(osName === null ? {} : { osName }) };
}

type ChosenGroups = { readonly ids: readonly GroupId[]; readonly all: boolean };

/** The service matches within groups only, so without groups all of them are sent. */
function chosenGroups(filters: readonly PreviewFilter[], { groups }: Snapshot): ChosenGroups {
  const groupFilters = filters.filter(({ key }) => key === 'group');
  if (groupFilters.length === 0) return { ids: [...groups.keys()], all: true };
  return {
    ids: [...new Set(groupFilters.flatMap(({ value }) => [...groupsNamedBy(value, groups)]))],
    all: false,
  };
}

/** OS families in the service's spelling, because it compares them exactly. */
function withFamilies(filters: readonly PreviewFilter[], snapshot: Snapshot): readonly PreviewFilter[] {
  const families = familiesOf(snapshot);
  return filters.map((filter) => {
    const family = filter.key === 'os' ? families.find((one) => fold(one) === fold(filter.value)) : undefined;
    return family === undefined ? filter : { ...filter, value: family };
  });
}

/** The first page; the rest is not shown. */
async function firstPage<P>(pages: AsyncIterable<P & { readonly total: number | null }>) {
  for await (const page of pages) return page;
  return { rows: [], total: 0 };
}
