/** Pausing, stopping and resuming rollouts: each one transaction, which every claim of the rollout comes before or after. */
import type { Clock, Instant } from '../../lib/clock.ts';
import { type PersonId, type RequestId, requestCardKey } from '../../lib/ids.ts';
import { type Rollout, waveWorkAt } from '../../rollout/progress.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { expectedUntil } from '../look-schedule.ts';
import { announceChange } from '../notifications.ts';
import { waveCountsOf } from '../settle-request.ts';
import { endRest, endWaiting, HELD_BY_DEVICE, waitsOnlyForOffline } from './hold-rollout.ts';
import { ChangesPaused, catchPaused, throwIfPaused } from './pause-switch.ts';
import { type ControlPress, controlRollout, letsGoOn, type RolloutControl } from './rollout-machine.ts';
import type { DecisionResult } from './state-machine.ts';

export type ControlInput = Omit<ControlPress, 'by'> & {
  readonly requestId: RequestId;
  readonly person: PersonId;
};

export type ControlRollout = (
  input: ControlInput,
  /** Joins the transaction. */
  also?: (tables: StoreTables) => Promise<void>,
) => Promise<DecisionResult>;

type ControlOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly wakeWorker: () => void;
};

/** Each target that moves changes the request, so a press may need some tries while much is sent. */
const MAX_TRIES = 100;

export function createControlRollout({ store, clock, wakeWorker }: ControlOptions): ControlRollout {
  const tryOnce = async (...[input, also]: Parameters<ControlRollout>): Promise<DecisionResult | null> => {
    const { requestId, person: by, ...pressed } = input;
    const { control } = pressed;
    const request = await store.requests.get(requestId);
    if (request === null || request.rollout === null) return { kind: 'absent' };
    const { rollout } = request;
    const now = clock.now();
    // Of the version that was read: where a target moved since, the replacement below fails.
    const counts = await waveCountsOf(store, requestId, rollout);
    const onlyOffline = await isOnlyOffline(store, { ...request, rollout }, now);
    const decided = controlRollout({ ...request, rollout }, { ...pressed, by }, { counts, onlyOffline, now });
    if (decided.kind === 'refused') return decided;
    const next = { ...request, rollout: decided.rollout, version: request.version + 1 };
    const written = await store.transaction(async (tables) => {
      if (letsGoOn(control)) await throwIfPaused(tables);
      if (!(await tables.requests.replace(next))) return null;
      await also?.(tables);
      return recordControl(tables, { before: request, after: next, control, by, now });
    });
    return written && { kind: 'decided', request: written };
  };
  return async (input, also) => {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const result = await catchPaused(() => tryOnce(input, also));
      if (result instanceof ChangesPaused) return { kind: 'paused', pause: result.pause };
      if (result?.kind === 'decided') wakeWorker();
      if (result !== null) return result;
    }
    throw new Error(`rollout ${input.requestId} changed too often to be changed`);
  };
}

/** Whether all that it waits for are devices that are offline. */
export async function isOnlyOffline(
  { requests, targets }: Pick<Store, 'requests' | 'targets'>,
  request: RequestRecord & { readonly rollout: Rollout },
  now: Instant,
): Promise<boolean> {
  const { id, rollout } = request;
  const offline = await targets.countDueAfter([id], HELD_BY_DEVICE, expectedUntil(now));
  const wave = (await requests.waveCounts(id))[rollout.wave];
  return waitsOnlyForOffline(request, { wave, offline: offline.get(id) ?? 0 });
}

type Controlled = {
  readonly before: RequestRecord;
  readonly after: RequestRecord & { readonly rollout: Rollout };
  readonly control: RolloutControl;
  readonly by: PersonId;
  readonly now: Instant;
};

const AUDIT_ACTIONS: Readonly<Record<RolloutControl, string>> = {
  pause: 'rollout.paused',
  resume: 'rollout.resumed',
  stop: 'rollout.stopped',
  continue: 'rollout.continued',
  'continue-without': 'rollout.continued-without',
  close: 'rollout.closed',
};

async function recordControl(
  tables: StoreTables,
  { before, after, control, by, now }: Controlled,
): Promise<RequestRecord> {
  const { id, rollout } = after;
  const about = { at: now, actor: by, action: AUDIT_ACTIONS[control], subject: id };
  const card = requestCardKey(after);
  const wave = { wave: (before.rollout?.wave ?? 0) + 1 };
  const isWithout = control === 'continue-without';
  await announceChange(tables, { before, after, by, isWithout, now });
  if (control === 'close') await endWaiting(tables, after, now);
  if (control === 'stop' || control === 'close') {
    const { unsent, settled } = await endRest(tables, after, now);
    await tables.audit.append({ ...about, detail: { ...wave, unsent } });
    await tables.cards.enqueueUpdate(card, now);
    return settled;
  }
  await tables.audit.append({ ...about, detail: wave });
  if (!isWithout && rollout.wave > (before.rollout?.wave ?? 0))
    await tables.audit.append({ ...about, action: 'rollout.wave-ended', detail: { ...wave, waits: false } });
  if (rollout.hold === null) await tables.work.put({ kind: 'run', key: id, dueAt: waveWorkAt(rollout, now) });
  await tables.cards.enqueueUpdate(card, now);
  return after;
}
