/** What goes with a device or a group that is removed, in plain text for cards and forms. Pure. */
import { cut } from '../../lib/text.ts';
import {
  type DeviceFacts,
  type GroupFacts,
  isPolicyFacts,
  type NamedPolicy,
  type TargetFacts,
} from './facts.ts';

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
  const queued = removal.queued.map(({ type }) => (type === '' ? 'a command without a type' : type));
  return [
    listed('Policies', removal.policies.map(policyName)),
    listed('Queued commands, also deleted', queued),
  ].flat();
}

function groupEffects({ group, removal }: GroupFacts): readonly RemovalEffect[] {
  if (removal === undefined) return [];
  const { devices, subgroups, policiesAfter } = removal;
  const names = devices.listed.map(({ name }) => name);
  const policies = (group?.policies ?? []).map(policyName);
  return [
    listed('Devices, moved to the Default Group', names, devices.count),
    listed(
      'Subgroups',
      subgroups.map(({ name }) => name),
    ),
    listed('Linked policies', policies),
    devices.count === 0 ? [] : listed('Policies of the Default Group', policiesAfter.map(policyName)),
  ].flat();
}

function policyName({ id, name }: NamedPolicy): string {
  return name === null || name === '' ? `#${id}` : name;
}

/** Nothing where there are none. `count`: how many there are, where not all have a name here. */
function listed(label: string, names: readonly string[], count = names.length): readonly RemovalEffect[] {
  if (count === 0) return [];
  const shown = names.slice(0, MAX_LISTED).map((name) => cut(name, MAX_NAME));
  const left = count - shown.length;
  if (shown.length === 0) return [{ label: `${label} (${count})`, value: 'too many to list' }];
  const more = left > 0 ? ` and ${left} more` : '';
  return [{ label: `${label} (${count})`, value: `${shown.join(', ')}${more}` }];
}
