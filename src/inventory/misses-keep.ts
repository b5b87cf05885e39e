/** Keeps what devices miss in the store, so that a restart need not read them all again. */
import { type Clock, HOUR, type Instant } from '../clock.ts';
import type { DeviceId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { KeptDevices } from '../store/store.ts';
import { createBehind, keptRows } from './behind.ts';
import { createFollowed } from './follow.ts';
import { readMisses, writeMisses } from './kept-misses.ts';
import type { MissedEntry } from './missing-book.ts';

export type MissesKeep = {
  readonly put: (id: DeviceId, entry: MissedEntry) => void;
  readonly drop: (id: DeviceId) => void;
  /** What was kept and is still good, the oldest first. Never throws: what cannot be read was not kept. */
  readonly load: () => Promise<readonly KeptMisses[]>;
  /** What other replicas read or dropped (null) since. */
  readonly follow: (take: (id: DeviceId, entry: MissedEntry | null) => void) => Promise<void>;
  readonly flush: () => Promise<void>;
};
export type KeptMisses = { readonly id: DeviceId; readonly entry: MissedEntry };

export type MissesKeepOptions = {
  readonly table: KeptDevices;
  /** Of the table; absent: nobody else writes. */
  readonly revision?: (() => Promise<number>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** What was read before this is left out at a start: too much may have been installed since. */
export const KEPT_MS = 24 * HOUR;
/** More packages in all than this are not kept; those of the devices that were read last are. Some 150 bytes each. */
export const MOST_KEPT_PACKAGES = 200_000;

/** Keeps nothing. */
export const keepNoMisses: MissesKeep = {
  put: () => undefined,
  drop: () => undefined,
  load: () => Promise.resolve([]),
  follow: () => Promise.resolve(),
  flush: () => Promise.resolve(),
};

export function createMissesKeep({ table, revision, clock, log }: MissesKeepOptions): MissesKeep {
  const behind = createBehind({ table, write: writeMisses, clock, log });
  /** How much is kept of each device, the one that was read the longest time ago first. */
  const sizes = new Map<DeviceId, number>();
  let total = 0;

  const forget = (id: DeviceId): void => {
    total -= sizes.get(id) ?? 0;
    sizes.delete(id);
  };
  /** The devices that have no room any more. */
  const count = (id: DeviceId, { packages }: MissedEntry): readonly DeviceId[] => {
    forget(id);
    // A device that misses nothing takes a row too.
    const size = packages.length + 1;
    sizes.set(id, size);
    total += size;
    const out: DeviceId[] = [];
    for (const [oldest] of sizes) {
      if (total <= MOST_KEPT_PACKAGES) break;
      out.push(oldest);
      forget(oldest);
    }
    return out;
  };
  const followed = createFollowed(table);
  const load = async (): Promise<readonly KeptMisses[]> => {
    const now = clock.now();
    if (revision !== undefined) followed.startAt(await revision());
    const good: KeptMisses[] = [];
    const bad: DeviceId[] = [];
    for await (const rows of keptRows(table))
      for (const { deviceId, body } of rows) {
        const entry = readMisses(body);
        if (entry !== null && isGood(entry.asOf, now)) good.push({ id: deviceId, entry });
        else bad.push(deviceId);
      }
    // What was read anew meanwhile stays.
    const [still, useless] = [good.filter(({ id }) => !sizes.has(id)), bad.filter((id) => !sizes.has(id))];
    const inOrder = still.toSorted((a, b) => a.entry.asOf - b.entry.asOf);
    const over = new Set(inOrder.flatMap(({ id, entry }) => count(id, entry)));
    behind.drop([...useless, ...over]);
    return inOrder.filter(({ id }) => !over.has(id));
  };
  return {
    put(id, entry) {
      behind.put(id, entry);
      behind.drop(count(id, entry));
    },
    drop(id) {
      forget(id);
      behind.drop([id]);
    },
    load: () =>
      load().catch((error: unknown) => {
        log.warn(
          { event: 'inventory.unkept', err: error },
          'could not load missing patches from the database',
        );
        return [];
      }),
    async follow(take) {
      if (revision === undefined) return;
      await followed.look(await revision(), ({ deviceId: id, body }) => {
        if (behind.isWaiting(id)) return;
        const entry = body === null ? null : readMisses(body);
        if (body === null || entry !== null) take(id, entry);
      });
    },
    flush: behind.flush,
  };
}

/** What was read in the future was read by another clock. */
function isGood(asOf: Instant, now: Instant): boolean {
  return asOf <= now && now - asOf <= KEPT_MS;
}
