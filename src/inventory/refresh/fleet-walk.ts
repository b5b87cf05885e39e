/** One walk through the whole fleet into the book. Rows can be found as soon as their page was read. */

import { FleetFailure, type FleetReader, type Lane } from '../../fleet/fleet.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { type Clock, type Instant, yieldToEventLoop } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { IndexState, PolicyName, WalkSummary } from '../device-index/index-state.ts';
import { toIndexedDevice } from '../device-index/indexed-device.ts';
import type { IndexPersistence } from '../persistence/index-persistence.ts';

export type FleetListReader = Pick<FleetReader, 'devices' | 'device' | 'groups' | 'policies'>;

export type FleetWalkOptions = {
  readonly fleet: FleetListReader;
  readonly clock: Clock;
  readonly state: IndexState;
  readonly persistence: IndexPersistence;
  readonly lane: Lane;
  readonly signal: AbortSignal;
  /** After each page, with what the service says there is in all; its end is waited for before the next one. */
  readonly onPage: (total: number | null) => Promise<void>;
  /** What was learned otherwise since the walk began: newer than its pages. */
  readonly since: ChangesDuringWalk;
};

export type ChangesDuringWalk = { readonly seen: Set<DeviceId>; readonly removed: Set<DeviceId> };

/** So many devices that are no longer listed are asked for by their id: rows move between pages during a walk. */
const MAX_CONFIRMED = 20;

/** Rows that are put into the index without a turn for others in between: about a millisecond of work. */
const ROWS_AT_ONCE = 100;

/** Throws {@link FleetFailure}; what was read until then stays known. */
export async function walkFleet(options: FleetWalkOptions): Promise<void> {
  const { clock, state, persistence } = options;
  const asOf = clock.now();
  const listed = new Set<DeviceId>();
  const [unlisted] = await Promise.all([
    indexDevices(options, listed),
    refreshGroups(options),
    refreshPolicies(options),
  ]);
  await removeUnlisted(options, listed);
  const findings: WalkSummary = { asOf, unlisted };
  state.setLastWalk(findings);
  persistence.saveFacts();
}

async function indexDevices(options: FleetWalkOptions, listed: Set<DeviceId>): Promise<number> {
  const { fleet, lane, signal, onPage, since } = options;
  let unlisted = 0;
  const { rowStore } = options.state;
  for await (const page of fleet.devices({ withoutPolicyStatus: true }, { lane, signal })) {
    for (const [at, device] of page.rows.entries()) {
      if (at > 0 && at % ROWS_AT_ONCE === 0) {
        rowStore.sortPending();
        await yieldToEventLoop();
      }
      listed.add(device.id);
      if (!since.removed.has(device.id) && !since.seen.has(device.id)) indexDevice(options, device);
    }
    unlisted += page.unreadable + (page.shortfall ?? 0);
    rowStore.sortPending();
    await onPage(page.total);
  }
  return unlisted;
}

/** The row of a device that was read just now. */
export function indexDevice(
  { state, persistence }: Pick<FleetWalkOptions, 'state' | 'persistence'>,
  device: Device,
): void {
  const row = toIndexedDevice(device, state.interner);
  if (state.rowStore.put(row)) persistence.put(row);
}

/** Reads the groups into the book. */
export async function refreshGroups({
  fleet,
  state,
  lane,
  signal,
}: Pick<FleetWalkOptions, 'fleet' | 'state' | 'lane' | 'signal'>): Promise<void> {
  const groups = await collectRows(fleet.groups({ lane, signal }));
  state.setGroups(new Map(groups.map((group) => [group.id, group])));
}

/** A key may have no right to policies: then their names are not offered, and everything else goes on. */
async function refreshPolicies({ fleet, state, lane, signal }: FleetWalkOptions): Promise<void> {
  try {
    const policies = await collectRows(fleet.policies({ lane, signal }));
    state.setPolicies(policies.map(({ id, name, type }): PolicyName => ({ id, name, type })));
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
  }
}

async function removeUnlisted(options: FleetWalkOptions, listed: ReadonlySet<DeviceId>): Promise<void> {
  const { state, persistence, since } = options;
  const absent = [...state.rowStore.ids()].filter((id) => !listed.has(id) && !since.seen.has(id));
  const removed = absent.length > MAX_CONFIRMED ? absent : await confirmRemoved(options, absent);
  for (const id of removed) state.rowStore.remove(id);
  persistence.drop(removed);
}

/** Those of `ids` that the service does not know any more. */
async function confirmRemoved(
  options: FleetWalkOptions,
  ids: readonly DeviceId[],
): Promise<readonly DeviceId[]> {
  const removed: DeviceId[] = [];
  for (const id of ids) {
    const read = await readDeviceIfThere(options, id);
    if (read === 'gone') removed.push(id);
    else if (read !== 'unknown') indexDevice(options, read);
  }
  return removed;
}

/** One device; `unknown` where the service did not say. */
export async function readDeviceIfThere(
  { fleet, lane, signal }: Pick<FleetWalkOptions, 'fleet' | 'lane' | 'signal'>,
  id: DeviceId,
): Promise<Device | 'gone' | 'unknown'> {
  try {
    const device = await fleet.device(id, { lane, signal });
    return device.deleted === true ? 'gone' : device;
  } catch (error) {
    if (error instanceof FleetFailure) return error.error.kind === 'missing' ? 'gone' : 'unknown';
    throw error;
  }
}

/** A walk under way, as those who wait for it see it. */
export type RunningWalk = {
  readonly startedAt: Instant;
  readonly done: Promise<void>;
  /** Resolves once the first pages show that the fleet is too large to wait for. */
  readonly large: Promise<void>;
  readonly total: () => number | null;
  /** Somebody waits: no more pauses. */
  readonly hurry: () => void;
  readonly since: ChangesDuringWalk;
};
