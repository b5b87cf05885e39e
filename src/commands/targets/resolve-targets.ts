/** From what somebody typed or chose to the devices that are meant: frozen here, so that what matches later never runs. */
import type { IndexedDevice, Snapshot } from '../../inventory/inventory.ts';
import { HOUR, type Instant } from '../../lib/clock.ts';
import { type DeviceId, deviceId } from '../../lib/ids.ts';
import { unpackIds } from '../../lib/packed-ids.ts';
import type { Problem, View } from '../../views/model.ts';
import type { PackageReading } from '../../views/models/problem-model.ts';
import type { ReadPorts } from '../core/command.ts';
import type { DeviceFilter } from './device-filters.ts';
import { type DeviceListQuery, deviceQueryText } from './device-query.ts';
import { findDevices } from './find-devices.ts';
import { groupNamedProblem, partlyNamedProblem, severalNames, unknownNamesProblem } from './named-devices.ts';
import { type DeviceRef, lookUpDevice, PERSON_PRIORITY, type RetryWithDevice } from './resolve-device.ts';
import { joinNames } from './several-devices.ts';
import { type TargetCommand, targetOffer } from './target-offer.ts';
import { unknownValueProblem } from './unknown-devices.ts';

export type DeviceTarget = {
  readonly device?: DeviceRef;
  readonly filters?: readonly DeviceFilter[];
  /** Packed. */
  readonly ids?: string;
};

export type ResolvedTargets =
  /** A single one, by name or id: nothing was read. */
  | { readonly kind: 'one'; readonly device: DeviceRef; readonly unstated?: readonly IndexedDevice[] }
  /** At least two, each once. `named`: one by one, so that none may be left out unsaid. */
  | {
      readonly kind: 'several';
      readonly ids: readonly DeviceId[];
      readonly named: boolean;
      readonly snapshot: Snapshot;
      /** How the packages were read that selected them; absent: none did. */
      readonly packages?: PackageReading;
      /** Left out, because whether they fit is unknown. */
      readonly unstated?: readonly IndexedDevice[];
    }
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** The devices that are meant, or what to ask about them. */
export async function resolveTargets(
  { device, filters, ids }: DeviceTarget,
  command: TargetCommand,
  ports: ReadPorts,
): Promise<ResolvedTargets> {
  if (ids !== undefined) return seenDevices(ids, ports);
  if (filters !== undefined && filters.length > 0) return filteredDevices(filters, command, ports);
  if (device === undefined) throw new Error('a change of no device');
  const names = await severalNames(device, ports);
  if (names !== null) return namedDevices(names, command, ports);
  const problem =
    (await partlyNamedProblem(device, command, ports)) ?? (await groupNamedProblem(device, command, ports));
  return problem === null ? { kind: 'one', device } : { kind: 'problem', problem };
}

async function seenDevices(packed: string, ports: ReadPorts): Promise<ResolvedTargets> {
  const ids = (unpackIds(packed) ?? []).map((id) => deviceId(id));
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return { kind: 'one', device: only };
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  return { kind: 'several', ids, named: false, snapshot };
}

/** The command for this device, or for these names. */
export function retryFor({ name, input }: TargetCommand): RetryWithDevice {
  return (device) => ({ command: name, input: { ...input, device } });
}

/** The first name that fits several devices is asked about, and keeps the others; those that fit none are left out. */
async function namedDevices(
  names: readonly string[],
  command: TargetCommand,
  ports: ReadPorts,
): Promise<ResolvedTargets> {
  const again = retryFor(command);
  const ids = new Set<DeviceId>();
  const unknown: string[] = [];
  for (const [at, name] of names.entries()) {
    const retry: RetryWithDevice = (found) =>
      again(joinNames(names.with(at, typeof found === 'number' ? `#${found}` : found)));
    const found = await lookUpDevice(name, retry, ports);
    if (found.kind === 'one') ids.add(found.id);
    else if (found.kind === 'problem' && found.problem.kind === 'no-such-device') unknown.push(name);
    else return found;
  }
  const problem = await unknownNamesProblem(names, unknown, command, ports);
  if (problem !== null) return { kind: 'problem', problem };
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return { kind: 'one', device: only };
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  return { kind: 'several', ids: [...ids], named: true, snapshot };
}

async function filteredDevices(
  filters: readonly DeviceFilter[],
  command: TargetCommand,
  ports: ReadPorts,
): Promise<ResolvedTargets> {
  const { inventory, clock } = ports;
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  const { partial, devices, doubts } = snapshot;
  // Of a part of the fleet nobody can say that these are all of the devices.
  if (partial !== null)
    return { kind: 'problem', problem: { kind: 'fleet-unread', read: devices.length, of: partial.of } };
  const [doubt] = doubts;
  if (doubt !== undefined) return { kind: 'problem', problem: { kind: 'list-doubted', doubt } };
  const query: DeviceListQuery = { words: [], filters: [...filters] };
  const selected = await findDevices(snapshot, query, ports);
  if (selected.kind === 'unknown') {
    const offer = (right: DeviceListQuery) => targetOffer({ filters: right.filters }, command, ports);
    const context = { snapshot, now: clock.now(), head: command, offer };
    return { kind: 'problem', problem: unknownValueProblem(selected.unknown, query, context) };
  }
  const unread = selected.packages === null ? null : unreadProblem(selected.packages, clock.now());
  if (unread !== null) return { kind: 'problem', problem: unread };
  const { unstated, packages } = selected;
  const [first, ...others] = selected.devices;
  const none = {
    kind: 'no-devices-match',
    filters: deviceQueryText(query),
    unknown: unstated.length,
  } as const;
  if (first === undefined) return { kind: 'problem', problem: none };
  if (others.length === 0) return { kind: 'one', device: first.id, unstated };
  const several = { ids: selected.devices.map(({ id }) => id), named: false, snapshot, unstated };
  return { kind: 'several', ...several, ...(packages === null ? {} : { packages }) };
}

/** What devices miss is read again after an hour. Where that fails, older data selects none to be changed. */
const MAX_PACKAGE_AGE_MS = 2 * HOUR;

/** Of a device whose packages are not known nobody can say that it misses nothing. */
function unreadProblem(
  { candidates, looked, oldest, isGoing }: PackageReading,
  now: Instant,
): Problem | null {
  const isOld = oldest !== null && now - oldest > MAX_PACKAGE_AGE_MS;
  if (looked === candidates && !isOld) return null;
  return { kind: 'packages-unread', known: looked, of: candidates, oldest: isOld ? oldest : null, isGoing };
}
