/** `group-edit`: changes a group, after approval. */
import type { z } from 'zod';
import { groupForEdit } from '../fleet/edit-reads.ts';
import type { GroupChanging } from '../fleet/orders.ts';
import type { GroupId } from '../ids.ts';
import { isDefault } from '../inventory/group-paths.ts';
import type { UsageFault } from '../views/model.ts';
import type { Planned, ReadPorts } from './command.ts';
import { defineWrite, type Typed } from './define.ts';
import { proposeEdit } from './edits/edit-plan.ts';
import { groupChange, groupInput, parseGroup, usageFaultOf } from './edits/group-input.ts';
import { groupEditForm } from './forms/group-form.ts';
import { usageProblem } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { groupMeant, noSuchGroup } from './targets/group-meant.ts';
import { descendants } from './targets/group-members.ts';
import { ref } from './targets/named.ts';
import { givenOf, PERSON, reasonText } from './targets/resolve.ts';

const input = groupInput.extend({ group: ref, reason: reasonText });
type Input = z.infer<typeof input>;

const HEAD = {
  name: 'group-edit',
  usage:
    'group-edit NAME|#ID [name:NEW] [parent:GROUP] [every:24h] [color:NAME|#RRGGBB] [notes:TEXT] [because REASON]',
};

export const groupEdit = defineWrite<Input>({
  ...HEAD,
  summary: 'Request a change to a group. Needs approval.',
  examples: ['group-edit "Web servers" every:6h because audits', 'group-edit #3111 name:"Web" notes:""'],
  input,
  form: groupEditForm,
  parse,
  plan,
});

function parse(words: Words): Typed<Input> {
  const read = parseGroup(words, { named: true });
  if (read.kind === 'fault') return read;
  const group = words.free.join(' ');
  const given = { ...givenOf('', words), ...(group === '' ? {} : { group }), ...read.group };
  if (group === '') return { kind: 'fault', fault: { kind: 'missing', what: 'Which group?', given } };
  if (Object.keys(read.group).length === 0)
    return { kind: 'fault', fault: { kind: 'missing', what: 'What should change?', given } };
  return { kind: 'input', input: { ...read.group, group, reason: words.reason } };
}

async function plan(given: Input, ports: ReadPorts): Promise<Planned> {
  const again = (group: number) => ({ command: HEAD.name, input: { ...given, group } });
  const found = await groupMeant(given.group, again, ports);
  if (found.kind === 'view') return found;
  const { id: groupId } = found;
  const under = (parent: number) => ({ command: HEAD.name, input: { ...given, group: groupId, parent } });
  const parent = given.parent === undefined ? null : await groupMeant(given.parent, under, ports);
  if (parent?.kind === 'view') return parent;
  const change = groupChange(given, parent?.id);
  const fault =
    usageFaultOf(change, ports.dialect) ?? (await misplaced(groupId, { given, parent: parent?.id }, ports));
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  const edit: GroupChanging = { kind: 'group-edit', groupId, change };
  const { fleet, clock, organizationId } = ports;
  const facts = await groupForEdit(fleet, edit, { asOf: clock.now(), lane: 'person', organizationId });
  if (facts === null) return { kind: 'view', view: noSuchGroup(`#${groupId}`) };
  if (parent !== null && facts.parentName === null)
    return { kind: 'view', view: noSuchGroup(`#${parent.id}`) };
  return proposeEdit(edit, facts, given.reason);
}

type Wanted = { readonly given: Input; readonly parent: GroupId | undefined };

/** The Default Group keeps its blank name and its place above all others, and no group stands below itself (§2.1). */
async function misplaced(
  id: GroupId,
  { given, parent }: Wanted,
  { inventory }: ReadPorts,
): Promise<UsageFault | null> {
  const { groups } = await inventory.snapshot(PERSON);
  const group = groups.get(id);
  if (group === undefined) return null;
  const renamed = given.name !== undefined && given.name !== group.name;
  const moved = parent !== undefined && parent !== group.parentId;
  const place = `parent:${given.parent ?? ''}`;
  if (isDefault(group) && (renamed || moved)) {
    const expected = 'another group: the Default Group can’t be renamed or moved';
    return { kind: 'bad-value', word: renamed ? `name:${given.name ?? ''}` : place, expected };
  }
  if (!moved || !descendants([id], [...groups.values()]).has(parent)) return null;
  const expected = 'a group that isn’t below this one';
  return { kind: 'bad-value', word: place, expected };
}
