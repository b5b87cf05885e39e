/** What became of an edit, by what the service answered and what reading back shows: pure. */
import type { Instant } from '../clock.ts';
import { FIELD_WORDS } from '../fleet/changes.ts';
import type { EditedField, EditOutcome, Findings } from '../fleet/edits.ts';
import { type FleetEdit, fieldsOf } from '../fleet/orders.ts';
import type { GroupId } from '../ids.ts';
import type { TargetRecord } from '../store/records.ts';
import { upperFirst } from '../text.ts';
import { refusedText } from './target.ts';
import { clip, errorText } from './words.ts';

/** What is known of a change that the service took. */
export type EditEnd = Findings<EditedField> & {
  /** Of a group that was made. */
  readonly groupId?: GroupId;
};

/** What became of the one call. */
export function afterEdit(
  target: TargetRecord,
  edit: FleetEdit,
  outcome: Exclude<EditOutcome<EditEnd>, { kind: 'withheld' }>,
  now: Instant,
): TargetRecord {
  switch (outcome.kind) {
    case 'refused':
      return { ...target, state: 'refused', endedAt: now, evidence: refusalText(outcome.error) };
    case 'unknown': {
      const evidence = `The answer to the change was lost: ${errorText(outcome.error)}. ${LOOKING}`;
      return { ...target, state: 'unknown', evidence };
    }
    case 'done':
      return concluded({ ...target, acceptedAt: now }, edit, outcome.result, now);
  }
}

/** Found claimed, with no word of what became of it: the process ended in between. It may have been sent. */
export function afterEditStop(target: TargetRecord): TargetRecord {
  const what =
    'Patchbay stopped while sending the change. The management service may or may not have accepted it.';
  return { ...target, state: 'unknown', evidence: `${what} ${LOOKING}` };
}

const LOOKING = 'Patchbay is checking whether it was made and won’t send it again.';

/** Refused by ourselves, before anything was sent, or by the service. */
function refusalText(error: Extract<EditOutcome<never>, { kind: 'refused' }>['error']): string {
  const here = error.kind === 'invalid' && error.status === null;
  return here ? `Nothing was sent: ${clip(error.detail, 200)}.` : refusedText(error, 'change');
}

/**
 * The end of a change that was taken, by the fields: verified where some read as sent and none otherwise. Where none
 * is shown yet it is only accepted, and looked at again.
 */
export function concluded(target: TargetRecord, edit: FleetEdit, end: EditEnd, now: Instant): TargetRecord {
  const { notTaken, sentUnconfirmed } = end;
  const evidence = findingsText(target, edit, end);
  if (notTaken.length > 0) return { ...target, state: 'not_verified', endedAt: now, evidence };
  if (shownAsSent(edit, end).length === 0 && sentUnconfirmed.length > 0)
    return { ...target, state: 'accepted', evidence };
  return { ...target, state: 'verified', endedAt: now, evidence };
}

/** The fields that read as they were sent. */
function shownAsSent(edit: FleetEdit, { notTaken, sentUnconfirmed }: EditEnd): readonly EditedField[] {
  return fieldsOf(edit).filter((field) => !notTaken.includes(field) && !sentUnconfirmed.includes(field));
}

function findingsText(target: TargetRecord, edit: FleetEdit, end: EditEnd): string {
  const { notTaken, sentUnconfirmed, alsoChanged, groupId } = end;
  const shown = shownAsSent(edit, end);
  const lost = target.acceptedAt === null ? 'The answer was lost, but the change is visible now.' : null;
  return [
    lost,
    groupId === undefined ? null : `It is group #${groupId}.`,
    shown.length === 0 ? null : `Confirmed ${fieldsText(shown)}${newName(edit)}.`,
    notTaken.length === 0 ? null : `The management service shows other values for ${fieldsText(notTaken)}.`,
    sentUnconfirmed.length === 0
      ? null
      : `Sent but not shown by the management service: ${fieldsText(sentUnconfirmed)}.`,
    alsoChanged.length === 0
      ? null
      : `${upperFirst(fieldsText(alsoChanged))} also changed, maybe by someone else.`,
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

/** The new name where that is all that was changed: it is what people look for then. */
function newName(edit: FleetEdit): string {
  const [field, ...others] = fieldsOf(edit);
  if (edit.kind !== 'device-edit' || field !== 'customName' || others.length > 0) return '';
  const { customName = null } = edit.change;
  return customName === null ? ' (none)' : ` “${clip(customName, 80)}”`;
}

/** Every one of them: there are at most eight. */
export function fieldsText(fields: readonly EditedField[]): string {
  return fields.map((field) => FIELD_WORDS[field]).join(', ');
}
