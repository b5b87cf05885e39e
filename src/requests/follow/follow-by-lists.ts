/**
 * Follows the devices of a rollout by the pages of the fleet's list, or by reading each device where those are fewer.
 * What no list shows is looked at alone, rarely.
 */
import { FleetFailure } from '../../fleet/fleet.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Clock, type Instant, later, SECOND } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import { chunksOf, inParallel } from '../../lib/lists.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import { FOLLOWED_STATES, type RequestRecord, type RequestTarget } from '../../store/port/request-records.ts';
import type { TargetMove } from '../../store/port/request-store.ts';
import type { Store } from '../../store/port/store.ts';
import { type PagePorts, pagesOfFleet } from '../device-pages.ts';
import { requireDevice } from '../kinds/kind.ts';
import { isFollowedByLists, nextListLookAt, sayingOf } from '../list-following.ts';
import { expectedUntil, lastLookAt, retryAt } from '../look-schedule.ts';
import { type Look, type LookOptions, type RecordLooks, targetName } from './look-at-target.ts';

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

type RowLooksOptions = {
  readonly store: { readonly targets: Pick<Store['targets'], 'followedOn'> };
  readonly clock: Pick<Clock, 'now'>;
  readonly look: Look;
  readonly record: RecordLooks;
};

/** A target, and its device as it was read; without `row`, the look reads it. */
type SeenTarget = { readonly target: RequestTarget; readonly row?: Device };

type RowLooks = Readonly<ReturnType<typeof createRowLooks>>;

/** Looks that are recorded in one transaction. */
const MOVES_AT_ONCE = 20;
/** As many as the client has in flight at once of what nobody waits for. */
const LOOKS_AT_ONCE = 3;

/**
 * Looks at targets whose devices were just read. A row proves nothing by itself: where it shows an effect, the rest is
 * read and judged as for a single device.
 */
function createRowLooks({ store, clock, look, record }: RowLooksOptions) {
  /** What the row said at a look that proved nothing: as long as it says the same, it is no reason for another one. */
  const said = new Map<string, string>();

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

type ListWalkOptions = PagePorts & {
  readonly store: { readonly requests: Pick<Store['requests'], 'list'> };
  readonly clock: Pick<Clock, 'now'>;
  readonly lookAtPage: RowLooks['lookAtPage'];
};

type ListWalk = Readonly<ReturnType<typeof createListWalk>>;

type Served = ReadonlyMap<RequestId, RequestRecord>;

/** Rollouts that one walk serves; others have their own. */
const MAX_ROLLOUTS = 500;

/** Walks over the pages of the fleet's list for all rollouts that are followed. One for each process. */
function createListWalk(options: ListWalkOptions) {
  const { store, reader, clock, lookAtPage } = options;
  const nextLooks = new Map<RequestId, Instant>();
  let walk: { readonly serves: Served; readonly ended: Promise<void> } | null = null;

  const isDue = (id: RequestId): boolean => (nextLooks.get(id) ?? 0) <= clock.now();

  const walkPages = async (serves: Map<RequestId, RequestRecord>): Promise<void> => {
    const startedAt = clock.now();
    for (const other of await store.requests.list({ states: ['running'], inWaves: true }, MAX_ROLLOUTS))
      if (isFollowedByLists(other) && isDue(other.id)) serves.set(other.id, other);
    const withoutPolicyStatus = ![...serves.values()].some(({ action }) => policyIdOf(action) !== null);
    let readAt = clock.now();
    for await (const { rows } of reader.devices({ withoutPolicyStatus }, { lane: 'background' })) {
      await lookAtPage(serves, { devices: rows, readAt });
      readAt = clock.now();
    }
    const nextAt = nextListLookAt(startedAt, pagesOfFleet(options));
    for (const id of serves.keys()) nextLooks.set(id, nextAt);
  };

  return {
    /** When the request is looked at next; null: at once, because this process has not looked at it yet. */
    nextAt: (id: RequestId): Instant | null => nextLooks.get(id) ?? null,
    isDue,
    /** It was looked at without a walk, which began then. */
    note: (id: RequestId, startedAt: Instant): void => void nextLooks.set(id, nextListLookAt(startedAt, 1)),
    forget: (id: RequestId): void => void nextLooks.delete(id),
    /** Waits for a walk that serves this request. Throws FleetFailure. */
    walkFor: async (request: RequestRecord): Promise<void> => {
      while (walk !== null && !walk.serves.has(request.id)) await walk.ended.catch(() => undefined);
      if (walk !== null) return walk.ended;
      // The walk that went on may have served it in the end.
      if (!isDue(request.id)) return;
      const serves = new Map([[request.id, request]]);
      const ended = walkPages(serves).finally(() => {
        walk = null;
      });
      walk = { serves, ended };
      return ended;
    },
  };
}
