/**
 * The devices that a question means. What the device index does not hold is read first where a filter asks for it. A value
 * that nothing in the fleet has is named back, with the same question for each that comes near.
 */

import { FleetFailure, type FleetReader } from '../../fleet/fleet.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { MissingPatchAnswer } from '../../inventory/missing-patches/missing-patch-index.ts';
import { nearestNames } from '../../inventory/nearest-names.ts';
import { type Instant, SECOND } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Offer, PackageReading } from '../../views/models/problem-model.ts';
import type { Problem, UsageFault } from '../../views/views.ts';
import type { ReadPorts } from '../core/command.ts';
import { usageProblem } from '../parser/usage-errors.ts';
import { type DeviceFilter, type DeviceListQuery, deviceQueryText, filterText } from './device-query.ts';
import { PERSON_PRIORITY } from './resolve-device.ts';
import {
  asksForMissing,
  type DeviceSelection,
  type MissingPackages,
  type SelectedDevices,
  type ShellVersions,
  selectDevices,
  type UnknownValue,
  unknownFilterValue,
  withoutMissing,
} from './select-devices.ts';

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
  if (!asksForMissing(query.filters)) {
    const selected = selectDevices(snapshot, query, now, readings);
    return selected.kind === 'unknown' ? selected : { ...selected, packages: null };
  }
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
  const found = selectDevices(snapshot, query, clock.now(), { ...readings, missing });
  return found.kind === 'unknown' ? found : { ...found, packages: reading, missing: missing.of };
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

/**
 * The versions that decide the filters; undefined where none asks. Throws FleetFailure. Assumption (§4.5): how the service
 * compares versions is not documented, and newer descriptions have a number that selects nothing. So the version in each
 * row decides, and all devices are listed unless the service's choice has a longer version that starts with this one.
 */
async function readShellVersions(
  filters: readonly DeviceFilter[],
  fleet: Pick<FleetReader, 'devices'>,
): Promise<ShellVersions | undefined> {
  const asked = filters.filter(({ key }) => key === 'powershell');
  const [value, ...more] = new Set(asked.map((filter) => filter.value));
  if (value === undefined) return undefined;
  if (more.length === 0 && !asked.some(({ negated }) => negated)) {
    const of = await listVersions(fleet, { shellVersion: value });
    if ([...of.values()].some((version) => version.startsWith(`${value}.`))) return { of, others: false };
  }
  return { of: await listVersions(fleet, {}), others: null };
}

async function listVersions(
  fleet: Pick<FleetReader, 'devices'>,
  query: { readonly shellVersion?: string },
): Promise<ShellVersions['of']> {
  const versions = new Map<DeviceId, string>();
  let [listed, detailed] = [0, 0];
  const pages = fleet.devices({ ...query, withDetails: true, withoutPolicyStatus: true }, PERSON_PRIORITY);
  for await (const { rows } of pages) {
    for (const { id, detail } of rows) {
      listed += 1;
      if (detail === null) continue;
      detailed += 1;
      if (detail.shellVersion !== null) versions.set(id, detail.shellVersion);
    }
  }
  if (listed > 0 && detailed === 0) throw new FleetFailure(NO_DETAILS);
  return versions;
}

const NO_DETAILS = {
  kind: 'unreadable',
  method: 'GET',
  path: '/servers',
  status: null,
  detail: 'its list of devices has no PowerShell versions',
} as const;

type SuggestionContext = {
  readonly snapshot: Snapshot;
  readonly now: Instant;
  readonly head: { readonly name: string; readonly usage: string };
  /** The same with other filters. */
  readonly offer: (query: DeviceListQuery) => Offer;
};

export function deviceListOffer(input: DeviceListQuery): Offer {
  const choice = { command: 'devices', input };
  return { kind: 'line', does: 'run', line: `${ROOT_COMMAND} devices ${deviceQueryText(input)}`, choice };
}

/** What is wrong; each offer is the whole question, of which nothing else is wrong. */
export function unknownValueProblem(
  unknown: UnknownValue,
  query: DeviceListQuery,
  { snapshot, now, head, offer }: SuggestionContext,
): Problem {
  const { kind, key, value, nearest: known } = unknown;
  const isIt = (one: DeviceFilter) => one.key === key && one.value === value;
  const right = correctFilters(query, snapshot, now);
  // Where nothing is near all are named, which are no guesses.
  const offers = nearestNames(value, known).flatMap((near): readonly Offer[] => {
    if (right === null) return [];
    const filters = right.map((one, at) => (isIt(query.filters[at] ?? one) ? { ...one, value: near } : one));
    const input = { ...query, filters };
    if (unknownFilterValue(input.filters, snapshot, now) !== null) return [];
    return [offer(input)];
  });
  const offered = offers.length === 0 ? {} : { offers };
  switch (kind) {
    case 'group':
      return { kind: 'no-such-group', query: value, nearest: known, ...offered };
    case 'policy':
      return { kind: 'no-such-policy', query: value, nearest: known, ...offered };
    case 'package':
      return { kind: 'missing-nowhere', query: value, devices: unknown.devices, nearest: known, ...offered };
    case 'word':
      return { ...usageProblem(head, unknownValueFault(key, value, known)), ...offered };
  }
}

function unknownValueFault(key: DeviceFilter['key'], value: string, known: readonly string[]): UsageFault {
  const word = filterText(key, value);
  if (known.length > 0)
    return { kind: 'unknown-word', word, nearest: known.map((name) => filterText(key, name)) };
  return { kind: 'bad-value', word, expected: HELD_BY_DEVICES.get(key) ?? 'a value that a device has' };
}

/** What stands in place of a list of values that would be too long, or empty. */
const HELD_BY_DEVICES: ReadonlyMap<string, string> = new Map([
  ['device', 'the name or ID of a device'],
  ['os', 'an operating system that a device has'],
  ['tag', 'a tag that a device has'],
  ['version', 'the start of an agent or OS version that a device has'],
]);

/** Nobody mistypes more of one line, and each is compared with all that there is. */
const MAX_CORRECTIONS = 5;

/** The filters with the nearest for every value that is not known; null where one has none, or where they are many. */
function correctFilters(
  { filters }: DeviceListQuery,
  snapshot: Snapshot,
  now: Instant,
): readonly DeviceFilter[] | null {
  const right: DeviceFilter[] = [];
  let left = MAX_CORRECTIONS;
  for (const filter of filters) {
    const unknown = unknownFilterValue([filter], snapshot, now);
    const near = unknown === null ? filter.value : nearestNames(unknown.value, unknown.nearest)[0];
    if (unknown !== null) left -= 1;
    if (near === undefined || left < 0) return null;
    right.push({ ...filter, value: near });
  }
  return right;
}
