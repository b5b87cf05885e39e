/**
 * Holding or ending a rollout that nobody pressed on: a pause of everything, too much drift, its age, or a time when it
 * could not go on.
 */
import { type Clock, HOUR, type Instant, later } from '../../lib/clock.ts';
import { type RequestId, requestCardKey } from '../../lib/ids.ts';
import type { Rollout, RolloutHold } from '../../rollout/progress.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import type { AuditEntry } from '../../store/port/records.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { notifyOfEndUnresumed } from '../notifications.ts';
import { enqueueRolloutLines } from '../rollout-lines.ts';
import { endRest } from './end-rest.ts';
import { agedRollout, heldRollout, nextAgeAt } from './rollout-machine.ts';

/** Each target that moves changes the request. */
const MAX_TRIES = 100;

/** Why Patchbay itself holds a rollout, and what its card says beside that. */
export type OwnHold = { readonly hold: RolloutHold; readonly note?: RequestNote };

/** Holds a rollout, where it would go on. */
export type HoldRollout = (id: RequestId, held: OwnHold) => Promise<void>;

export function createHoldRollout({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
}): HoldRollout {
  return async (id, held) =>
    store.transaction((tables) => holdWithin(tables, { id, held, now: clock.now() }));
}

/** A person may hold a rollout, or let it go on, at any time: so its age is looked at as often. */
const AGE_LOOK_MS = HOUR;

/** Holds a rollout whose approval ended, and ends one that nobody let go on; says when its age is to be looked at again. */
export function createAgeRollout({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
}): (id: RequestId) => Promise<WorkResult> {
  return async (id) => {
    const now = clock.now();
    await store.transaction((tables) =>
      changeWithin(tables, { id, now, become: (request) => agedRollout(request, now) }),
    );
    const request = await store.requests.get(id);
    const rollout = request?.rollout ?? null;
    const next = request === null || rollout === null ? null : nextAgeAt({ ...request, rollout });
    const latest = later(now, AGE_LOOK_MS);
    return next === null ? { kind: 'done' } : { kind: 'again', dueAt: next < latest ? next : latest };
  };
}

/** Holds all rollouts of the organization, so that none goes on by itself. */
export async function holdAllRollouts(tables: StoreTables, hold: RolloutHold, now: Instant): Promise<void> {
  const filter = { states: ['approved', 'running'], inWaves: true } as const;
  let last: RequestRecord | undefined;
  do {
    const after = last === undefined ? {} : { after: last };
    const found = await tables.requests.list({ ...filter, ...after }, ROLLOUTS_AT_ONCE);
    for (const { id } of found) await holdWithin(tables, { id, held: { hold }, now });
    last = found.length < ROLLOUTS_AT_ONCE ? undefined : found.at(-1);
  } while (last !== undefined);
}

/** As many as the store lists at once. */
const ROLLOUTS_AT_ONCE = 500;

function holdWithin(
  tables: StoreTables,
  { id, held, now }: { readonly id: RequestId; readonly held: OwnHold; readonly now: Instant },
): Promise<void> {
  const { hold, note } = held;
  return changeWithin(tables, { id, now, note, become: (request) => heldRollout(request, hold) });
}

type OwnChange = {
  readonly id: RequestId;
  readonly now: Instant;
  readonly note?: RequestNote | undefined;
  /** Null: it stays as it is. */
  readonly become: (request: RequestRecord & { readonly rollout: Rollout }) => Rollout | null;
};

async function changeWithin(tables: StoreTables, { id, now, note, become }: OwnChange): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const request = await tables.requests.get(id);
    if (request === null || request.rollout === null) return;
    const rollout = become({ ...request, rollout: request.rollout });
    if (rollout === null) return;
    const next = { ...request, rollout, note: note ?? request.note, version: request.version + 1 };
    if (!(await tables.requests.replace(next))) continue;
    await enqueueRolloutLines(tables, { before: request, after: next, now });
    const unsent = rollout.hold?.kind === 'stopped' ? await endUnresumed(tables, next, now) : null;
    await tables.audit.append(holdAuditEntry(id, rollout, { at: now, unsent }));
    await tables.cards.enqueueUpdate(requestCardKey(request), now);
    return;
  }
  throw new Error(`rollout ${id} changed too often to be held`);
}

/** How many devices got nothing. What was sent is followed as before. */
async function endUnresumed(tables: StoreTables, request: RequestRecord, now: Instant): Promise<number> {
  const { unsent, settled } = await endRest(tables, request, now);
  await notifyOfEndUnresumed(tables, settled, now);
  return unsent;
}

function holdAuditEntry(
  subject: RequestId,
  { wave: index, hold }: Rollout,
  { at, unsent }: { readonly at: Instant; readonly unsent: number | null },
): AuditEntry {
  const about = { at, actor: 'patchbay', subject } as const;
  const wave = index + 1;
  switch (hold?.kind) {
    case 'braked': {
      const { bad, ended } = hold;
      return { ...about, action: 'rollout.drifted', detail: { wave, bad, ended } };
    }
    case 'expired':
      return { ...about, action: 'rollout.expired', detail: { wave } };
    case 'away':
      return { ...about, action: 'rollout.away', detail: { wave, from: hold.from } };
    case 'stopped': {
      const action = hold.why === 'rights' ? 'rollout.unauthorized' : 'rollout.unresumed';
      return { ...about, action, detail: { wave, unsent } };
    }
    case undefined:
    case 'paused':
    case 'unanswered':
    case 'gate':
      return { ...about, action: 'rollout.paused', detail: { wave } };
  }
}
