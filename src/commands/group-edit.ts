/** `group-edit`: changes a group, after approval. */
import type { z } from 'zod';
import { readGroupForEdit } from '../fleet/facts/read-facts.ts';
import type { GroupUpdate } from '../fleet/model/actions.ts';
import { isDefaultGroup } from '../fleet/model/derived-fields.ts';
import { nullIfMissing } from '../fleet/reads/read-helpers.ts';
import type { GroupId } from '../lib/ids.ts';
import type { UsageFault } from '../views/model.ts';
import { proposeEdit } from './changes/edit-plan.ts';
import { GROUP_USAGE, groupChange, groupInput, parseGroup, usageFaultOf } from './changes/group-fields.ts';
import { policiesOf, withLinkedPolicies } from './changes/linked-policies.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { groupEditForm } from './forms/group-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { usageProblem } from './parser/usage-errors.ts';
import { nameOrId } from './targets/name-lookup.ts';
import { devicePrefill, PERSON_PRIORITY, reasonSchema } from './targets/resolve-device.ts';
import { descendants, resolveGroup, unknownGroupView } from './targets/resolve-group.ts';

const input = groupInput.extend({ group: nameOrId, reason: reasonSchema });
type Input = z.infer<typeof input>;

const HEAD = {
  name: 'group-edit',
  usage: `group-edit NAME|#ID [name:NEW] [parent:GROUP] ${GROUP_USAGE} [policy:NEW] [-policy:OLD] [because REASON]`,
};

export const groupEditCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary: 'Request a change to a group. Needs approval.',
  examples: [
    'group-edit "Web servers" every:6h because audits',
    'group-edit #3111 name:"Web" notes:""',
    'group-edit "Web servers" updates:off policy:"Apply All Patches"',
  ],
  input,
  form: groupEditForm,
  parse,
  plan: planGroupEdit,
});

function parse(words: LineWords): TypedInput<Input> {
  const read = parseGroup(words, { named: true });
  if (read.kind === 'fault') return read;
  const group = words.free.join(' ');
  const partialInput = { ...devicePrefill('', words), ...(group === '' ? {} : { group }), ...read.group };
  if (group === '')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which group?', prefill: partialInput } };
  if (Object.keys(read.group).length === 0)
    return { kind: 'fault', fault: { kind: 'missing', what: 'What should change?', prefill: partialInput } };
  return { kind: 'input', input: { ...read.group, group, reason: words.reason } };
}

async function planGroupEdit(asked: Input, ports: ReadPorts): Promise<Planned> {
  const again = (group: number) => ({ command: HEAD.name, input: { ...asked, group } });
  const found = await resolveGroup(asked.group, again, ports);
  if (found.kind === 'view') return found;
  const { id: groupId } = found;
  const current = async () => {
    const group = await nullIfMissing(() => ports.fleet.group(groupId, PERSON_PRIORITY));
    if (group === null) return { kind: 'view', view: unknownGroupView(`#${groupId}`) } as const;
    return policiesOf(group.policyIds);
  };
  const linked = await withLinkedPolicies({ ...asked, group: groupId }, { command: HEAD, current }, ports);
  if (linked.kind !== 'input') return linked;
  const { input } = linked;
  const under = (parent: number) => ({ command: HEAD.name, input: { ...input, group: groupId, parent } });
  const parent = input.parent === undefined ? null : await resolveGroup(input.parent, under, ports);
  if (parent?.kind === 'view') return parent;
  const change = groupChange(input, parent?.id);
  const fault =
    usageFaultOf(change, ports.dialect) ??
    (await invalidParent(groupId, { input, parent: parent?.id }, ports));
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  const edit: GroupUpdate = { kind: 'group-edit', groupId, change };
  const { fleet, clock } = ports;
  const facts = await readGroupForEdit(fleet, edit, { asOf: clock.now(), lane: 'person' });
  if (facts === null) return { kind: 'view', view: unknownGroupView(`#${groupId}`) };
  if (parent !== null && facts.parentName === null)
    return { kind: 'view', view: unknownGroupView(`#${parent.id}`) };
  return proposeEdit(edit, facts, input.reason);
}

type RequestedEdit = { readonly input: Input; readonly parent: GroupId | undefined };

/** The Default Group keeps its blank name and its place above all others, and no group stands below itself (§2.1). */
async function invalidParent(
  id: GroupId,
  { input, parent }: RequestedEdit,
  { inventory }: ReadPorts,
): Promise<UsageFault | null> {
  const { groups } = await inventory.snapshot(PERSON_PRIORITY);
  const group = groups.get(id);
  if (group === undefined) return null;
  const renamed = input.name !== undefined && input.name !== group.name;
  const moved = parent !== undefined && parent !== group.parentId;
  const place = `parent:${input.parent ?? ''}`;
  if (isDefaultGroup(group) && (renamed || moved)) {
    const expected = 'another group: the Default Group can’t be renamed or moved';
    return { kind: 'bad-value', word: renamed ? `name:${input.name ?? ''}` : place, expected };
  }
  if (!moved || !descendants([id], [...groups.values()]).has(parent)) return null;
  const expected = 'a group that isn’t below this one';
  return { kind: 'bad-value', word: place, expected };
}
