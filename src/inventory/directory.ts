/**
 * The device index: every device and group, read by one walk that all who wait share. It works only when
 * somebody asks, and shows nothing older than it says: a walk that fails throws, even where an older
 * snapshot is at hand.
 */
import type { Clock } from '../clock.ts';
import type { FleetReader, Page, ReadOptions } from '../fleet/fleet.ts';
import { type Device, displayName, type Group } from '../fleet/model.ts';
import { type DeviceId, deviceId, type GroupId } from '../ids.ts';
import { fold } from '../text.ts';
import type { Found, Inventory, Snapshot } from './inventory.ts';
import { nearestOrAny } from './nearest.ts';

export type InventoryOptions = {
  readonly fleet: Pick<FleetReader, 'devices' | 'groups'>;
  readonly clock: Clock;
  readonly maxAgeMs?: number;
};

/** A snapshot with what finding needs, made once per walk. */
type Index = {
  readonly snapshot: Snapshot;
  readonly byId: ReadonlyMap<DeviceId, Device>;
  readonly byName: ReadonlyMap<string, readonly Device[]>;
};

/** The inventory over a fleet. */
export function createInventory({ fleet, clock, maxAgeMs = 60_000 }: InventoryOptions): Inventory {
  let index: Index | null = null;
  let walking: Promise<Index> | null = null;

  const walk = async (options: ReadOptions): Promise<Index> => {
    const asOf = clock.now();
    const [devices, groups] = await Promise.all([
      collect(fleet.devices({ withoutPolicyStatus: true }, options), lean),
      collect(fleet.groups(options), (group) => group),
    ]);
    index = toIndex({
      devices: [...devices.rows.values()],
      unlisted: devices.unlisted,
      groups: groups.rows,
      asOf,
    });
    return index;
  };

  /** The walk takes no signal: one who gives up must not end it for the others. */
  const current = ({ lane, deadlineMs }: ReadOptions = {}): Promise<Index> => {
    if (index !== null && clock.now() - index.snapshot.asOf <= maxAgeMs) return Promise.resolve(index);
    walking ??= walk({
      ...(lane === undefined ? {} : { lane }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    }).finally(() => {
      walking = null;
    });
    return walking;
  };

  return {
    snapshot: async (options) => (await current(options)).snapshot,
    find: async (query, options) => findIn(await current(options), query),
    groupName: async (id, options) =>
      id === null ? null : groupNameIn((await current(options)).snapshot, id),
  };
}

/** The group's name in this snapshot; null where it is not known. */
export function groupNameIn({ groups }: Snapshot, id: GroupId | null): string | null {
  const group = id === null ? undefined : groups.get(id);
  return group === undefined ? null : groupLabel(group);
}

/** What people call a group: the organization's default group has a blank name (§2.1). */
export function groupLabel(group: Group): string {
  return fold(group.name) === '' ? 'Default group' : group.name;
}

type Collected<Row extends { readonly id: unknown }> = {
  readonly rows: ReadonlyMap<Row['id'], Row>;
  readonly unlisted: number;
};

/** Rows by id: a row that moves between pages during a walk is met twice. */
async function collect<Row extends { readonly id: unknown }>(
  pages: AsyncIterable<Page<Row>>,
  kept: (row: Row) => Row,
): Promise<Collected<Row>> {
  const rows = new Map<Row['id'], Row>();
  let unlisted = 0;
  for await (const page of pages) {
    for (const row of page.rows) rows.set(row.id, kept(row));
    unlisted += page.unreadable + (page.shortfall ?? 0);
  }
  return { rows, unlisted };
}

/** Without what is large and belongs on the card of one device, which is read fresh: all of the fleet stays in memory. */
function lean(device: Device): Device {
  return { ...device, detail: null, policies: [], policyStatuses: [], policyCompliance: [] };
}

function toIndex(snapshot: Snapshot): Index {
  const byName = new Map<string, Device[]>();
  for (const device of snapshot.devices) {
    const names = new Set([fold(device.name), fold(device.customName ?? '')]);
    names.delete('');
    for (const name of names) {
      const same = byName.get(name);
      if (same === undefined) byName.set(name, [device]);
      else same.push(device);
    }
  }
  return { snapshot, byId: new Map(snapshot.devices.map((device) => [device.id, device])), byName };
}

function findIn({ snapshot, byId, byName }: Index, query: string): Found {
  const id = /^#(\d{1,15})$/.exec(query.trim())?.[1];
  const withId = id === undefined ? undefined : byId.get(deviceId(Number(id)));
  if (withId !== undefined) return { kind: 'one', device: withId };
  const named = byName.get(fold(query)) ?? [];
  const [first, second] = named;
  if (first === undefined) return { kind: 'none', nearest: nearestOrAny(query, namesOf(snapshot.devices)) };
  return second === undefined ? { kind: 'one', device: first } : { kind: 'several', devices: named };
}

function* namesOf(devices: readonly Device[]): Iterable<string> {
  for (const device of devices) {
    yield displayName(device);
    if (device.name !== '') yield device.name;
  }
}
