/**
 * Follows the devices of a rollout by the pages of the fleet's list, or by reading each device where those are fewer.
 * What no list shows is looked at alone, rarely.
 */

import { FleetFailure } from '../../fleet/fleet.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Clock, later, SECOND } from '../../lib/clock.ts';
import { inParallel } from '../../lib/parallel.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import { FOLLOWED_STATES, type RequestRecord, type RequestTarget } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { type PagePorts, pagesOfFleet } from '../device-pages.ts';
import { requireDevice } from '../kinds/kind.ts';
import { expectedUntil, lastLookAt, retryAt } from '../look-schedule.ts';
import { createListWalk, type ListWalk } from './list-walk.ts';
import { createRowLooks, LOOKS_AT_ONCE, type RowLooks, type SeenTarget } from './look-at-rows.ts';
import type { Look, LookOptions, RecordLooks } from './look-at-target.ts';

export type ListFollowingOptions = LookOptions &
  PagePorts & {
    readonly store: Store;
    readonly clock: Clock;
    readonly look: Look;
    readonly record: RecordLooks;
  };

type Parts = ListFollowingOptions & { readonly rows: RowLooks; readonly walk: ListWalk };

/** Targets that are read at once where no page showed them, and how often in one run of the work. */
const UNSEEN_AT_ONCE = 20;
const MAX_UNSEEN_PARTS = 25;
/** So many in a row, and what is due is read without them. */
const FAILURES_OF_LISTS = 3;

export function createFollowByLists(
  options: ListFollowingOptions,
): (request: RequestRecord) => Promise<WorkResult> {
  const { clock } = options;
  const rows = createRowLooks(options);
  const walk = createListWalk({ ...options, lookAtPage: rows.lookAtPage });
  const parts = { ...options, rows, walk };
  let failures = 0;
  return async (request) => {
    if (!walk.isDue(request.id)) return nextLook(parts, request);
    try {
      await lookNow(parts, request);
      await lookAtUnseen(parts, request);
      failures = 0;
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      failures += 1;
      await lookWithoutLists(parts, request, failures);
      return { kind: 'again', dueAt: retryAt(error.error, failures - 1, clock.now()) };
    }
    return nextLook(parts, request);
  };
}

/** By whatever takes fewer requests: pages, or those devices that are expected to act or are due. */
async function lookNow(parts: Parts, request: RequestRecord): Promise<void> {
  const { store, clock, walk } = parts;
  const pages = pagesOfFleet(parts);
  const now = clock.now();
  const live = await store.targets.followedUntil(request.id, expectedUntil(now), pages + 1);
  const due = await store.targets.due(request.id, now, pages + 1);
  const targets = new Map([...live, ...due].map((target) => [target.position, target]));
  if (targets.size > pages) await walk.walkFor(request);
  else if (targets.size > 0) await readEach(parts, request, [...targets.values()]);
}

async function readEach(
  { clock, reader, rows, walk }: Parts,
  request: RequestRecord,
  targets: readonly RequestTarget[],
): Promise<void> {
  const startedAt = clock.now();
  const telling: SeenTarget[] = [];
  await inParallel(targets, LOOKS_AT_ONCE, async (target) => {
    const row = await nullIfMissing(() => reader.device(requireDevice(target), { lane: 'background' }));
    if (row === null) telling.push({ target });
    else if (rows.isTelling(request, target, row)) telling.push({ target, row });
  });
  await rows.lookAt(request, telling);
  walk.note(request.id, startedAt);
}

/** Those that no page showed: gone, or moved from one page to another meanwhile. */
async function lookAtUnseen({ store, clock, rows }: Parts, request: RequestRecord): Promise<void> {
  for (let part = 0; part < MAX_UNSEEN_PARTS; part += 1) {
    const unseen = await store.targets.due(request.id, clock.now(), UNSEEN_AT_ONCE);
    await rows.lookAt(
      request,
      unseen.map((target) => ({ target })),
    );
    if (unseen.length < UNSEEN_AT_ONCE) return;
  }
}

/** Lists that fail while devices can be read must not hold up what is due; nor a week in which nothing could be read. */
async function lookWithoutLists(
  { store, clock, rows }: Parts,
  request: RequestRecord,
  failures: number,
): Promise<void> {
  const now = clock.now();
  const due = await store.targets.due(request.id, now, UNSEEN_AT_ONCE);
  const looked = due.filter((target) => failures >= FAILURES_OF_LISTS || now >= lastLookAt(target));
  await rows.lookAt(
    request,
    looked.map((target) => ({ target })),
  );
}

/** At the next walk where something is expected to act; else when the first target is due. */
async function nextLook({ store, clock, walk }: Parts, { id }: RequestRecord): Promise<WorkResult> {
  const now = clock.now();
  const dueAt = await store.targets.nextAt(id, FOLLOWED_STATES);
  if (dueAt === null) {
    walk.forget(id);
    return { kind: 'done' };
  }
  const lookAt = walk.nextAt(id) ?? later(now, SECOND);
  const [live] = await store.targets.followedUntil(id, expectedUntil(now), 1);
  return { kind: 'again', dueAt: live !== undefined || dueAt < lookAt ? lookAt : dueAt };
}
