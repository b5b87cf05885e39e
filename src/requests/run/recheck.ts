/**
 * Reading the targets of a request again before anything is sent, beside what was sealed; and the return to its approvers
 * where it cannot be carried out as approved: of the request, or of what is left of a rollout.
 */

import type { TargetFacts } from '../../fleet/facts/facts.ts';
import type { FleetReader } from '../../fleet/fleet.ts';
import { recordKindOf } from '../../fleet/model/actions.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import { quoteValue } from '../../lib/text.ts';
import type { Rollout } from '../../rollout/progress.ts';
import { escalatedAs, unmet } from '../../rules/quorum.ts';
import { DEFAULT_ASKING } from '../../rules/rules.ts';
import type { Evidence, RequestNote } from '../../store/port/evidence.ts';
import {
  missingOf,
  type PositionRange,
  type RequestRecord,
  type RequestTarget,
  totalOf,
} from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { ApplyEvent } from '../decide/apply-event.ts';
import type { HoldRollout } from '../decide/hold-rollout.ts';
import { type JudgeChange, unfitReason } from '../decide/judge-change.ts';
import { pausedBy } from '../decide/pause-switch.ts';
import { summarizeTargets } from '../decide/record-request.ts';
import { reachOf } from '../decide/rules.ts';
import { seal } from '../decide/seal.ts';
import type { DriftList } from '../drift/sealed-drift.ts';
import type { ListedTarget, ReadPorts, TargetRead } from '../kinds/kind.ts';
import { driftOf, readTarget } from '../kinds/kinds.ts';
import { readLaneOf } from '../many-devices.ts';
import { newTarget } from '../target-transitions.ts';
import { type EndNotSent, endEach, type RecordMoves } from './ledger.ts';

export type RecheckPorts = ReadPorts & {
  /** For many devices: it does not read again for each of them what is the same for all. */
  readonly sharedReader: FleetReader;
  readonly judgeChange: JudgeChange;
};

export type CheckedTarget = {
  readonly target: RequestTarget;
  /** Null: the service does not know it any more. */
  readonly read: TargetRead | null;
  readonly drift: DriftList;
};

/** `facts`: as they are; null: the service does not know it any more. */
export type DriftedTarget = Pick<CheckedTarget, 'target' | 'drift'> & { readonly facts: TargetFacts | null };

/** Null: it is as it was sealed. */
export function driftedOf({ target, drift, read }: CheckedTarget): DriftedTarget | null {
  return drift.length === 0 ? null : { target, drift, facts: read === null ? null : read.facts };
}

/** Whether nothing of what it would install is missing any more: then there is nothing to ask about again. */
export function isNoLongerNeeded({ target, drift, facts }: DriftedTarget): boolean {
  if (facts === null || facts.deviceId === null) return false;
  const isSame = drift.every(({ kind }) => kind !== 'other-machine');
  return isSame && missingOf(target).length > 0 && facts.packages.length === 0;
}

/** `listed`: the device as a list showed it shortly before. Throws {@link FleetFailure}. */
export async function recheckTarget(
  ports: RecheckPorts,
  request: RequestRecord,
  target: RequestTarget,
  listed?: ListedTarget,
): Promise<CheckedTarget> {
  const { action, organizationId } = request;
  const lane = readLaneOf(request);
  const isRollout = request.rollout !== null;
  const reader = isRollout ? ports.sharedReader : ports.reader;
  const read = await readTarget({ ...ports, reader }, { action, organizationId, target, lane, listed });
  const { facts: sealed } = target;
  if (read === null) return { target, read, drift: [{ kind: 'gone', name: quoteValue(target.displayName) }] };
  const drift = driftOf(action, sealed, read.facts, isRollout);
  return { target, read, drift: [...drift, ...(await ruleDrift(ports, request, read.facts))] };
}

/** What the rules ask of the target as it is now, beyond what was agreed. */
export async function ruleDrift(
  { judgeChange }: Pick<RecheckPorts, 'judgeChange'>,
  request: RequestRecord,
  facts: TargetFacts,
): Promise<DriftList> {
  const { rules, counts: targets, reach } = request;
  const { judge } = await judgeChange({ ...request, targets: [facts], requester: rules.requester });
  const size = totalOf(targets) * reach;
  const judgement = judge({ size });
  const about = { kind: 'rule', name: quoteValue(facts.displayName) } as const;
  switch (judgement.kind) {
    case 'refused':
      return judgement.rules.map(({ name }) => ({ ...about, rule: name, does: 'refuses' }));
    case 'asks': {
      const unfit = unfitReason(judgement, request.reason);
      if (unfit !== null) return [{ ...about, rule: unfit.rule, does: 'asks' }];
      const demands = escalatedAs(judgement.demands, rules.demands);
      return unmet({ demands, approvals: rules.approvals }).map(({ demand: { rule } }) => ({
        ...about,
        rule,
        does: 'asks',
      }));
    }
    case 'runs':
      return [];
  }
}

export type ReturnForApproval = Readonly<ReturnType<typeof createReturnForApproval>>;

type ReturnOptions = Pick<ReturnRestOptions, 'applyEvent' | 'clock' | 'judgeChange'> & {
  readonly endNotSent: EndNotSent;
};

const LOST_APPROVAL = { kind: 'rights-lost', who: 'approver' } as const satisfies RequestNote;

/** Changes that a note lists. */
const MAX_LISTED_CHANGES = 12;

export function createReturnForApproval({ applyEvent, endNotSent, clock, judgeChange }: ReturnOptions) {
  /** With another request waiting for the same, it ends: there is nothing to ask again. */
  const requestAgain = async (
    request: RequestRecord,
    target: RequestTarget,
    note: RequestNote & Evidence,
    facts: TargetFacts = target.facts,
  ): Promise<void> => {
    const { id, action } = request;
    const renewedSeal = seal({ action, targets: [facts] });
    const reach = reachOf([facts]);
    const asks = await asksAnew({ judgeChange }, { ...request, reach }, [facts]);
    const event = { kind: 'return', seal: renewedSeal, note, reach, asks } as const;
    const renewed = newTarget(id, facts, { position: target.position, now: clock.now() });
    const result = await applyEvent(id, event, (tables) => tables.targets.reset(renewed));
    if (result.kind === 'blocked') await endNotSent(request, target, [note, { kind: 'request-waiting' }]);
  };

  return {
    /** Something changed: asked again with what is true now. */
    changed: (request: RequestRecord, { target, drift, facts }: DriftedTarget): Promise<void> =>
      facts === null
        ? endNotSent(request, target, [{ kind: 'gone', thing: recordKindOf(request.action) }])
        : requestAgain(request, target, driftNote(request, [{ drift }]), facts),
    /** Asked again at once, so that nothing runs by surprise when the pause ends. */
    paused: (request: RequestRecord, target: RequestTarget, pause: PauseRecord): Promise<void> =>
      requestAgain(request, target, pausedBy(pause)),
    /** Somebody who approved it may not approve any more. */
    unapproved: (request: RequestRecord, target: RequestTarget): Promise<void> =>
      requestAgain(request, target, LOST_APPROVAL),
  };
}

/** What changed of these targets. A policy is the same for all devices, so what became of it is said once. */
export function driftNote(request: RequestRecord, targets: readonly Pick<DriftedTarget, 'drift'>[]) {
  const all = targets.flatMap(({ drift }) => drift);
  const changes = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  return {
    kind: 'drifted',
    subject: subjectOf(request, targets.length),
    changes: changes.slice(0, MAX_LISTED_CHANGES),
    more: Math.max(changes.length - MAX_LISTED_CHANGES, 0),
  } as const satisfies RequestNote;
}

/** What was read again and changed. */
function subjectOf({ action }: RequestRecord, count: number) {
  if (action.kind === 'group-remove') return 'group';
  if (recordKindOf(action) === 'group') return 'group-or-policy';
  if (recordKindOf(action) === 'policy') return 'policy';
  if (policyIdOf(action) !== null) return 'device-or-policy';
  return count === 1 ? 'device' : 'devices';
}

/** Who has to agree to it as it is now. What a rule refuses by now waits as it did, and each press says so. */
async function asksAnew(
  { judgeChange }: Pick<RecheckPorts, 'judgeChange'>,
  request: RequestRecord,
  targets: readonly TargetFacts[],
) {
  const { rules } = request;
  const { digest, judge } = await judgeChange({ ...request, targets, requester: rules.requester });
  const judgement = judge({ size: totalOf(request.counts) * request.reach });
  if (judgement.kind === 'asks')
    return { digest, demands: judgement.demands, expiresMs: judgement.expiresMs };
  return { digest, demands: rules.demands, expiresMs: DEFAULT_ASKING.expiresMs };
}

type ReturnRestOptions = {
  readonly judgeChange: JudgeChange;
  readonly store: Pick<Store, 'targets'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly applyEvent: ApplyEvent;
  readonly holdRollout: HoldRollout;
  readonly recordMoves: RecordMoves;
};

export type ReturnRest = (
  request: RequestRecord & { readonly rollout: Rollout },
  /** `drifted` of the `checked` devices of a wave; null: somebody who approved it may not approve any more. */
  changed: { readonly drifted: readonly DriftedTarget[]; readonly checked: number } | null,
) => Promise<void>;

/**
 * Returns what is left of a rollout to its approvers, because too many of its devices changed: those are frozen anew as
 * they are, and the whole rest is sealed. What was sent before stays, and is followed.
 */
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
    const asTheyAre = new Map(renewed.map(({ position, facts }) => [position, facts]));
    // All that is not sent, in its order, as it would be sealed.
    const rest: TargetFacts[] = [];
    for await (const { position, facts: sealed } of readyTargets(options, id))
      rest.push(asTheyAre.get(position) ?? sealed);
    if (rest.length === 0) return;
    const now = clock.now();
    const bad = drifted.length;
    const note = changed === null ? LOST_APPROVAL : driftNote(request, drifted);
    const event = {
      kind: 'return',
      seal: seal({ action, targets: rest, plan: rollout.plan }),
      note,
      asks: await asksAnew(options, request, rest),
      rest: { summary: summarizeTargets(rest, now, rollout.summary), bad, ended: checked },
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

/** Ends these: they changed since they were requested, or need it no more. */
export async function leaveOut(
  options: Pick<ReturnRestOptions, 'clock' | 'recordMoves'>,
  request: RequestRecord,
  drifted: readonly DriftedTarget[],
): Promise<void> {
  const ended = drifted.map((one) => {
    const why = isNoLongerNeeded(one) ? ({ kind: 'not-needed' } as const) : driftNote(request, [one]);
    return { target: one.target, why };
  });
  await endEach(options, request, ended);
}

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
