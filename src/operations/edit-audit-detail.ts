/**
 * What an edit changes, as facts for the audit: `FIELD.before` and `FIELD.after`, and of tags that are only added or taken
 * `tags.added` and `tags.removed`. Addresses are personal and stay out. Pure.
 */
import { type FieldChange, fieldChanges } from '../fleet/facts/edit-changes.ts';
import { editedFields, type FleetEdit } from '../fleet/model/actions.ts';
import type { EditedField } from '../fleet/model/edits.ts';
import type { AuditEntry, TargetFacts } from '../store/port/records.ts';
import { clip } from './evidence-text.ts';

type AuditDetail = AuditEntry['detail'];

/** Longest value that is kept. */
const MAX_VALUE_LENGTH = 240;
const PERSONAL_FIELDS: ReadonlySet<EditedField> = new Set(['addresses']);

/** Of several things only what is the same of all: each has its own line when it ends. */
export function editAuditDetail(edit: FleetEdit, targets: readonly TargetFacts[]): AuditDetail {
  const rows = targets.flatMap((facts) => fieldChanges(edit, facts));
  const details = editedFields(edit)
    .filter((field) => !PERSONAL_FIELDS.has(field))
    .map((field) =>
      fieldDetail(
        field,
        rows.filter((row) => row.field === field),
      ),
    );
  return Object.assign({}, ...details, tagDetail(edit));
}

function fieldDetail(field: EditedField, rows: readonly FieldChange[]): AuditDetail {
  const before = commonValue(rows.map((row) => row.before));
  const after = commonValue(rows.map((row) => row.after));
  return {
    ...(before === null ? {} : { [`${field}.before`]: clip(before, MAX_VALUE_LENGTH) }),
    ...(after === null ? {} : { [`${field}.after`]: clip(after, MAX_VALUE_LENGTH) }),
  };
}

function tagDetail(edit: FleetEdit): AuditDetail {
  if (edit.kind !== 'device-edit' || edit.change.retag === undefined) return {};
  const { add, remove } = edit.change.retag;
  return {
    ...(add.length === 0 ? {} : { 'tags.added': clip(add.join(', '), MAX_VALUE_LENGTH) }),
    ...(remove.length === 0 ? {} : { 'tags.removed': clip(remove.join(', '), MAX_VALUE_LENGTH) }),
  };
}

function commonValue(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}
