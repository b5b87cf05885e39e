/** What goes with a device or a group that is removed, in plain text for cards and forms. Pure. */
import { quoteValue } from '../../lib/structure.ts';
import { cut } from '../../lib/text.ts';
import { type DeviceFacts, type GroupFacts, isPolicyFacts, type TargetFacts } from './facts.ts';
import { nameWithId } from './field-change.ts';

export type RemovalEffect = { readonly label: string; readonly value: string };

/** Names that one line lists; the others are counted. */
const MAX_LISTED = 10;
/** Longest of these names. */
const MAX_NAME = 60;

/** What goes with it, a line each; none for facts of another kind of request. */
export function removalEffects(facts: TargetFacts): readonly RemovalEffect[] {
  if (isPolicyFacts(facts)) return [];
  return facts.deviceId === null ? groupEffects(facts) : deviceEffects(facts);
}

function deviceEffects({ removal }: DeviceFacts): readonly RemovalEffect[] {
  if (removal === undefined) return [];
  const queued = removal.queued.map(({ type }) => quoteValue(type || 'a command without a type'));
  return [
    listed('Policies', removal.policies.map(shownName)),
    listed('Queued commands, also deleted', queued),
  ].flat();
}

function groupEffects({ group, removal }: GroupFacts): readonly RemovalEffect[] {
  if (removal === undefined) return [];
  const { devices, subgroups, policiesAfter } = removal;
  return [
    listed('Devices, moved to the Default Group', devices.listed.map(shownName), devices.count),
    listed('Subgroups', subgroups.map(shownName)),
    listed('Linked policies', (group?.policies ?? []).map(shownName)),
    devices.count === 0 ? [] : listed('Policies of the Default Group', policiesAfter.map(shownName)),
  ].flat();
}

/** Always with its id, because this cannot be undone. */
function shownName({ id, name }: { readonly id: number; readonly name: string | null }): string {
  return name === null || name === '' ? `#${id}` : nameWithId({ id, name: cut(name, MAX_NAME) });
}

/** Nothing where there are none. `count`: how many there are, where not all have a name here. */
function listed(label: string, names: readonly string[], count = names.length): readonly RemovalEffect[] {
  if (count === 0) return [];
  const shown = names.slice(0, MAX_LISTED);
  const left = count - shown.length;
  if (shown.length === 0) return [{ label: `${label} (${count})`, value: 'too many to list' }];
  const more = left > 0 ? ` and ${left} more` : '';
  return [{ label: `${label} (${count})`, value: `${shown.join(', ')}${more}` }];
}
