/** One walk through the whole fleet into the index. Rows can be found as soon as their page was read. */

import { FleetFailure, type FleetReader, type Lane } from '../../fleet/fleet.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { type Clock, type Instant, yieldToEventLoop } from '../../lib/clock.ts';
import { type DeviceId, deviceId, type GroupId, type PolicyId } from '../../lib/ids.ts';
import type { IndexState, WalkSummary } from '../device-index/index-state.ts';
import { toIndexedDevice } from '../device-index/indexed-device.ts';
import type { IndexPersistence } from '../persistence/index-persistence.ts';
import type { ListJudge } from './list-judge.ts';

export type FleetListReader = Pick<
  FleetReader,
  'devices' | 'device' | 'groups' | 'group' | 'policies' | 'policy'
>;

export type FleetWalkOptions = {
  readonly fleet: FleetListReader;
  readonly clock: Clock;
  readonly state: IndexState;
  readonly persistence: IndexPersistence;
  readonly judge: ListJudge;
  readonly lane: Lane;
  readonly signal: AbortSignal;
  /** Called after each page with the total that the service states; awaited before the next page. */
  readonly onPage: (total: number | null) => Promise<void>;
  /** What was learned in other ways since the walk began, and is newer than its pages. */
  readonly since: ChangesDuringWalk;
};

export type ChangesDuringWalk = { readonly seen: Set<DeviceId>; readonly removed: Set<DeviceId> };

type ListedIds = { readonly listed: Set<DeviceId>; readonly deleted: Set<DeviceId> };

/** Rows that are indexed before others may run: about a millisecond of work. */
const ROWS_AT_ONCE = 100;

/** Walks the whole fleet. Throws {@link FleetFailure}; what was read until then stays. */
export async function walkFleet(options: FleetWalkOptions): Promise<void> {
  const { clock, state, persistence } = options;
  const asOf = clock.now();
  const ids: ListedIds = { listed: new Set(), deleted: new Set() };
  const [unlisted] = await Promise.all([
    indexDevices(options, ids),
    refreshGroups(options),
    refreshPolicies(options),
  ]);
  const kept = await removeUnlisted(options, ids, unlisted);
  const findings: WalkSummary = { asOf, unlisted: Math.max(unlisted - kept, 0) };
  state.setLastWalk(findings);
  persistence.saveFacts();
}

async function indexDevices(options: FleetWalkOptions, { listed, deleted }: ListedIds): Promise<number> {
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
    for (const id of page.deletedIds ?? []) deleted.add(deviceId(id));
    unlisted += page.unreadable + (page.shortfall ?? 0);
    rowStore.sortPending();
    await onPage(page.total);
  }
  return unlisted;
}

/** Indexes a device that was just read. */
export function indexDevice(
  { state, persistence }: Pick<FleetWalkOptions, 'state' | 'persistence'>,
  device: Device,
): void {
  const wasAway = state.rowStore.get(device.id)?.connected === false;
  const row = toIndexedDevice(device, state.interner);
  if (state.rowStore.put(row)) persistence.put(row);
  if (wasAway && device.connected === true) state.noteReturn(device.id);
}

export async function refreshGroups({
  fleet,
  state,
  judge,
  lane,
  signal,
}: Pick<FleetWalkOptions, 'fleet' | 'state' | 'judge' | 'lane' | 'signal'>): Promise<void> {
  const groups = await collectRows(fleet.groups({ lane, signal }));
  const listed = new Map(groups.map((group) => [group.id, group]));
  const read = (id: GroupId) => fleet.group(id, { lane: 'background', signal });
  const known = [...state.groups().keys()];
  const absent = known.filter((id) => !listed.has(id));
  // Assumption (§4.10): devices of a deleted group are moved to another one, as are the groups under it.
  const named = () => {
    const { rows } = state.rowStore.ordered();
    return new Set([...groups.map(({ parentId }) => parentId), ...rows.map(({ groupId }) => groupId)]);
  };
  const gone = await judge.goneOf({ list: 'groups', known: known.length, absent, named, read });
  for (const group of state.groups().values())
    if (!listed.has(group.id) && !gone.includes(group.id)) listed.set(group.id, group);
  state.setGroups(listed);
}

/** A key may lack the right to read policies: then their names are not offered, and everything else works. */
async function refreshPolicies({ fleet, state, judge, lane, signal }: FleetWalkOptions): Promise<void> {
  try {
    const policies = await collectRows(fleet.policies({ lane, signal }));
    const listed = new Map(policies.map(({ id, name, type }) => [id, { id, name, type }]));
    const read = (id: PolicyId) => fleet.policy(id, { lane: 'background', signal });
    const known = state.policies().map(({ id }) => id);
    const absent = known.filter((id) => !listed.has(id));
    const named = () => new Set([...state.groups().values()].flatMap(({ policyIds }) => policyIds));
    const gone = await judge.goneOf({ list: 'policies', known: known.length, absent, named, read });
    for (const policy of state.policies())
      if (!listed.has(policy.id) && !gone.includes(policy.id)) listed.set(policy.id, policy);
    state.setPolicies([...listed.values()]);
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
  }
}

/** Returns how many are kept although the list lacks them: rows move between pages, and lists may be cut short. */
async function removeUnlisted(
  options: FleetWalkOptions,
  { listed, deleted }: ListedIds,
  unlisted: number,
): Promise<number> {
  const { fleet, state, persistence, judge, since, signal } = options;
  const known = [...state.rowStore.ids()];
  const absent = known.filter((id) => !listed.has(id) && !since.seen.has(id));
  const read = async (id: DeviceId) =>
    indexDevice(options, await fleet.device(id, { lane: 'background', signal }));
  const list = { list: 'devices', known: known.length, absent, unlisted, deleted, read } as const;
  const removed = (await judge.goneOf(list)).filter((id) => !since.seen.has(id));
  for (const id of removed) state.rowStore.remove(id);
  persistence.drop(removed);
  return absent.length - removed.length;
}

/** A running walk, for those who wait for it. */
export type RunningWalk = {
  readonly startedAt: Instant;
  readonly done: Promise<void>;
  /** Resolves once the first pages show that the fleet is too large to wait for. */
  readonly large: Promise<void>;
  readonly total: () => number | null;
  /** Somebody waits: skip the pauses. */
  readonly hurry: () => void;
  readonly since: ChangesDuringWalk;
};
