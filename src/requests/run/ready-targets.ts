/** What is not sent yet of a request, in its order. */
import type { RequestId } from '../../lib/ids.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import type { PositionRange } from '../../store/port/request-store.ts';
import type { Store } from '../../store/port/store.ts';

/** In the memory of one read. */
const TARGETS_AT_ONCE = 500;

/** Absent range: all of it. */
export async function* readyTargets(
  { store }: { readonly store: Pick<Store, 'targets'> },
  id: RequestId,
  { from, to }: PositionRange = { from: 0, to: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<RequestTarget> {
  for (let after = from - 1; ; ) {
    const within = { after, before: to, limit: TARGETS_AT_ONCE };
    const part = await store.targets.of(id, { states: ['ready'], ...within });
    yield* part;
    const last = part.at(-1);
    if (last === undefined || part.length < TARGETS_AT_ONCE) return;
    after = last.position;
  }
}
