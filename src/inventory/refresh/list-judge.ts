/**
 * Judges lists that lack what is known. A few things are checked one by one. Many, or one that is named elsewhere, make it
 * doubtful: what it lacks is kept until the service says of some of them, read by id, that every one is gone.
 */

import { FleetFailure } from '../../fleet/fleet.ts';
import { type Clock, DAY, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { IndexState, ListKind } from '../device-index/index-state.ts';

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

export type ListJudge = {
  /** Those that the list lacks and that are gone. */
  readonly goneOf: <Id extends number>(list: JudgedList<Id>) => Promise<readonly Id[]>;
  /** A person accepts that lists lack up to so many; 0: nobody does. */
  readonly accept: (most: number) => void;
};

export function createListJudge({
  clock,
  state,
}: {
  readonly clock: Clock;
  readonly state: IndexState;
}): ListJudge {
  let accepted = 0;
  /** When rows were believed that a list marks as deleted. */
  let believed: readonly Instant[] = [];
  return {
    accept(most) {
      accepted = most;
    },
    async goneOf({ list, known, absent, unlisted = 0, deleted = new Set(), named, read }) {
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
