/**
 * What the audit keeps of a request. An edit's changes are `FIELD.before` and `FIELD.after`, and of tags that are only
 * added or taken `tags.added` and `tags.removed`. Addresses are personal and stay out. Pure.
 */
import { type FieldChange, fieldChanges, removalEffects } from '../../fleet/facts/edit-changes.ts';
import type { TargetFacts } from '../../fleet/facts/facts.ts';
import {
  editedFields,
  type FleetAction,
  type FleetEdit,
  isEdit,
  isRemoval,
} from '../../fleet/model/actions.ts';
import type { EditedField } from '../../fleet/model/changes.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { quoteValue } from '../../lib/text.ts';
import type { AuditEntry } from '../../store/port/store.ts';
import { clip } from '../clip.ts';

type AuditDetail = AuditEntry['detail'];

/** Longest value that is kept. */
const MAX_VALUE_LENGTH = 240;
/** Characters of a reason: the whole stands on the card. */
const MAX_REASON_LENGTH = 300;
/** Device ids that a line lists; more are in the rows of the request. */
const MAX_LISTED_DEVICES = 100;
const PERSONAL_FIELDS: ReadonlySet<EditedField> = new Set(['addresses']);

/** What a person gave as the reason, or said about a decision; nothing where they gave none. */
export function saidAuditDetail(name: 'reason' | 'comment', said: string | null | undefined): AuditDetail {
  return said === null || said === undefined ? {} : { [name]: clip(said, MAX_REASON_LENGTH) };
}

/** What was asked, and of which devices. */
export function requestAuditDetail(action: FleetAction, facts: readonly TargetFacts[]): AuditDetail {
  return {
    command: action.kind,
    ...actionDetail(action),
    devices: devicesText(facts),
    ...(isEdit(action) ? editAuditDetail(action, facts) : {}),
    ...(isRemoval(action) ? removalAuditDetail(facts) : {}),
  };
}

/** The name of what is removed, because the service won't know it any more, and what goes with it. */
function removalAuditDetail([facts]: readonly TargetFacts[]): AuditDetail {
  if (facts === undefined) return {};
  const effects = removalEffects(facts).map(({ label, value }) => `${label}: ${value}`);
  return {
    name: clip(facts.displayName, MAX_VALUE_LENGTH),
    ...(effects.length === 0 ? {} : { removes: clip(effects.join('; '), 2 * MAX_VALUE_LENGTH) }),
  };
}

function devicesText(facts: readonly TargetFacts[]): string {
  const ids = facts.flatMap(({ deviceId }): readonly DeviceId[] => (deviceId === null ? [] : [deviceId]));
  const more = ids.length - MAX_LISTED_DEVICES;
  const listed = ids.slice(0, MAX_LISTED_DEVICES).join(' ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}

function actionDetail(action: FleetAction): AuditDetail {
  if (isRemoval(action)) return action.kind === 'group-remove' ? { group: action.groupId } : {};
  if (!isEdit(action)) {
    if ((action.kind === 'patch' || action.kind === 'patch-each') && action.chosen)
      return { severities: action.chosen.severities.join(' ') };
    const policy = policyIdOf(action);
    return policy === null ? {} : { policy };
  }
  const fields = editedFields(action).join(' ');
  switch (action.kind) {
    case 'device-edit':
      return { fields };
    case 'group-create':
      return { fields, group: action.group.name };
    case 'group-edit':
      return { fields, group: action.groupId };
    case 'policy-create':
      return { fields, policy: action.policy.name };
    case 'policy-edit':
      return { fields, policy: action.policyId };
  }
}

/** Of several things only what is the same of all: each has its own line when it ends. */
export function editAuditDetail(edit: FleetEdit, targets: readonly TargetFacts[]): AuditDetail {
  const rows = targets.flatMap((facts) => fieldChanges(edit, facts));
  const details = editedFields(edit)
    .filter((field) => !PERSONAL_FIELDS.has(field))
    .map((field) => fieldDetail(field, rows));
  return Object.assign({}, ...details, tagDetail(edit));
}

function fieldDetail(field: EditedField, changes: readonly FieldChange[]): AuditDetail {
  const rows = changes.filter((row) => row.field === field);
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
  const listed = (tags: readonly string[]) => clip(tags.map(quoteValue).join(', '), MAX_VALUE_LENGTH);
  return {
    ...(add.length === 0 ? {} : { 'tags.added': listed(add) }),
    ...(remove.length === 0 ? {} : { 'tags.removed': listed(remove) }),
  };
}

function commonValue(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}
