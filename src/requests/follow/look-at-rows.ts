/**
 * Looks at targets whose devices were just read. A row proves nothing by itself: where it shows an effect, the rest is
 * read and judged as for a single device.
 */

import type { Device } from '../../fleet/model/resources.ts';
import { chunksOf } from '../../lib/chunks.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import { inParallel } from '../../lib/parallel.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { TargetMove } from '../../store/port/request-store.ts';
import type { Store } from '../../store/port/store.ts';
import { sayingOf } from '../list-following.ts';
import { type Look, type RecordLooks, targetName } from './look-at-target.ts';

export type RowLooksOptions = {
  readonly store: { readonly targets: Pick<Store['targets'], 'followedOn'> };
  readonly clock: Pick<Clock, 'now'>;
  readonly look: Look;
  readonly record: RecordLooks;
};

/** A target, and its device as it was read; without `row`, the look reads it. */
export type SeenTarget = { readonly target: RequestTarget; readonly row?: Device };

export type RowLooks = Readonly<ReturnType<typeof createRowLooks>>;

/** Looks that are recorded in one transaction. */
const MOVES_AT_ONCE = 20;
/** As many as the client has in flight at once of what nobody waits for. */
export const LOOKS_AT_ONCE = 3;

export function createRowLooks({ store, clock, look, record }: RowLooksOptions) {
  /** What the row said at a look that proved nothing: as long as it says the same, it is no reason for another one. */
  const said = new Map<string, string>();

  /** Looks at all of these. */
  const lookAt = async (request: RequestRecord, seen: readonly SeenTarget[]): Promise<void> => {
    for (const part of chunksOf(seen, MOVES_AT_ONCE)) {
      const moves: TargetMove[] = [];
      await inParallel(part, LOOKS_AT_ONCE, async ({ target, row }) => {
        moves.push(await look(request, target, row));
      });
      await record(request, moves);
      for (const { next } of moves) if (next.endedAt !== null) said.delete(targetName(next));
    }
  };

  /** Whether the row is a reason to look at the target: it is due, or the row shows what it did not show before. */
  const isTelling = (request: RequestRecord, target: RequestTarget, row: Device): boolean => {
    const now = clock.now();
    const saying = sayingOf(request, target, { device: row, now });
    const name = targetName(target);
    if (saying === null || saying === said.get(name)) return target.nextAt !== null && target.nextAt <= now;
    // An entry that one list of the queue did not show is looked for in the next.
    if (target.missedAt === null) said.set(name, saying);
    return true;
  };

  return {
    lookAt,
    isTelling,
    /** Looks at those targets of these requests on the page for which their row is a reason. */
    lookAtPage: async (
      requests: ReadonlyMap<RequestId, RequestRecord>,
      { devices, readAt }: { readonly devices: readonly Device[]; readonly readAt: Instant },
    ): Promise<void> => {
      const rows = new Map(devices.map((device) => [device.id, device]));
      const followed = await store.targets.followedOn([...rows.keys()]);
      const telling = followed.flatMap((target) => {
        const request = requests.get(target.requestId);
        const row = target.deviceId === null ? undefined : rows.get(target.deviceId);
        // What was sent after the page was asked for is not on it.
        if (request === undefined || row === undefined || target.issuedAt > readAt) return [];
        return isTelling(request, target, row) ? [{ request, target, row }] : [];
      });
      for (const [request, seen] of Map.groupBy(telling, (one) => one.request)) await lookAt(request, seen);
    },
  };
}
