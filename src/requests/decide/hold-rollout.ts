/** Holding a rollout that nobody pressed on: a pause of everything, too much drift, or a time when it could not go on. */
import type { Clock, Instant } from '../../lib/clock.ts';
import { type RequestId, requestCardKey } from '../../lib/ids.ts';
import type { Rollout, RolloutHold } from '../../rollout/progress.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import type { AuditEntry } from '../../store/port/records.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { enqueueRolloutLines } from '../rollout-lines.ts';
import { heldRollout } from './rollout-machine.ts';

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

/** Holds all rollouts of the organization, so that none goes on by itself when the pause ends. */
export async function pauseRollouts(tables: StoreTables, now: Instant): Promise<void> {
  const held = { hold: { kind: 'paused', by: null, at: now } } as const;
  const filter = { states: ['approved', 'running'], inWaves: true } as const;
  let last: RequestRecord | undefined;
  do {
    const after = last === undefined ? {} : { after: last };
    const found = await tables.requests.list({ ...filter, ...after }, ROLLOUTS_AT_ONCE);
    for (const { id } of found) await holdWithin(tables, { id, held, now });
    last = found.length < ROLLOUTS_AT_ONCE ? undefined : found.at(-1);
  } while (last !== undefined);
}

/** As many as the store lists at once. */
const ROLLOUTS_AT_ONCE = 500;

async function holdWithin(
  tables: StoreTables,
  { id, held, now }: { readonly id: RequestId; readonly held: OwnHold; readonly now: Instant },
): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const request = await tables.requests.get(id);
    if (request === null || request.rollout === null) return;
    const rollout = heldRollout({ ...request, rollout: request.rollout }, held.hold);
    if (rollout === null) return;
    const { note = request.note } = held;
    const next = { ...request, rollout, note, version: request.version + 1 };
    if (!(await tables.requests.replace(next))) continue;
    await enqueueRolloutLines(tables, { before: request, after: next, now });
    await tables.audit.append(holdAuditEntry(id, rollout, now));
    await tables.cards.enqueueUpdate(requestCardKey(request), now);
    return;
  }
  throw new Error(`rollout ${id} changed too often to be held`);
}

function holdAuditEntry(subject: RequestId, { wave, hold }: Rollout, at: Instant): AuditEntry {
  const about = { at, actor: 'patchbay', subject } as const;
  if (hold?.kind !== 'braked') return { ...about, action: 'rollout.paused', detail: { wave: wave + 1 } };
  const { bad, ended } = hold;
  return { ...about, action: 'rollout.drifted', detail: { wave: wave + 1, bad, ended } };
}
