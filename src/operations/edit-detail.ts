/**
 * What an edit changes, as facts for the audit: `FIELD.before` and `FIELD.after`, and of tags that are only added or taken
 * `tags.added` and `tags.removed`. Addresses are personal and stay out. Pure.
 */
import { type Change, changesOf } from '../fleet/changes.ts';
import type { EditedField } from '../fleet/edits.ts';
import { type FleetEdit, fieldsOf } from '../fleet/orders.ts';
import type { AuditEntry, TargetFacts } from '../store/records.ts';
import { clip } from './words.ts';

type Detail = AuditEntry['detail'];

/** Longest value that is kept. */
const LONGEST = 240;
const PERSONAL: ReadonlySet<EditedField> = new Set(['addresses']);

/** Of several things only what is the same of all: each has its own line when it ends. */
export function editDetail(edit: FleetEdit, targets: readonly TargetFacts[]): Detail {
  const rows = targets.flatMap((facts) => changesOf(edit, facts));
  const details = fieldsOf(edit)
    .filter((field) => !PERSONAL.has(field))
    .map((field) =>
      ofField(
        field,
        rows.filter((row) => row.field === field),
      ),
    );
  return Object.assign({}, ...details, retagged(edit));
}

function ofField(field: EditedField, rows: readonly Change[]): Detail {
  const before = theOne(rows.map((row) => row.before));
  const after = theOne(rows.map((row) => row.after));
  return {
    ...(before === null ? {} : { [`${field}.before`]: clip(before, LONGEST) }),
    ...(after === null ? {} : { [`${field}.after`]: clip(after, LONGEST) }),
  };
}

function retagged(edit: FleetEdit): Detail {
  if (edit.kind !== 'device-edit' || edit.change.retag === undefined) return {};
  const { add, remove } = edit.change.retag;
  return {
    ...(add.length === 0 ? {} : { 'tags.added': clip(add.join(', '), LONGEST) }),
    ...(remove.length === 0 ? {} : { 'tags.removed': clip(remove.join(', '), LONGEST) }),
  };
}

function theOne(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}
