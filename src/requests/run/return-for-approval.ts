/** Returns an approved request to its approvers when it cannot be carried out as approved. Nothing was sent. */
import { recordKindOf } from '../../fleet/model/actions.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Evidence, RequestNote } from '../../store/port/evidence.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { ApplyEvent } from '../decide/apply-event.ts';
import { pausedBy } from '../decide/pause-switch.ts';
import { seal } from '../decide/seal.ts';
import { newTarget } from '../target.ts';
import type { EndNotSent } from './end-not-sent.ts';
import { type CheckedTarget, currentFacts } from './recheck.ts';

export type ReturnForApproval = {
  /** Something changed: asked again with what is true now. */
  readonly changed: (request: RequestRecord, checked: readonly CheckedTarget[]) => Promise<void>;
  /** Asked again at once, so that nothing runs by surprise when the pause ends. */
  readonly paused: (
    request: RequestRecord,
    targets: readonly RequestTarget[],
    pause: PauseRecord,
  ) => Promise<void>;
  /** Somebody who approved it may not approve any more. */
  readonly unapproved: (request: RequestRecord, targets: readonly RequestTarget[]) => Promise<void>;
};

export type ReturnOptions = {
  readonly applyEvent: ApplyEvent;
  readonly endNotSent: EndNotSent;
  readonly clock: Pick<Clock, 'now'>;
};

type RequestedAgain = {
  /** Of what there is to be asked about. */
  readonly facts: readonly TargetFacts[];
  readonly note: RequestNote & Evidence;
  /** Why it ends where there is nothing. */
  readonly otherwise: Evidence;
};

export const LOST_APPROVAL = { kind: 'rights-lost', who: 'approver' } as const satisfies RequestNote;

/** Changes that a note lists. */
const MAX_LISTED_CHANGES = 12;

export function createReturnForApproval({ applyEvent, endNotSent, clock }: ReturnOptions): ReturnForApproval {
  /** With nothing left of it, or another request waiting for the same, it ends: there is nothing to ask again. */
  const requestAgain = async (
    request: RequestRecord,
    targets: readonly RequestTarget[],
    { facts, note, otherwise }: RequestedAgain,
  ): Promise<void> => {
    const { id, action } = request;
    if (facts.length === 0) return endNotSent(request, targets, [otherwise]);
    const now = clock.now();
    const event = { kind: 'return', seal: seal({ action, targets: facts }), note } as const;
    const renewed = facts.map((one, position) => newTarget(id, one, { position, now }));
    const result = await applyEvent(id, event, (tables) => tables.targets.reset(id, renewed));
    if (result.kind === 'blocked') await endNotSent(request, targets, [note, { kind: 'request-waiting' }]);
  };

  const asSealed = (
    request: RequestRecord,
    targets: readonly RequestTarget[],
    note: RequestedAgain['note'],
  ): Promise<void> => {
    const facts = targets.flatMap((target) => target.facts ?? []);
    // A record from before may have no facts to be asked about.
    return requestAgain(request, targets, { facts, note, otherwise: note });
  };

  return {
    changed: (request, checked) => {
      const note = driftNote(request, checked);
      const targets = checked.map(({ target }) => target);
      const gone = { kind: 'gone', thing: recordKindOf(request.action) } as const;
      return requestAgain(request, targets, { facts: currentFacts(checked), note, otherwise: gone });
    },
    paused: (request, targets, pause) => asSealed(request, targets, pausedBy(pause)),
    unapproved: (request, targets) => asSealed(request, targets, LOST_APPROVAL),
  };
}

/** What changed of these targets. A policy is the same for all devices, so what became of it is said once. */
export function driftNote(request: RequestRecord, targets: readonly Pick<CheckedTarget, 'drift'>[]) {
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
