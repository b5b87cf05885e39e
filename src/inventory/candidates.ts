/**
 * The devices that the service lists with missing patches (`patchStatus=missing`, §4.5). Assumption (§4.5): these are
 * all that miss anything; what is ignored or deferred may be among what they miss.
 */
import { type Clock, type Instant, later, MINUTE } from '../clock.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { Device, ListedDevice } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';

export type Candidate = ListedDevice;

export type Candidates = {
  /** Of these very groups; null: of all. `refresh`: whatever is known of them. Throws FleetFailure. */
  readonly of: (groups: ReadonlySet<GroupId> | null, refresh?: boolean) => Promise<readonly Candidate[]>;
};

/** A list of this age is good enough for another page of an answer, or for asking again. */
const FRESH_MS = 5 * MINUTE;
/** Each group asked for by itself is a request of a scarce kind, so many groups are one list of all devices. */
const MOST_GROUPS = 4;

type Kept = { readonly asOf: Instant; readonly rows: readonly Candidate[] };

export function createCandidates({
  fleet,
  clock,
  signal,
}: {
  readonly fleet: Pick<FleetReader, 'devices'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Candidates {
  const kept = new Map<string, Kept>();
  const reading = new Map<string, Promise<Kept>>();

  /** A person waits for the list, which is short; what follows from it is read behind. */
  const list = async (groupId: GroupId | null): Promise<Kept> => {
    const asOf = clock.now();
    const rows: Candidate[] = [];
    const query = {
      missingPatches: true,
      withoutPolicyStatus: true,
      ...(groupId === null ? {} : { groupId }),
    } as const;
    for await (const page of fleet.devices(query, { lane: 'person', signal })) {
      for (const device of page.rows) if (device.deleted !== true) rows.push(candidateOf(device));
    }
    return { asOf, rows };
  };
  /** Two who ask at once are answered by one list. */
  const one = async (groupId: GroupId | null, refresh: boolean): Promise<readonly Candidate[]> => {
    const key = String(groupId);
    const old = kept.get(key);
    if (!refresh && old !== undefined && clock.now() < later(old.asOf, FRESH_MS)) return old.rows;
    const read = reading.get(key) ?? list(groupId).finally(() => reading.delete(key));
    reading.set(key, read);
    const fresh = await read;
    forgetOld(kept, clock.now());
    kept.set(key, fresh);
    return fresh.rows;
  };

  return {
    async of(groups, refresh = false) {
      if (groups === null) return one(null, refresh);
      const asked = groups.size > MOST_GROUPS ? [null] : [...groups];
      const lists = await Promise.all(asked.map((group) => one(group, refresh)));
      // A service may ignore a filter that it does not know.
      return lists.flat().filter(({ groupId }) => groupId !== null && groups.has(groupId));
    },
  };
}

function forgetOld(kept: Map<string, Kept>, now: Instant): void {
  for (const [key, { asOf }] of kept) if (now >= later(asOf, FRESH_MS)) kept.delete(key);
}

function candidateOf(device: Device): Candidate {
  const { id, name, customName, groupId, osFamily, osName, osVersion } = device;
  const { connected, needsReboot, pendingPatches } = device;
  return {
    id,
    name,
    customName,
    groupId,
    osFamily,
    osName,
    osVersion,
    connected,
    needsReboot,
    pendingPatches,
  };
}
