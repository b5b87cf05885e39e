/** One walk through the whole fleet into the index. Rows can be found as soon as their page was read. */
import { FleetFailure, type FleetReader, type Lane } from '../../fleet/fleet.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { type Clock, DAY, type Instant, later, MINUTE, yieldToEventLoop } from '../../lib/clock.ts';
import { type DeviceId, deviceId, type GroupId, type PolicyId } from '../../lib/ids.ts';
import type { IndexState, ListKind, WalkSummary } from '../device-index/index-state.ts';
import { toIndexedDevice } from '../device-index/indexed-device.ts';
import type { IndexPersistence } from '../persistence/index-persistence.ts';

export type FleetListReader = Pick<
  FleetReader,
  'devices' | 'device' | 'groups' | 'group' | 'policies' | 'policy'
>;

export type FleetWalkOptions = {
  readonly fleet: FleetListReader;
  readonly clock: Clock;
  readonly state: IndexState;
  readonly persistence: IndexPersistence;
  readonly judge: ReturnType<typeof createListJudge>;
  readonly lane: Lane;
  readonly signal: AbortSignal;
  /** Called after each page with the total that the service states; awaited before the next page. */
  readonly onPage: (total: number | null) => Promise<void>;
  /** What was learned in other ways since the walk began, and is newer than its pages. */
  readonly since: ChangesDuringWalk;
};

type ChangesDuringWalk = { readonly seen: Set<DeviceId>; readonly removed: Set<DeviceId> };

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

/** Maximum things that are read by id for one list. */
const MAX_READS = 20;
/** Lists may be read every minute; the missing things of a doubted one are not. */
const CHECK_INTERVAL_MS = 5 * MINUTE;

/** Whether a list lacks too many of those known for a reading that is simply believed. */
export function isDoubtful(known: number, missing: number): boolean {
  return missing > Math.max(3, known * 0.02);
}

type JudgedList<Id> = {
  readonly list: ListKind;
  readonly known: number;
  /** The known ones that it lacks. */
  readonly absent: readonly Id[];
  /** How many rows the service itself says it left out. */
  readonly unlisted?: number;
  /** Those that it marks as deleted: a few of a day are gone without asking. */
  readonly deleted?: ReadonlySet<Id>;
  /** What other rows name: where it is missing, the list is doubtful however little it lacks. Asked only where it lacks any. */
  readonly named?: () => ReadonlySet<Id | null>;
  /** Throws FleetFailure, of the kind `missing` where it is gone. */
  readonly read: (id: Id) => Promise<unknown>;
};

/**
 * Judges lists that lack what is known. A few things are checked one by one. Many, or one that is named elsewhere, make it
 * doubtful: what it lacks is kept until the service says of some of them, read by id, that every one is gone.
 */
export function createListJudge({ clock, state }: { readonly clock: Clock; readonly state: IndexState }) {
  let accepted = 0;
  /** When rows were believed that a list marks as deleted. */
  let believed: readonly Instant[] = [];
  return {
    /** A person accepts that lists lack up to so many; 0: nobody does. */
    accept(most: number): void {
      accepted = most;
    },
    /** Those that the list lacks and that are gone. */
    async goneOf<Id extends number>({
      list,
      known,
      absent,
      unlisted = 0,
      deleted = new Set(),
      named,
      read,
    }: JudgedList<Id>): Promise<readonly Id[]> {
      const now = clock.now();
      const missing = Math.max(absent.length, unlisted);
      const before = state.doubts().find((doubt) => doubt.list === list);
      const names = absent.length === 0 ? undefined : named?.();
      const isNamed = (id: (typeof absent)[number]) => names?.has(id) === true;
      const isDoubted = isDoubtful(known, missing) || absent.some(isNamed);
      if (!isDoubted || (accepted > 0 && missing <= accepted)) {
        state.setDoubt(list, null);
        if (list !== 'devices' || accepted > 0) return absent;
        const [said = [], unsaid = []] = [true, false].map((is) =>
          absent.filter((id) => deleted.has(id) === is),
        );
        believed = believed.filter((at) => now < later(at, DAY));
        // Readings that each take a few would empty the list in time.
        if (isDoubtful(known, believed.length + said.length)) return (await readSome(absent, read)).gone;
        believed = [...believed, ...said.map(() => now)];
        return [...said, ...(await readSome(unsaid, read)).gone];
      }
      const isChecked = before !== undefined && now >= before.checkedAt;
      if (isChecked && now < later(before.checkedAt, CHECK_INTERVAL_MS)) {
        state.setDoubt(list, { ...before, missing });
        return [];
      }
      const { gone, alive } = await readSome(absent, read, before?.alive);
      const left = missing - gone.length;
      const doubt = { list, since: before?.since ?? now, missing: left, checkedAt: now, alive };
      const isLeft = isDoubtful(known, left) || absent.some((id) => isNamed(id) && !gone.includes(id));
      state.setDoubt(list, isLeft ? doubt : null);
      return gone;
    },
  };
}

/** All of them where each of those that were read is gone. One that was seen alive is read first the next time. */
async function readSome<Id extends number>(
  absent: readonly Id[],
  read: (id: Id) => Promise<unknown>,
  seenAlive?: number | null,
): Promise<{ readonly gone: readonly Id[]; readonly alive: number | null }> {
  const isMany = absent.length > MAX_READS;
  const part = (at: number) => Math.floor((at * MAX_READS) / absent.length);
  const spread = isMany ? absent.filter((_, at) => part(at) !== part(at - 1)) : absent;
  const sample = new Set([...absent.filter((id) => id === seenAlive), ...spread].slice(0, MAX_READS));
  const gone: Id[] = [];
  let alive: number | null = null;
  for (const id of sample) {
    const is = await isGone(() => read(id));
    if (is === true) gone.push(id);
    else if (is === false) alive ??= id;
    // Nothing can be said of the others, or no more is needed.
    if (is === null || (is === false && isMany)) return { gone, alive };
  }
  return { gone: alive === null ? absent : gone, alive };
}

/** Null: the service did not say. */
async function isGone(read: () => Promise<unknown>): Promise<boolean | null> {
  try {
    await read();
    return false;
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    return error.error.kind === 'missing' ? true : null;
  }
}
