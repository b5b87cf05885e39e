/** What changed between the card of an edit and now, in plain words: pure. */
import { FIELD_LABELS, type FieldChange, fieldChanges } from '../fleet/facts/edit-changes.ts';
import type { FleetEdit } from '../fleet/model/actions.ts';
import { nameText, policyPhrase } from '../operations/evidence-text.ts';
import type { TargetFacts } from '../store/port/records.ts';
import { policyConfigurationChanges } from './device-drift.ts';

/**
 * The changes of one thing, each a clause that names it: what it is called, the fields that the edit is about, and the
 * names of what the edit points at. Whether a device is online or who uses it does not matter to its record. `gone`:
 * the service does not know it any more.
 */
export function editDrift(
  edit: FleetEdit,
  sealed: TargetFacts,
  current: TargetFacts | 'gone',
): readonly string[] {
  const name = nameText(sealed.displayName);
  if (current === 'gone') return [`${name} no longer exists in the management service`];
  const before = fieldChanges(edit, sealed);
  const fieldChangesNow = fieldChanges(edit, current).flatMap((now) => fieldDrift(name, before, now));
  return [
    ...nameDrift(name, fieldChangesNow.length > 0, sealed, current),
    ...fieldChangesNow,
    ...policyConfigurationDrift(sealed, current),
  ];
}

/** The devices of the group will do what its new policies say: that may be something else by now. */
function policyConfigurationDrift(sealed: TargetFacts, current: TargetFacts): readonly string[] {
  if (sealed.deviceId !== null || current.deviceId !== null) return [];
  const now = new Map(current.policies.map((one) => [one.id, one]));
  return sealed.policies.flatMap(({ id, name, digest = null }) => {
    const after = now.get(id);
    // One that the group has got meanwhile comes with nothing.
    return after?.digest === undefined
      ? []
      : policyConfigurationChanges(policyPhrase(id, after.name ?? name), digest, after.digest);
  });
}

/** Where a field that is asked for changed, the new name may be that very change: then it is said once. */
function nameDrift(
  name: string,
  hasFieldChanges: boolean,
  sealed: TargetFacts,
  current: TargetFacts,
): readonly string[] {
  if (sealed.deviceId !== null && current.deviceId !== null && sealed.hostname !== current.hostname)
    return [`the hostname of ${name} is now ${quoted(current.hostname)} (was ${quoted(sealed.hostname)})`];
  if (sealed.displayName === current.displayName || hasFieldChanges) return [];
  return [`${name} is now named ${quoted(current.displayName)}`];
}

function fieldDrift(name: string, sealed: readonly FieldChange[], now: FieldChange): readonly string[] {
  const was = sealed.find(({ field }) => field === now.field);
  if (was === undefined) return [];
  const label = FIELD_LABELS[now.field];
  // Which addresses these are stands on no note: channels see it, and it is kept.
  if (now.field === 'addresses') return was.before === now.before ? [] : [`${label} of ${name} changed`];
  if (was.before !== now.before)
    return [`${label} of ${name} changed from ${quoted(was.before)} to ${quoted(now.before)}`];
  if (was.after === now.after) return [];
  return [`requested ${label} of ${name} changed from ${quoted(was.after)} to ${quoted(now.after)}`];
}

function quoted(text: string | null): string {
  return text === null ? 'nothing' : `“${nameText(text)}”`;
}
