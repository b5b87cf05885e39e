/** A followed edit after reading what it would have changed: pure. */

import { type FleetEdit, recordKindOf } from '../../fleet/model/actions.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Instant, later } from '../../lib/clock.ts';
import type { EvidenceList } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { EDIT_DEADLINE_MS } from '../look-schedule.ts';
import { concludeEdit, type EditFindings, ofFields, stopLooking } from '../proof/edit-outcome.ts';
import type { ActionKind, LookPorts } from './kind.ts';

/** What reading shows of the edit. */
export type EditObservation =
  | { readonly kind: 'shown'; readonly findings: EditFindings }
  /** The thing is not there: not yet, or not any more. */
  | { readonly kind: 'absent' }
  /** Several could be the one. */
  | { readonly kind: 'several'; readonly count: number };

/** Throws FleetFailure, but for what is missing. */
export async function shownUnlessMissing(read: () => Promise<EditFindings>): Promise<EditObservation> {
  const findings = await nullIfMissing(read);
  return findings === null ? { kind: 'absent' } : { kind: 'shown', findings };
}

/** Written before the one call. */
export function claimForEdit(target: RequestTarget, now: Instant): RequestTarget {
  const deadlineAt = later(now, EDIT_DEADLINE_MS);
  return { ...target, state: 'issuing', nextAt: null, evidence: [], issuedAt: now, deadlineAt };
}

/** A look at what reading shows of the edit. */
export function editLook<E extends FleetEdit>(
  observe: (ports: LookPorts, edit: E, target: RequestTarget) => Promise<EditObservation>,
): ActionKind<E>['look'] {
  return async (ports, edit, target) => {
    const observation = await observe(ports, edit, target);
    return { next: evaluateEdit(target, edit, observation, ports.clock.now()), device: null };
  };
}

/** The target after one look. What is not there in time is said to be not known, and never sent again. */
export function evaluateEdit(
  target: RequestTarget,
  edit: FleetEdit,
  observation: EditObservation,
  now: Instant,
): RequestTarget {
  const isOverdue = now >= target.deadlineAt;
  if (observation.kind === 'shown') {
    const next = concludeEdit(target, edit, observation.findings, now);
    // What was made is there with all that was taken of it; a change may still be on its way.
    const isSettled = next.state === 'verified' || (next.endedAt !== null && makesRecord(edit));
    if (isSettled) return next;
  }
  return isOverdue ? stopLooking(target, whyUnconfirmed(edit, observation), now) : target;
}

function whyUnconfirmed(edit: FleetEdit, observation: EditObservation): EvidenceList {
  switch (observation.kind) {
    case 'shown': {
      const { notApplied, unconfirmed } = observation.findings;
      return notApplied.length > 0
        ? ofFields(notApplied, (fields) => ({ kind: 'other-values', fields }))
        : ofFields(unconfirmed, (fields) => ({ kind: 'not-shown', fields }));
    }
    case 'absent':
      if (edit.kind === 'group-create') return [{ kind: 'no-such-group' }];
      if (edit.kind === 'policy-create') return [{ kind: 'no-such-policy' }];
      return [{ kind: 'gone', thing: recordKindOf(edit) }];
    case 'several':
      return [
        edit.kind === 'policy-create'
          ? { kind: 'several-policies', policies: observation.count }
          : { kind: 'several-groups', groups: observation.count },
      ];
  }
}

function makesRecord({ kind }: FleetEdit): boolean {
  return kind === 'group-create' || kind === 'policy-create';
}
