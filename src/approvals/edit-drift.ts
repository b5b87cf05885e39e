/** What changed between the card of an edit and now, in plain words: pure. */
import { type Change, changesOf, FIELD_WORDS } from '../fleet/changes.ts';
import type { FleetEdit } from '../fleet/orders.ts';
import { nameText, policyText } from '../operations/words.ts';
import type { TargetFacts } from '../store/records.ts';
import { rewritten } from './drift.ts';

/**
 * The changes of one thing, each a clause that names it: what it is called, the fields that the edit is about, and the
 * names of what the edit points at. Whether a device is online or who uses it does not matter to its record. `gone`:
 * the service does not know it any more.
 */
export function editDrift(
  edit: FleetEdit,
  sealed: TargetFacts,
  fresh: TargetFacts | 'gone',
): readonly string[] {
  const name = nameText(sealed.displayName);
  if (fresh === 'gone') return [`${name} no longer exists in the management service`];
  const before = changesOf(edit, sealed);
  const moved = changesOf(edit, fresh).flatMap((now) => clauses(name, before, now));
  return [...renamed(name, moved.length > 0, sealed, fresh), ...moved, ...rewrittenPolicies(sealed, fresh)];
}

/** The devices of the group will do what its new policies say: that may be something else by now. */
function rewrittenPolicies(sealed: TargetFacts, fresh: TargetFacts): readonly string[] {
  if (sealed.deviceId !== null || fresh.deviceId !== null) return [];
  const now = new Map(fresh.policies.map((one) => [one.id, one]));
  return sealed.policies.flatMap(({ id, name, digest = null }) => {
    const after = now.get(id);
    // One that the group has got meanwhile comes with nothing.
    return after?.digest === undefined
      ? []
      : rewritten(policyText(id, after.name ?? name), digest, after.digest);
  });
}

/** Where a field that is asked for changed, the new name may be that very change: then it is said once. */
function renamed(name: string, moved: boolean, sealed: TargetFacts, fresh: TargetFacts): readonly string[] {
  if (sealed.deviceId !== null && fresh.deviceId !== null && sealed.hostname !== fresh.hostname)
    return [`the hostname of ${name} is now ${quoted(fresh.hostname)} (was ${quoted(sealed.hostname)})`];
  if (sealed.displayName === fresh.displayName || moved) return [];
  return [`${name} is now named ${quoted(fresh.displayName)}`];
}

function clauses(name: string, sealed: readonly Change[], now: Change): readonly string[] {
  const was = sealed.find(({ field }) => field === now.field);
  if (was === undefined) return [];
  const label = FIELD_WORDS[now.field];
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
