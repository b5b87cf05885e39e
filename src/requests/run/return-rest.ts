/**
 * Returns what is left of a rollout to its approvers, because too many of its devices changed: those are frozen anew as
 * they are, and the whole rest is sealed. What was sent before stays, and is followed.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Rollout } from '../../rollout/progress.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { ApplyEvent } from '../decide/apply-event.ts';
import type { HoldRollout } from '../decide/hold-rollout.ts';
import { summarizeTargets } from '../decide/rollout-summary.ts';
import { seal } from '../decide/seal.ts';
import { endEach } from './end-not-sent.ts';
import type { RecordMoves } from './ledger.ts';
import { readyTargets } from './ready-targets.ts';
import type { DriftedTarget } from './recheck.ts';
import { driftNote, LOST_APPROVAL } from './return-for-approval.ts';

export type ReturnRestOptions = {
  readonly store: Pick<Store, 'targets'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly applyEvent: ApplyEvent;
  readonly holdRollout: HoldRollout;
  readonly recordMoves: RecordMoves;
};

/** `drifted` of the `checked` devices of a wave; null: somebody who approved it may not approve any more. */
export type ChangedRest = { readonly drifted: readonly DriftedTarget[]; readonly checked: number } | null;

export type ReturnRest = (
  request: RequestRecord & { readonly rollout: Rollout },
  changed: ChangedRest,
) => Promise<void>;

export function createReturnRest(options: ReturnRestOptions): ReturnRest {
  const { clock, applyEvent, holdRollout } = options;
  return async (request, changed) => {
    const { id, action, rollout } = request;
    const { drifted, checked } = changed ?? { drifted: [], checked: 0 };
    const { gone = [], there = [] } = Object.groupBy(drifted, ({ facts }) =>
      facts === null ? 'gone' : 'there',
    );
    await leaveOut(options, request, gone);
    const renewed = there.flatMap(({ target, facts }) =>
      facts === null ? [] : [{ ...target, facts, displayName: facts.displayName }],
    );
    const rest = await factsOfRest(options, id, renewed);
    if (rest.length === 0) return;
    const now = clock.now();
    const bad = drifted.length;
    const note = changed === null ? LOST_APPROVAL : driftNote(request, drifted);
    const event = {
      kind: 'return',
      seal: seal({ action, targets: rest, plan: rollout.plan }),
      note,
      rest: { summary: summarizeTargets(rest, now, rollout.summary.packagesRead), bad, ended: checked },
    } as const;
    const result = await applyEvent(id, event, (tables) => tables.targets.refreeze(id, renewed));
    // What nobody had to approve can wait for no approval.
    if (result.kind === 'changed' || (result.kind === 'refused' && changed !== null)) return;
    // Another request waits for the same: an approver has to resume this one.
    const hold =
      changed === null
        ? ({ kind: 'paused', by: null, at: now } as const)
        : ({ kind: 'braked', bad, ended: checked, at: now, why: 'drifted' } as const);
    await holdRollout(id, { hold, note });
    await leaveOut(options, request, there);
  };
}

/** Ends these: they changed since they were approved. */
export async function leaveOut(
  options: Pick<ReturnRestOptions, 'clock' | 'recordMoves'>,
  request: RequestRecord,
  drifted: readonly DriftedTarget[],
): Promise<void> {
  await endEach(
    options,
    request,
    drifted.map(({ target, drift }) => ({ target, why: driftNote(request, [{ drift }]) })),
  );
}

/** Of all that is not sent, in its order, as it would be sealed. */
async function factsOfRest(
  options: Pick<ReturnRestOptions, 'store'>,
  id: RequestRecord['id'],
  renewed: readonly RequestTarget[],
): Promise<readonly TargetFacts[]> {
  const asTheyAre = new Map(renewed.map(({ position, facts }) => [position, facts]));
  const facts: TargetFacts[] = [];
  for await (const target of readyTargets(options, id)) {
    const current = asTheyAre.get(target.position) ?? target.facts;
    if (current !== null) facts.push(current);
  }
  return facts;
}
