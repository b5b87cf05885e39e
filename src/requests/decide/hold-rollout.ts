/**
 * Holding or ending a rollout that nobody pressed on: a pause of everything, too much drift, its age, or a time when it
 * could not go on.
 */
import { changesRecord } from '../../fleet/model/actions.ts';
import { type Clock, HOUR, type Instant, later } from '../../lib/clock.ts';
import { type RequestId, requestCardKey } from '../../lib/ids.ts';
import type { Rollout, RolloutHold } from '../../rollout/progress.ts';
import { countIn } from '../../rollout/results.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import {
  MAX_LISTED,
  type RequestRecord,
  type RequestTarget,
  type RequestWithTargets,
  type TargetCounts,
  type TargetStore,
} from '../../store/port/request-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { expectedUntil, isExpectedSoon } from '../look-schedule.ts';
import {
  announceChange,
  type HoldNotice,
  notifyEnd,
  notifyOfEndUnresumed,
  remindOfHold,
} from '../notifications.ts';
import { heldAuditEntry, settleRequest, stoppedBecause } from '../settle-request.ts';
import { goesOnByItself, holdByAge } from './rollout-machine.ts';

/** Each target that moves changes the request. */
const MAX_TRIES = 100;

/** Why Patchbay itself holds a rollout, and what its card says beside that. */
type OwnHold = { readonly hold: RolloutHold; readonly note?: RequestNote };

/** Holds a rollout, where it would go on. */
export type HoldRollout = (id: RequestId, held: OwnHold) => Promise<void>;

type HoldPorts = {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly channels: Required<Pick<HoldNotice, 'approvals'>>;
};

export function createHoldRollout({ store, clock, channels }: HoldPorts): HoldRollout {
  return (id, held) =>
    store.transaction((tables) =>
      holdWithin(tables, { ...channels, id, now: clock.now(), heldBy: ifGoing(held) }),
    );
}

/** A person may hold a rollout, or let it go on, at any time: so its age is looked at as often. */
const AGE_LOOK_MS = HOUR;

/** Holds a rollout whose approval ended, and ends one that nobody let go on; says when its age is to be looked at again. */
export function createAgeRollout({ store, clock, channels }: HoldPorts) {
  return async (id: RequestId): Promise<WorkResult> => {
    const now = clock.now();
    const heldBy = (request: RolloutRequest): OwnHold | null => {
      const next = holdByAge(request);
      return next === null || now < next.from ? null : { hold: next.hold(now) };
    };
    const request = await store.transaction(async (tables) => {
      await holdWithin(tables, { ...channels, id, now, heldBy });
      const held = await tables.requests.get(id);
      if (held !== null) await remindOfHold(tables, held, { ...channels, now });
      return held;
    });
    const rollout = request?.rollout ?? null;
    const next = request === null || rollout === null ? null : holdByAge({ ...request, rollout });
    const latest = later(now, AGE_LOOK_MS);
    return next === null
      ? { kind: 'done' }
      : { kind: 'again', dueAt: next.from < latest ? next.from : latest };
  };
}

/** Holds all rollouts of the organization, so that none goes on by itself. */
export async function holdAllRollouts(tables: StoreTables, hold: RolloutHold, of: HoldNotice) {
  const filter = { states: ['approved', 'running'], inWaves: true } as const;
  let last: RequestRecord | undefined;
  do {
    const after = last === undefined ? {} : { after: last };
    const found = await tables.requests.list({ ...filter, ...after }, MAX_LISTED);
    for (const { id } of found) await holdWithin(tables, { ...of, id, heldBy: ifGoing({ hold }) });
    last = found.length < MAX_LISTED ? undefined : found.at(-1);
  } while (last !== undefined);
}

type RolloutRequest = RequestRecord & { readonly rollout: Rollout };
/** Null: it stays as it is. */
type HeldBy = (request: RolloutRequest) => OwnHold | null;

function ifGoing(held: OwnHold): HeldBy {
  return (request) => (goesOnByItself(request) ? held : null);
}

async function holdWithin(
  tables: StoreTables,
  { id, now, approvals, heldBy }: HoldNotice & { readonly id: RequestId; readonly heldBy: HeldBy },
): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const request = await tables.requests.get(id);
    if (request === null || request.rollout === null) return;
    const held = heldBy({ ...request, rollout: request.rollout });
    if (held === null) return;
    const { hold, note = request.note } = held;
    const next = { ...request, rollout: { ...request.rollout, hold }, note, version: request.version + 1 };
    if (!(await tables.requests.replace(next))) continue;
    await announceChange(tables, { before: request, after: next, now, approvals });
    const unsent = hold.kind === 'stopped' ? await endUnresumed(tables, next, now) : {};
    const entry = heldAuditEntry(hold, next.rollout.wave + 1);
    if (entry !== null) {
      const detail = { ...entry.detail, ...unsent };
      await tables.audit.append({ ...entry, at: now, actor: 'patchbay', subject: id, detail });
    }
    await tables.cards.enqueueUpdate(requestCardKey(request), now);
    return;
  }
  throw new Error(`rollout ${id} changed too often to be held`);
}

/** How many devices got nothing. What was sent is followed as before. */
async function endUnresumed(tables: StoreTables, request: RequestRecord, now: Instant) {
  const { unsent, settled } = await endRest(tables, request, now);
  await notifyOfEndUnresumed(tables, settled, now);
  return { unsent };
}

/** What is not sent yet of a rollout that was just stopped ends, in the same transaction. */
export async function endRest(
  tables: StoreTables,
  request: RequestRecord,
  now: Instant,
): Promise<{ readonly unsent: number; readonly settled: RequestRecord }> {
  const unsent = await tables.targets.endReady(request.id, [stoppedBecause(request.rollout?.hold, now)], now);
  const { after: settled } = await settleRequest(tables, { request, moves: [], now });
  await notifyEnd(tables, settled, now);
  return { unsent, settled };
}

/** Ends the devices that have the command and are waited for: it stays in their queues, and may still run. */
export async function endWaiting(tables: StoreTables, { id }: Pick<RequestRecord, 'id'>, now: Instant) {
  const waiting = await tables.targets.of(id, { states: HELD_BY_DEVICE });
  const moves = waiting.map((target) => ({ from: target.state, next: stillQueued(target, now) }));
  const entries = (await tables.targets.move(id, moves)).map(({ deviceId, state, evidence }) => ({
    ...({ at: now, actor: 'patchbay', subject: id } as const),
    action: `operation.${state}`,
    detail: { device: deviceId, evidence: JSON.stringify(evidence) },
  }));
  await tables.audit.appendAll(entries);
}

function stillQueued(target: RequestTarget, now: Instant): RequestTarget {
  const queued = target.evidence.find(({ kind }) => kind === 'queued');
  const offline = queued?.kind === 'queued' ? queued.offline : null;
  const evidence = [{ kind: 'still-queued', offline: offline ?? { since: null }, at: now } as const];
  return { ...target, state: 'not_verified', endedAt: now, nextAt: null, evidence };
}

/** In which a device holds a command that it did not run yet. */
export const HELD_BY_DEVICE = ['accepted', 'queued'] as const;

/** While more have the command, offline ones are not counted: each would have to be read. Our own figure. */
export const MAX_HELD_READ = 200;

/** Whether targets in {@link HELD_BY_DEVICE} are to be read. An edit needs no device. */
export function mayWaitForDevices({ action, counts }: Pick<RequestRecord, 'action' | 'counts'>): boolean {
  const held = countIn(counts, HELD_BY_DEVICE);
  return !changesRecord(action) && held > 0 && held <= MAX_HELD_READ;
}

/**
 * Whether a rollout waits for nothing but `offline` devices that have the command: nothing of its wave is left to be
 * sent, and whatever else was sent has ended.
 */
export function waitsOnlyForOffline(
  { counts: { open = 0, ready = 0 } }: Pick<RequestRecord, 'counts'>,
  { wave = {}, offline }: { readonly wave: TargetCounts | undefined; readonly offline: number },
): boolean {
  return offline > 0 && offline === open - ready && (wave.ready ?? 0) === 0;
}

/** Of the targets in {@link HELD_BY_DEVICE}. */
export function offlineTargets(held: readonly RequestTarget[], now: Instant): readonly RequestTarget[] {
  return held.filter((target) => !isExpectedSoon(target, now));
}

/** With how many offline devices each rollout of a list waits for: one read for all of them. */
export async function withOfflineCounts(
  { targets }: { readonly targets: Pick<TargetStore, 'countDueAfter'> },
  requests: readonly RequestWithTargets[],
  now: Instant,
): Promise<readonly RequestWithTargets[]> {
  const waiting = requests
    .filter((one) => one.rollout !== null && one.state === 'running' && mayWaitForDevices(one))
    .map(({ id }) => id);
  if (waiting.length === 0) return requests;
  const counts = await targets.countDueAfter(waiting, HELD_BY_DEVICE, expectedUntil(now));
  return requests.map((request) => {
    const offline = counts.get(request.id);
    return offline === undefined ? request : { ...request, offline };
  });
}
