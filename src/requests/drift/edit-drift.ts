/** What changed between the card of an edit and now: pure. */
import { fieldChanges } from '../../fleet/facts/edit-changes.ts';
import type { FieldChange } from '../../fleet/facts/field-change.ts';
import type { NamedPolicy } from '../../fleet/facts/named-policy.ts';
import { isPolicyFacts } from '../../fleet/facts/policy-edit-facts.ts';
import type { FleetEdit } from '../../fleet/model/actions.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { type DriftList, machineDrift } from './device-drift.ts';
import { newPoliciesDrift, policyConfigurationDrift } from './policy-drift.ts';

/**
 * The changes of one thing: what it is called, the fields that the edit is about, and the names of what the edit points
 * at. Whether a device is online or who uses it does not matter to its record.
 */
export function editDrift(edit: FleetEdit, sealed: TargetFacts, current: TargetFacts): DriftList {
  const before = fieldChanges(edit, sealed);
  const changed = fieldChanges(edit, current).flatMap((now) => fieldDrift(sealed.displayName, before, now));
  return [
    ...machineOf(sealed, current),
    ...nameDrift(sealed, current, changed.length > 0),
    ...changed,
    ...newPolicyDrift(sealed, current),
    ...deviceCountDrift(sealed, current),
    ...(changed.length > 0 ? [] : otherPolicyDrift(sealed, current)),
  ];
}

/** An edited policy will do what the rest of it says: that may be something else by now. */
function otherPolicyDrift(sealed: TargetFacts, current: TargetFacts): DriftList {
  if (!isPolicyFacts(sealed) || !isPolicyFacts(current) || current.policyId === null) return [];
  const policy = { id: current.policyId, name: current.displayName };
  return policyConfigurationDrift(policy, sealed.current?.digest ?? null, current.current?.digest ?? null);
}

/** The devices will do what the policies say that come to apply: that may be something else by now. */
function newPolicyDrift(sealed: TargetFacts, current: TargetFacts): DriftList {
  return newPoliciesDrift(policiesOf(sealed), policiesOf(current), ({ id, name }, applies) => [
    { kind: 'policy-applies', policy: { id, name }, applies },
  ]);
}

function policiesOf(facts: TargetFacts): readonly NamedPolicy[] {
  if (isPolicyFacts(facts)) return [];
  return facts.deviceId === null ? facts.policies : (facts.editable?.policies ?? []);
}

function machineOf(sealed: TargetFacts, current: TargetFacts): DriftList {
  return sealed.deviceId === null || current.deviceId === null ? [] : machineDrift({ sealed, current });
}

/** An edited policy reaches another number of devices. */
function deviceCountDrift(sealed: TargetFacts, current: TargetFacts): DriftList {
  if (!isPolicyFacts(sealed) || !isPolicyFacts(current) || sealed.devices === current.devices) return [];
  return [{ kind: 'device-count', name: sealed.displayName, was: sealed.devices, now: current.devices }];
}

/** Where a field that is asked for changed, the new name may be that very change: then it is said once. */
function nameDrift(sealed: TargetFacts, current: TargetFacts, hasFieldDrift: boolean): DriftList {
  const name = sealed.displayName;
  if (sealed.deviceId !== null && current.deviceId !== null && sealed.hostname !== current.hostname)
    return [{ kind: 'hostname', name, was: sealed.hostname, now: current.hostname }];
  if (sealed.displayName === current.displayName || hasFieldDrift) return [];
  return [{ kind: 'renamed', name, now: current.displayName }];
}

function fieldDrift(name: string, sealed: readonly FieldChange[], now: FieldChange): DriftList {
  const was = sealed.find(({ field }) => field === now.field);
  if (was === undefined) return [];
  const { field } = now;
  // Which addresses these are stands on no note: channels see it, and it is kept.
  if (field === 'addresses') return was.before === now.before ? [] : [{ kind: 'addresses', name }];
  if (was.before !== now.before) return [{ kind: 'field', name, field, was: was.before, now: now.before }];
  if (was.after === now.after) return [];
  return [{ kind: 'requested-field', name, field, was: was.after, now: now.after }];
}
