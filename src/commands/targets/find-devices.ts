/** The devices that a question means. What the device index does not hold is read first where a filter asks for it. */
import type { Snapshot } from '../../inventory/inventory.ts';
import type { MissingPatchAnswer } from '../../inventory/missing-patches/missing-patch-index.ts';
import { SECOND } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import type { PackageReading } from '../../views/models/problem-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { asksForMissing, type MissingPackages, withoutMissing } from './missing-filter.ts';
import { readShellVersions } from './powershell-filter.ts';
import { type DeviceSelection, type SelectedDevices, selectDevices } from './select-devices.ts';

/** An answer waits so long for packages that are not fresh; what takes longer is read behind it. */
export const PACKAGE_WAIT_MS = 8 * SECOND;

export type FoundDevices =
  | (Extract<SelectedDevices, { kind: 'devices' }> & {
      /** How the packages were read that decided; null: none did. */
      readonly packages: PackageReading | null;
      /** What devices miss, where that decided. */
      readonly missing?: MissingPackages['of'];
    })
  | Extract<SelectedDevices, { kind: 'unknown' }>;

type Reading = {
  /** Reads again what is fresh enough. */
  readonly refresh?: boolean;
  readonly waitMs?: number;
};

/** Selects as {@link selectDevices} does. Throws FleetFailure where what a filter asks for can't be listed. */
export async function findDevices(
  snapshot: Snapshot,
  query: DeviceSelection,
  { missingPatches, fleet, clock }: Pick<ReadPorts, 'missingPatches' | 'fleet' | 'clock'>,
  { refresh = false, waitMs = PACKAGE_WAIT_MS }: Reading = {},
): Promise<FoundDevices> {
  const now = clock.now();
  const shells = await readShellVersions(query.filters, fleet);
  const readings = shells === undefined ? {} : { shells };
  if (!asksForMissing(query.filters))
    return withPackages(selectDevices(snapshot, query, now, readings), null);
  const filters = withoutMissing(query.filters);
  const others = selectDevices(snapshot, { words: [], filters }, now, readings);
  if (others.kind === 'unknown') return others;
  const isWhole = others.devices.length === snapshot.devices.length;
  const groups = isWhole ? null : groupsOf(others.devices);
  const answer = await missingPatches.query({ groups, waitMs, refresh });
  const reading = readingOf(answer, new Set(others.devices.map(({ id }) => id)));
  const missing = {
    of: new Map([...answer.known].map(([id, { packages }]) => [id, packages])),
    isWhole: reading.looked === reading.candidates,
    hasName: answer.seen.hasName,
  };
  const found = withPackages(selectDevices(snapshot, query, clock.now(), { ...readings, missing }), reading);
  return found.kind === 'unknown' ? found : { ...found, missing: missing.of };
}

function withPackages(selected: SelectedDevices, packages: PackageReading | null): FoundDevices {
  return selected.kind === 'unknown' ? selected : { ...selected, packages };
}

/** The groups of these devices, whose lists are shorter than that of all devices; null where one has none. */
export function groupsOf(
  devices: readonly { readonly groupId: GroupId | null }[],
): ReadonlySet<GroupId> | null {
  const groups = new Set<GroupId>();
  for (const { groupId } of devices) {
    if (groupId === null) return null;
    groups.add(groupId);
  }
  return groups;
}

/** How much is known of what these devices miss. */
export function readingOf(
  { devices, known, unread, isReading }: MissingPatchAnswer,
  among: ReadonlySet<DeviceId> | null = null,
): PackageReading & { readonly newest: PackageReading['oldest'] } {
  const candidates = among === null ? devices : devices.filter(({ id }) => among.has(id));
  const entries = candidates.flatMap(({ id }) => known.get(id) ?? []);
  const times = entries.map(({ asOf }) => asOf).toSorted((a, b) => a - b);
  return {
    candidates: candidates.length,
    looked: entries.length,
    fromList: entries.filter(({ from }) => from === 'list').length,
    unread: Math.min(unread, candidates.length),
    isGoing: isReading,
    oldest: times[0] ?? null,
    newest: times.at(-1) ?? null,
  };
}
