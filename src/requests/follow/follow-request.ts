/**
 * Follows sent targets to their proof: reads queue and device, judges, and records each move, until every target
 * ended. Nobody waits for it, so it reads on the background lane. Only what is due is looked at. The devices of a rollout
 * are seen in the pages of the fleet's list, or read where those are fewer; what no list shows is looked at alone, rarely.
 */
import { type FleetError, FleetFailure } from '../../fleet/fleet.ts';
import { changesPackages, isRemoval } from '../../fleet/model/actions.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Clock, type Instant, later, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type RequestId, requestId } from '../../lib/ids.ts';
import { chunksOf, inParallel } from '../../lib/lists.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import {
  FOLLOWED_STATES,
  isLate,
  type RequestRecord,
  type RequestTarget,
  type TargetMove,
} from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import { errorFactsOf } from '../clip.ts';
import { type LookPorts, reportRemoved, requireDevice } from '../kinds/kind.ts';
import { lookAtTarget } from '../kinds/kinds.ts';
import { beforeDeadline, expectedUntil, lastLookAt, retryAt } from '../look-schedule.ts';
import {
  isFollowedByLists,
  nextListLookAt,
  nextTargetLookAt,
  type PagePorts,
  pagesOfFleet,
  sayingOf,
} from '../many-devices.ts';
import type { FleetChangeListener } from '../run/fleet-calls.ts';
import type { RecordMoves } from '../run/ledger.ts';
import { isShownAlike } from '../target-transitions.ts';

type FollowOptions = LookPorts &
  PagePorts & {
    readonly store: Store;
    readonly clock: Clock;
    /** Takes the device as it read when its command ended. */
    readonly changeListener?: FleetChangeListener | undefined;
    readonly recordMoves: RecordMoves;
    readonly wakeWorker: () => void;
    readonly onFailpoint?: OnFailpoint | undefined;
  };

type Looking = FollowOptions & {
  readonly look: Look;
  /** Records what looks found. What somebody else moved meanwhile is looked at again when that is due. */
  readonly record: (request: RequestRecord, moves: readonly TargetMove[]) => Promise<void>;
};

/** Targets that are looked at before the work gives way to that of other requests. */
const LOOKS_AT_A_TIME = 20;

/** Handler of `follow` work, whose key is the request's id. */
export function createFollowHandler(options: FollowOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const { store, clock, recordMoves, wakeWorker, onFailpoint } = options;
  const look = createLook(options);

  const record: Looking['record'] = async (request, moves) => {
    if (moves.length === 0) return;
    const written = await recordMoves(request, moves);
    if (moves.some(({ quiet }) => quiet !== true)) wakeWorker();
    if (written.some(({ state }) => state === 'verified')) await onFailpoint?.('target.verified');
  };

  const followByLists = createFollowByLists({ ...options, look, record });

  return async ({ key }) => {
    const request = await store.requests.get(requestId(key));
    if (request === null) return { kind: 'done' };
    if (isFollowedByLists(request)) return followByLists(request);
    for (const target of await store.targets.due(request.id, clock.now(), LOOKS_AT_A_TIME))
      await record(request, [await look(request, target)]);
    const dueAt = await store.targets.nextAt(request.id, FOLLOWED_STATES);
    return dueAt === null ? { kind: 'done' } : { kind: 'again', dueAt };
  };
}

type Parts = Looking & { readonly rows: RowLooks; readonly walk: ListWalk };

/** Targets that are read at once where no page showed them, and how often in one run of the work. */
const UNSEEN_AT_ONCE = 20;
const MAX_UNSEEN_PARTS = 25;
/** So many in a row, and what is due is read without them. */
const FAILURES_OF_LISTS = 3;

function createFollowByLists(options: Looking): (request: RequestRecord) => Promise<WorkResult> {
  const { clock } = options;
  const rows = createRowLooks(options);
  const walk = createListWalk(options, rows);
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
async function lookWithoutLists({ store, clock, rows }: Parts, request: RequestRecord, failures: number) {
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

/** A target, and its device as it was read; without `row`, the look reads it. */
type SeenTarget = { readonly target: RequestTarget; readonly row?: Device };

type RowLooks = Readonly<ReturnType<typeof createRowLooks>>;

/** Looks that are recorded in one transaction. */
const MOVES_AT_ONCE = 20;
/** As many as the client has in flight at once of what nobody waits for. */
const LOOKS_AT_ONCE = 3;

/** A row proves nothing by itself: where it shows an effect, the rest is read and judged as for a single device. */
function createRowLooks({ store, clock, look, record }: Looking) {
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

type ListWalk = Readonly<ReturnType<typeof createListWalk>>;

/** Rollouts that one walk serves; others have their own. */
const MAX_ROLLOUTS = 500;

/** Walks over the pages of the fleet's list for all rollouts that are followed. One for each process. */
function createListWalk(options: FollowOptions, { lookAtPage }: RowLooks) {
  const { store, reader, clock } = options;
  const nextLooks = new Map<RequestId, Instant>();
  let walk: { readonly serves: ReadonlyMap<RequestId, RequestRecord>; readonly ended: Promise<void> } | null =
    null;

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

/** `row`: the device, where it was read just now. */
type Look = (request: RequestRecord, target: RequestTarget, row?: Device | null) => Promise<TargetMove>;

function createLook(options: FollowOptions): Look {
  const { clock } = options;
  /** Reads of a target that failed in a row. Not `attempts` of its work, which counts every look. */
  const failures = new Map<string, number>();

  const read: (...given: Parameters<Look>) => Promise<RequestTarget> = async (request, target, row) => {
    const { next, device } = await lookAtTarget(options, request.action, target, row);
    failures.delete(targetName(target));
    if (next.endedAt !== null) {
      reportEnded(options, request, next, device);
      return { ...next, nextAt: null };
    }
    const seen = { connected: device === null ? null : device.connected, now: clock.now() };
    return { ...next, nextAt: nextTargetLookAt(request, next, seen) };
  };

  /** A service that cannot be read proves nothing, so the deadline waits for it, though not for ever. */
  const unread = (target: RequestTarget, error: FleetError): RequestTarget => {
    const now = clock.now();
    const name = targetName(target);
    const failed = failures.get(name) ?? 0;
    if (now < lastLookAt(target)) {
      failures.set(name, failed + 1);
      const late = { kind: 'check-late', error: errorFactsOf(error) } as const;
      const evidence =
        now < target.deadlineAt || isLate(target) ? target.evidence : [...target.evidence, late];
      return { ...target, evidence, nextAt: beforeDeadline(target, retryAt(error, failed, now), now) };
    }
    failures.delete(name);
    const evidence = [{ kind: 'unread-to-the-end', error: errorFactsOf(error) } as const];
    const state = target.state === 'unknown' ? 'unknown' : 'not_verified';
    return { ...target, state, endedAt: now, nextAt: null, evidence };
  };

  return async (request, target, row) => {
    const evidence = target.evidence.filter(({ kind }) => kind !== 'check-late');
    const next = await read(request, { ...target, evidence }, row).catch((error: unknown) => {
      if (!(error instanceof FleetFailure)) throw error;
      return unread(target, error.error);
    });
    return { from: target.state, next, quiet: isShownAlike(target, next) };
  };
}

/** What was read and kept before the command ended may not hold any more. */
function reportEnded(
  { changeListener }: FollowOptions,
  { action }: RequestRecord,
  target: RequestTarget,
  device: Device | null,
) {
  const { deviceId, endedAt } = target;
  if (device !== null) changeListener?.learnDevice(device);
  if (isRemoval(action) && target.state === 'verified') reportRemoved(changeListener, action, target);
  if (deviceId !== null && endedAt !== null && changesPackages(action))
    changeListener?.packagesChanged(deviceId, endedAt);
}

/** Names a target among those of all requests. */
function targetName({ requestId: request, position }: RequestTarget): string {
  return `${request}/${position}`;
}
