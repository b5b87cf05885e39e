/** The groups that the commands for policies name. */
import type { PolicyEditFacts } from '../../fleet/facts/facts.ts';
import type { GroupId } from '../../lib/ids.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import type { NameOrId } from '../targets/name-lookup.ts';
import { resolveGroup, unknownGroupView } from '../targets/resolve-group.ts';

export type ResolvedGroups =
  | { readonly kind: 'groups'; readonly ids: readonly GroupId[] }
  | Extract<Planned, { kind: 'view' | 'problem' }>;

/** All of them, or what to show of the first that is not one group; `again` runs the command with its id in place. */
export async function resolveGroups(
  refs: readonly NameOrId[],
  again: (refs: readonly NameOrId[]) => CommandChoice,
  ports: ReadPorts,
): Promise<ResolvedGroups> {
  const ids: GroupId[] = [];
  for (const [at, ref] of refs.entries()) {
    const found = await resolveGroup(ref, (id) => again(refs.with(at, id)), ports);
    if (found.kind === 'view') return found;
    ids.push(found.id);
  }
  return { kind: 'groups', ids };
}

/** The service takes no links to groups that it does not have. */
export function unknownGroupIn({ groups }: PolicyEditFacts): Planned | null {
  const unknown = groups.find(({ name }) => name === null);
  return unknown === undefined ? null : { kind: 'view', view: unknownGroupView(`#${unknown.id}`) };
}
