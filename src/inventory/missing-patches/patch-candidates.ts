/**
 * The devices that the service lists with missing patches (`patchStatus=missing`, §4.5). Assumption (§4.5): these are
 * all devices that lack a package; ignored and deferred packages may be among those that they lack.
 */

import type { FleetReader } from '../../fleet/fleet.ts';
import type { ListedDevice } from '../../fleet/model/resources.ts';
import { incompleteList } from '../../fleet/reads/read-helpers.ts';
import { type Clock, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import { createInterner, type IndexedDevice, toIndexedDevice } from '../device-index/indexed-device.ts';

export type PatchCandidate = ListedDevice;

export type PatchCandidates = {
  /**
   * Devices directly in these groups; null: all devices. `refresh`: read again, whatever is known. Throws
   * FleetFailure.
   */
  readonly of: (groups: ReadonlySet<GroupId> | null, refresh?: boolean) => Promise<readonly PatchCandidate[]>;
};

/** A list of this age is good enough for another page of an answer, or for the same question again. */
const LIST_FRESH_MS = 5 * MINUTE;
/** Each group is one request against a tight limit, so more groups than this are read as one list of all devices. */
const MAX_GROUP_LISTS = 4;

type CachedList = { readonly asOf: Instant; readonly rows: readonly PatchCandidate[] };

/** Lists of candidates, cached per group. */
export function createPatchCandidates({
  fleet,
  clock,
  signal,
  deviceRows = async () => [],
}: {
  readonly fleet: Pick<FleetReader, 'devices'>;
  readonly clock: Clock;
  /** All devices that are known. A list that lacks one with missing patches says nothing of it: it is a candidate, too. */
  readonly deviceRows?: (() => Promise<readonly IndexedDevice[]>) | undefined;
  readonly signal: AbortSignal;
}): PatchCandidates {
  const interner = createInterner();
  const cache = new Map<string, CachedList>();
  const reading = new Map<string, Promise<CachedList>>();

  /** A person waits for this short list; the packages are then read in the background. */
  const list = async (groupId: GroupId | null): Promise<CachedList> => {
    const asOf = clock.now();
    const rows: PatchCandidate[] = [];
    const query = {
      missingPatches: true,
      withoutPolicyStatus: true,
      ...(groupId === null ? {} : { groupId }),
    } as const;
    for await (const page of fleet.devices(query, { lane: 'person', signal })) {
      for (const device of page.rows) rows.push(toIndexedDevice(device, interner));
      if (page.shortfall !== undefined)
        throw incompleteList(`${page.shortfall} devices are missing in the list`);
    }
    return { asOf, rows };
  };
  /** Two callers at the same time share one list. */
  const listOf = async (groupId: GroupId | null, refresh: boolean): Promise<readonly PatchCandidate[]> => {
    const key = String(groupId);
    const old = cache.get(key);
    if (!refresh && old !== undefined && clock.now() < later(old.asOf, LIST_FRESH_MS)) return old.rows;
    const read = reading.get(key) ?? list(groupId).finally(() => reading.delete(key));
    reading.set(key, read);
    const fresh = await read;
    const now = clock.now();
    for (const [other, { asOf }] of cache) if (now >= later(asOf, LIST_FRESH_MS)) cache.delete(other);
    cache.set(key, fresh);
    return fresh.rows;
  };

  return {
    async of(groups, refresh = false) {
      const requestedGroups = groups === null || groups.size > MAX_GROUP_LISTS ? [null] : [...groups];
      const lists = await Promise.all(requestedGroups.map((group) => listOf(group, refresh)));
      const known = (await deviceRows()).filter(({ missesPatches }) => missesPatches !== false);
      // A service may ignore a filter that it does not know, and a device may move from one list to another.
      const isIn = ({ groupId }: PatchCandidate) =>
        groups === null || (groupId !== null && groups.has(groupId));
      const rows = new Map([...known, ...lists.flat()].filter(isIn).map((device) => [device.id, device]));
      return [...rows.values()];
    },
  };
}
