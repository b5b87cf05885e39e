/** The policies that a group has after some are linked and others unlinked. */
import type { Policy } from '../../fleet/model/policy.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { policyId } from '../../lib/ids.ts';
import type { HelpEntry } from '../../views/model.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { problemView, usageProblem } from '../parser/usage-errors.ts';
import { resolveName, unknownNameView } from '../targets/name-choices.ts';
import { matchName, type NameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { policyChoiceNames } from '../targets/resolve-policy.ts';
import type { GroupInput } from './group-fields.ts';
import { listAfter } from './list-after.ts';

type NotLinked = Extract<Planned, { kind: 'view' | 'problem' }>;
type Resolved = { readonly kind: 'policies'; readonly ids: readonly number[] } | NotLinked;

type LinkContext = {
  readonly command: Pick<HelpEntry, 'name' | 'usage'>;
  /** The policies of the group as it is, or what to show where it no longer exists. */
  readonly current: () => Promise<Resolved>;
};

/** The input with the whole list of policies in place of those to link and unlink. Throws FleetFailure. */
export async function withLinkedPolicies<Input extends GroupInput>(
  input: Input,
  { command, current }: LinkContext,
  { fleet }: Pick<ReadPorts, 'fleet'>,
): Promise<{ readonly kind: 'input'; readonly input: Input } | NotLinked> {
  const { link = [], unlink = [] } = input;
  if (link.length + unlink.length === 0) return { kind: 'input', input };
  const all = await collectRows(fleet.policies(PERSON_PRIORITY));
  const again = (links: Partial<GroupInput>) => ({ command: command.name, input: { ...input, ...links } });
  const added = resolveAll(link, all, (chosen) => again({ link: chosen }));
  if (added.kind !== 'policies') return added;
  const removed = resolveAll(unlink, all, (chosen) => again({ unlink: chosen }));
  if (removed.kind !== 'policies') return removed;
  const linked = input.policies === undefined ? await current() : policiesOf(input.policies);
  if (linked.kind !== 'policies') return linked;
  const foreign = removed.ids.find((id) => !linked.ids.includes(id));
  if (foreign !== undefined) {
    const name = all.find(({ id }) => id === foreign)?.name ?? `#${foreign}`;
    const expected = 'a policy that is linked to this group';
    const fault = { kind: 'bad-value', word: `-policy:${name}`, expected } as const;
    return { kind: 'problem', problem: usageProblem(command, fault) };
  }
  const policies = [...listAfter(linked.ids, added.ids, removed.ids)];
  return { kind: 'input', input: { ...input, policies, link: [], unlink: [] } };
}

export function policiesOf(ids: readonly number[]): Resolved {
  return { kind: 'policies', ids };
}

function resolveAll(
  refs: readonly NameOrId[],
  all: readonly Policy[],
  again: (refs: NameOrId[]) => CommandChoice,
): Resolved {
  const ids: number[] = [];
  for (const [at, ref] of refs.entries()) {
    const naming = policyChoiceNames((id) => again(refs.with(at, id)));
    const found = resolveName(ref, all, naming, policyId);
    if (found.kind === 'view') return found;
    if (!all.some(({ id }) => id === found.id))
      return { kind: 'view', view: problemView(unknownNameView(`#${found.id}`, [], naming)) };
    ids.push(found.id);
  }
  return policiesOf(ids);
}

/** The whole list for the fields of a form. Names that do not mean one policy are left out. */
export function prefilledPolicies(
  { policies, link = [], unlink = [] }: GroupInput,
  current: readonly number[],
  all: readonly Policy[],
): readonly number[] {
  const idsOf = (refs: readonly NameOrId[]) =>
    refs.flatMap((ref) => {
      const found = matchName(ref, all, ({ name }) => name);
      return found.kind === 'one' ? [found.id] : [];
    });
  return listAfter(policies ?? current, idsOf(link), idsOf(unlink));
}
