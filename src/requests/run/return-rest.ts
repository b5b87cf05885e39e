/**
 * Returns what is left of a rollout to its approvers, because too many of its devices changed: those are frozen anew as
 * they are, and the whole rest is sealed. What was sent before stays, and is followed.
 */
import { chunksOf } from '../../lib/chunks.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Rollout } from '../../rollout/progress.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { ApplyEvent } from '../decide/apply-event.ts';
import type { HoldRollout } from '../decide/hold-rollout.ts';
import { summarizeTargets } from '../decide/rollout-summary.ts';
import { seal } from '../decide/seal.ts';
import { notSent } from '../target.ts';
import type { RecordMoves } from './ledger.ts';
import type { DriftedTarget } from './recheck.ts';
import { driftNote } from './return-for-approval.ts';

export type ReturnRestOptions = {
  readonly store: Pick<Store, 'targets'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly applyEvent: ApplyEvent;
  readonly holdRollout: HoldRollout;
  readonly recordMoves: RecordMoves;
};

/** `drifted` of the `checked` devices of a wave. */
export type ChangedRest = { readonly drifted: readonly DriftedTarget[]; readonly checked: number };

export type ReturnRest = (
  request: RequestRecord & { readonly rollout: Rollout },
  changed: ChangedRest,
) => Promise<void>;

/** In one transaction, or in the memory of one read. */
const TARGETS_AT_ONCE = 500;

export function createReturnRest(options: ReturnRestOptions): ReturnRest {
  const { clock, applyEvent, holdRollout } = options;
  return async (request, { drifted, checked }) => {
    const { id, action, rollout } = request;
    const gone = drifted.filter(({ facts }) => facts === null);
    await leaveOut(options, request, gone);
    const renewed = drifted.flatMap(({ target, facts }) =>
      facts === null ? [] : [{ ...target, facts, displayName: facts.displayName }],
    );
    const rest = await factsOfRest(options, id, renewed);
    if (rest.length === 0) return;
    const now = clock.now();
    const bad = drifted.length;
    const changes = drifted.flatMap(({ drift }) => drift);
    const note = driftNote(request, changes, bad);
    const event = {
      kind: 'return',
      seal: seal({ action, targets: rest, plan: rollout.plan }),
      note,
      rest: { summary: summarizeTargets(rest, now, rollout.summary.packagesRead), bad, ended: checked },
    } as const;
    const result = await applyEvent(id, event, (tables) => tables.targets.refreeze(id, renewed));
    if (result.kind !== 'blocked') return;
    // Another request waits for the same: an approver has to resume this one.
    const hold = { kind: 'braked', bad, ended: checked, at: now, drifted: true } as const;
    await holdRollout(id, { hold, note });
    await leaveOut(
      options,
      request,
      drifted.filter(({ facts }) => facts !== null),
    );
  };
}

/** Ends these: they changed since they were approved. */
export async function leaveOut(
  { clock, recordMoves }: Pick<ReturnRestOptions, 'clock' | 'recordMoves'>,
  request: RequestRecord,
  drifted: readonly DriftedTarget[],
): Promise<void> {
  for (const part of chunksOf(drifted, TARGETS_AT_ONCE)) {
    const now = clock.now();
    const because = ({ drift }: DriftedTarget): Evidence => driftNote(request, drift, 1);
    const moves = part.map((one) => ({
      from: 'ready' as const,
      next: notSent(one.target, because(one), now),
    }));
    await recordMoves(request, moves);
  }
}

/** Of all that is not sent, in its order, as it would be sealed. */
async function factsOfRest(
  { store }: Pick<ReturnRestOptions, 'store'>,
  id: RequestRecord['id'],
  renewed: readonly RequestTarget[],
): Promise<readonly TargetFacts[]> {
  const asTheyAre = new Map(renewed.map(({ position, facts }) => [position, facts]));
  const facts: TargetFacts[] = [];
  for (let after = -1; ; ) {
    const ready = await store.targets.of(id, { states: ['ready'], after, limit: TARGETS_AT_ONCE });
    facts.push(...ready.flatMap((target) => asTheyAre.get(target.position) ?? target.facts ?? []));
    const last = ready.at(-1);
    if (last === undefined) return facts;
    after = last.position;
  }
}
