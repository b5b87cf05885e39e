/** `group-create` and `group-edit`: make and change a group, after approval. */

import type { z } from 'zod';
import { readGroupForEdit } from '../fleet/facts/read-facts.ts';
import type { GroupCreate, GroupUpdate } from '../fleet/model/actions.ts';
import { descendants, isDefaultGroup } from '../fleet/model/derived-fields.ts';
import { nullIfMissing } from '../fleet/reads/read-helpers.ts';
import type { GroupId } from '../lib/ids.ts';
import type { UsageFault } from '../views/views.ts';
import { proposeEdit } from './changes/edit-plan.ts';
import {
  DEFAULT_INTERVAL,
  GROUP_ARGUMENTS,
  groupChange,
  groupInput,
  parseGroup,
  policiesOf,
  usageFaultOf,
  withLinkedPolicies,
} from './changes/group-fields.ts';
import type { Planned, ReadPorts, TypedInput } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { groupCreateForm, groupEditForm } from './forms/group-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { usageFault, usageProblem } from './parser/usage-errors.ts';
import { nameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY, reasonPrefill, reasonSchema } from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group-or-policy.ts';

const createInput = groupInput.extend({ name: groupInput.shape.name.unwrap(), reason: reasonSchema });
type CreateInput = z.infer<typeof createInput>;

const CREATE = {
  name: 'group-create',
  usage: `group-create NAME ${GROUP_ARGUMENTS.usage} [policy:NAME|#ID] [because REASON]`,
};

export const groupCreateCommand = defineWriteCommand<CreateInput>({
  ...CREATE,
  summary: 'Request a new group. Needs approval.',
  examples: [
    'group-create "Web servers" parent:"Linux servers" every:12h color:"Utah Clay" because new site',
    'group-create Kiosks updates:on wsus:http://wsus.example:8530 policy:"Apply All Patches"',
  ],
  input: createInput,
  form: groupCreateForm,
  parse: parseCreate,
  plan: planGroup,
});

function parseCreate(words: LineWords): TypedInput<CreateInput> {
  const read = parseGroup(words, { named: false });
  if (read.kind === 'fault') return read;
  const name = words.free.join(' ');
  const prefill = { ...reasonPrefill(words), ...read.input };
  if (name === '') return usageFault({ kind: 'missing', what: 'Enter a name for the group.', prefill });
  return { kind: 'input', input: { ...read.input, name, reason: words.reason } };
}

async function planGroup(asked: CreateInput, ports: ReadPorts): Promise<Planned> {
  const current = async () => policiesOf([]);
  const linked = await withLinkedPolicies(asked, CREATE, current, ports);
  if (linked.kind !== 'input') return linked;
  const { input } = linked;
  const again = (parent: number) => ({ command: CREATE.name, input: { ...input, parent } });
  const parent =
    input.parent === undefined ? await topLevelGroup(ports) : await resolveGroup(input.parent, again, ports);
  if (parent.kind === 'view') return parent;
  const change = groupChange(input, parent.id);
  const fault = usageFaultOf(change, ports.dialect);
  if (fault !== null) return { kind: 'problem', problem: usageProblem(CREATE, fault) };
  const group = {
    ...change,
    name: input.name.trim(),
    parentId: parent.id,
    refreshIntervalMinutes: input.every ?? DEFAULT_INTERVAL,
  };
  const edit: GroupCreate = { kind: 'group-create', group };
  const { fleet, clock } = ports;
  const facts = await readGroupForEdit(fleet, edit, { asOf: clock.now(), lane: 'person' });
  if (facts === null || facts.parentName === null)
    return { kind: 'view', view: unknownGroupView(`#${parent.id}`) };
  const { twin, parentName } = facts;
  if (twin !== null)
    return {
      kind: 'problem',
      problem: { kind: 'group-exists', name: group.name, parent: parentName, id: twin },
    };
  return proposeEdit(edit, facts, input.reason);
}

/** Below the Default Group stands what stands below no other (§2.1). */
async function topLevelGroup({ inventory }: ReadPorts): ReturnType<typeof resolveGroup> {
  const { groups } = await inventory.snapshot(PERSON_PRIORITY);
  const top = [...groups.values()].find(isDefaultGroup);
  return top === undefined
    ? { kind: 'view', view: unknownGroupView('default') }
    : { kind: 'one', id: top.id satisfies GroupId };
}

const editInput = groupInput.extend({ group: nameOrId, reason: reasonSchema });
type EditInput = z.infer<typeof editInput>;

const EDIT = {
  name: 'group-edit',
  usage: `group-edit NAME|#ID [name:NEW] ${GROUP_ARGUMENTS.usage} [policy:NEW] [-policy:OLD] [because REASON]`,
};

export const groupEditCommand = defineWriteCommand<EditInput>({
  ...EDIT,
  summary: 'Request a change to a group. Needs approval.',
  examples: [
    'group-edit "Web servers" every:6h because audits',
    'group-edit #3111 name:"Web" notes:""',
    'group-edit "Web servers" updates:off policy:"Apply All Patches"',
  ],
  input: editInput,
  form: groupEditForm,
  parse: parseEdit,
  plan: planGroupEdit,
});

function parseEdit(words: LineWords): TypedInput<EditInput> {
  const read = parseGroup(words, { named: true });
  if (read.kind === 'fault') return read;
  const group = words.free.join(' ');
  const prefill = { ...reasonPrefill(words), ...(group === '' ? {} : { group }), ...read.input };
  if (group === '') return usageFault({ kind: 'missing', what: 'Which group?', prefill });
  if (Object.keys(read.input).length === 0)
    return usageFault({ kind: 'missing', what: 'What should change?', prefill });
  return { kind: 'input', input: { ...read.input, group, reason: words.reason } };
}

async function planGroupEdit(asked: EditInput, ports: ReadPorts): Promise<Planned> {
  const again = (group: number) => ({ command: EDIT.name, input: { ...asked, group } });
  const found = await resolveGroup(asked.group, again, ports);
  if (found.kind === 'view') return found;
  const { id: groupId } = found;
  const current = async () => {
    const group = await nullIfMissing(() => ports.fleet.group(groupId, PERSON_PRIORITY));
    if (group === null) return { kind: 'view', view: unknownGroupView(`#${groupId}`) } as const;
    return policiesOf(group.policyIds);
  };
  const linked = await withLinkedPolicies({ ...asked, group: groupId }, EDIT, current, ports);
  if (linked.kind !== 'input') return linked;
  const { input } = linked;
  const under = (parent: number) => ({ command: EDIT.name, input: { ...input, group: groupId, parent } });
  const parent = input.parent === undefined ? null : await resolveGroup(input.parent, under, ports);
  if (parent?.kind === 'view') return parent;
  const change = groupChange(input, parent?.id);
  const fault =
    usageFaultOf(change, ports.dialect) ?? (await invalidParent(groupId, input, parent?.id, ports));
  if (fault !== null) return { kind: 'problem', problem: usageProblem(EDIT, fault) };
  const edit: GroupUpdate = { kind: 'group-edit', groupId, change };
  const { fleet, clock } = ports;
  const facts = await readGroupForEdit(fleet, edit, { asOf: clock.now(), lane: 'person' });
  if (facts === null) return { kind: 'view', view: unknownGroupView(`#${groupId}`) };
  if (parent !== null && facts.parentName === null)
    return { kind: 'view', view: unknownGroupView(`#${parent.id}`) };
  return proposeEdit(edit, facts, input.reason);
}

/** The Default Group keeps its blank name and its place above all others, and no group stands below itself (§2.1). */
async function invalidParent(
  id: GroupId,
  input: EditInput,
  parent: GroupId | undefined,
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
  if (!moved || !descendants([id], groups.values()).has(parent)) return null;
  const expected = 'a group that isn’t below this one';
  return { kind: 'bad-value', word: place, expected };
}
