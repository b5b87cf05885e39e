/** The outcome of an edit, from the service's answer and from reading it back. Pure. */

import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import { editedFields, type FleetEdit } from '../../fleet/model/actions.ts';
import type { EditedField, EditOutcome, ReadBackFindings } from '../../fleet/model/edits.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import { upperFirst } from '../../lib/text.ts';
import type { TargetRecord } from '../../store/port/records.ts';
import { refusedText, targetUnsent } from '../claim/target.ts';
import { clip, errorText } from '../evidence-text.ts';

/** What reading back shows of a change that the service accepted. */
export type EditFindings = ReadBackFindings<EditedField> & {
  /** Of a group that was made. */
  readonly groupId?: GroupId;
};

/** The target after the one call. */
export function targetAfterEdit(
  target: TargetRecord,
  edit: FleetEdit,
  outcome: Exclude<EditOutcome<EditFindings>, { kind: 'withheld' }>,
  now: Instant,
): TargetRecord {
  switch (outcome.kind) {
    case 'unsent':
      return targetUnsent(target, outcome.error, now);
    case 'refused':
      return { ...target, state: 'refused', endedAt: now, evidence: refusalText(outcome.error) };
    case 'unknown': {
      const evidence = `Patchbay got no clear answer: ${errorText(outcome.error)}. The change may or may not have been made. ${LOOKING_FOR_EDIT_TEXT}`;
      return { ...target, state: 'unknown', evidence };
    }
    case 'done':
      return concludeEdit({ ...target, acceptedAt: now }, edit, outcome.result, now);
  }
}

/** A claim whose process ended before it stored the answer: the change may have been made. */
export function targetAfterInterruptedEdit(target: TargetRecord): TargetRecord {
  const what =
    'Patchbay stopped while sending the change. The management service may or may not have accepted it.';
  return { ...target, state: 'unknown', evidence: `${what} ${LOOKING_FOR_EDIT_TEXT}` };
}

const LOOKING_FOR_EDIT_TEXT = 'Patchbay is checking for the change and won’t send it again.';

/** Refused by ourselves, before anything was sent, or by the service. */
function refusalText(error: Extract<EditOutcome<never>, { kind: 'refused' }>['error']): string {
  const here = error.kind === 'invalid' && error.status === null;
  return here ? `Nothing was sent: ${clip(error.detail, 200)}.` : refusedText(error, 'change');
}

/**
 * The end of a change that was taken, by the fields: verified where some read as sent and none otherwise. Where none
 * is shown yet it is only accepted, and looked at again.
 */
export function concludeEdit(
  target: TargetRecord,
  edit: FleetEdit,
  end: EditFindings,
  now: Instant,
): TargetRecord {
  const { notApplied, unconfirmed } = end;
  const evidence = findingsText(target, edit, end);
  if (notApplied.length > 0) return { ...target, state: 'not_verified', endedAt: now, evidence };
  if (fieldsShownAsSent(edit, end).length === 0 && unconfirmed.length > 0)
    return { ...target, state: 'accepted', evidence };
  return { ...target, state: 'verified', endedAt: now, evidence };
}

/** The fields that read as they were sent. */
function fieldsShownAsSent(
  edit: FleetEdit,
  { notApplied, unconfirmed }: EditFindings,
): readonly EditedField[] {
  return editedFields(edit).filter((field) => !notApplied.includes(field) && !unconfirmed.includes(field));
}

function findingsText(target: TargetRecord, edit: FleetEdit, end: EditFindings): string {
  const { notApplied, unconfirmed, alsoChanged, groupId } = end;
  const shown = fieldsShownAsSent(edit, end);
  const lost =
    target.acceptedAt === null ? 'Patchbay got no clear answer, but the change is visible now.' : null;
  return [
    lost,
    groupId === undefined ? null : `It is group #${groupId}.`,
    shown.length === 0 ? null : `Set as requested: ${fieldsText(shown)}${newName(edit)}.`,
    notApplied.length === 0
      ? null
      : `The management service shows other values for ${fieldsText(notApplied)}.`,
    unconfirmed.length === 0
      ? null
      : `Sent but not shown by the management service: ${fieldsText(unconfirmed)}.`,
    alsoChanged.length === 0
      ? null
      : `${upperFirst(fieldsText(alsoChanged))} also changed, maybe by someone else.`,
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

/** The new name where that is all that was changed: it is what people look for then. */
function newName(edit: FleetEdit): string {
  const [field, ...others] = editedFields(edit);
  if (edit.kind !== 'device-edit' || field !== 'customName' || others.length > 0) return '';
  const { customName = null } = edit.change;
  return customName === null ? ' (none)' : ` “${clip(customName, 80)}”`;
}

/** Every one of them: there are at most eight. */
export function fieldsText(fields: readonly EditedField[]): string {
  return fields.map((field) => FIELD_LABELS[field]).join(', ');
}
