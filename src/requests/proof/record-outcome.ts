/** What became of an edit or a removal, by what the service answered and what reading back shows: pure. */
import type { ReadBackFindings, Removed } from '../../fleet/fleet.ts';
import { editedFields, type FleetEdit, type RecordKind } from '../../fleet/model/actions.ts';
import type { EditedField } from '../../fleet/model/changes.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { Evidence, EvidenceList } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { clip } from '../clip.ts';
import { declinedAfterAll } from './evaluate-command.ts';

/** What is known of a change that the service took. */
export type EditFindings = ReadBackFindings<EditedField> & {
  readonly groupId?: GroupId;
  /** Of a policy that was made. */
  readonly policyId?: PolicyId;
};

/** Verified where some fields read as sent and none otherwise; where none is shown, accepted and looked at again. */
export function concludeEdit(
  target: RequestTarget,
  edit: FleetEdit,
  findings: EditFindings,
  now: Instant,
): RequestTarget {
  const { notApplied, unconfirmed } = findings;
  const evidence = findingsEvidence(target, edit, findings);
  if (notApplied.length > 0) return { ...target, state: 'not_verified', endedAt: now, evidence };
  if (fieldsShownAsSent(edit, findings).length === 0 && unconfirmed.length > 0)
    return { ...target, state: 'accepted', evidence };
  return { ...target, state: 'verified', endedAt: now, evidence };
}

function fieldsShownAsSent(
  edit: FleetEdit,
  { notApplied, unconfirmed }: EditFindings,
): readonly EditedField[] {
  return editedFields(edit).filter((field) => !notApplied.includes(field) && !unconfirmed.includes(field));
}

function findingsEvidence(target: RequestTarget, edit: FleetEdit, findings: EditFindings): EvidenceList {
  const { notApplied, unconfirmed, alsoChanged, groupId, policyId } = findings;
  const lost: EvidenceList = target.acceptedAt === null ? [{ kind: 'shown-after-loss' }] : [];
  const made: EvidenceList = [
    ...(groupId === undefined ? [] : [{ kind: 'group-made', group: groupId } as const]),
    ...(policyId === undefined ? [] : [{ kind: 'policy-made', policy: policyId } as const]),
  ];
  return [
    ...lost,
    ...made,
    ...ofFields(fieldsShownAsSent(edit, findings), (fields) => ({
      kind: 'confirmed',
      fields,
      ...newName(edit),
    })),
    ...ofFields(notApplied, (fields) => ({ kind: 'other-values', fields })),
    ...ofFields(unconfirmed, (fields) => ({ kind: 'not-shown', fields })),
    ...ofFields(alsoChanged, (fields) => ({ kind: 'also-changed', fields })),
  ];
}

/** Followed to its end, and not shown as it was sent. What is not known stays so, and is never sent again. */
export function stopLooking(target: RequestTarget, why: EvidenceList, now: Instant): RequestTarget {
  const declined = declinedAfterAll(target, now);
  if (declined !== null) return declined;
  const answerLost = target.state === 'unknown';
  return {
    ...target,
    state: answerLost ? 'unknown' : 'not_verified',
    endedAt: now,
    evidence: [{ kind: 'edit-unconfirmed', answerLost }, ...why],
  };
}

/** Nothing where there are no fields. */
export function ofFields(
  fields: readonly EditedField[],
  evidence: (fields: EditedField[]) => Evidence,
): EvidenceList {
  return fields.length === 0 ? [] : [evidence([...fields])];
}

/** The new name where that is all that was changed: it is what people look for then. */
function newName(edit: FleetEdit): { readonly name?: string | null } {
  const [field, ...others] = editedFields(edit);
  if (edit.kind !== 'device-edit' || field !== 'customName' || others.length > 0) return {};
  const { customName = null } = edit.change;
  return { name: customName === null ? null : clip(customName, 80) };
}

type Found = Removed & { readonly thing: RecordKind };

/** After the service took the removal, or after it was found done: proven where the thing is gone, else followed. */
export function concludeRemoval(target: RequestTarget, { thing, gone }: Found, now: Instant): RequestTarget {
  if (!gone) return { ...target, state: 'accepted', evidence: [{ kind: 'still-there', thing }] };
  const lost: EvidenceList = target.acceptedAt === null ? [{ kind: 'shown-after-loss' }] : [];
  return { ...target, state: 'verified', endedAt: now, evidence: [...lost, { kind: 'removed', thing }] };
}

/** A followed removal after one look. What is still there in the end is never removed again. */
export function evaluateRemoval(target: RequestTarget, found: Found, now: Instant): RequestTarget {
  if (found.gone) return concludeRemoval(target, found, now);
  if (now < target.deadlineAt) return target;
  return stopLooking(target, [{ kind: 'still-there', thing: found.thing }], now);
}
