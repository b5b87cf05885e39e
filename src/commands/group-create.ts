/** `group-create`: makes a group, after approval. */
import type { z } from 'zod';
import { groupForEdit } from '../fleet/edit-reads.ts';
import type { GroupCreation } from '../fleet/orders.ts';
import type { GroupId } from '../ids.ts';
import { isDefault } from '../inventory/group-paths.ts';
import type { Planned, ReadPorts } from './command.ts';
import { defineWrite, type Typed } from './define.ts';
import { proposeEdit } from './edits/edit-plan.ts';
import { groupChange, groupInput, parseGroup, usageFaultOf } from './edits/group-input.ts';
import { groupCreateForm } from './forms/group-form.ts';
import { usageProblem } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { groupMeant, noSuchGroup } from './targets/group-meant.ts';
import { givenOf, PERSON, reasonText } from './targets/resolve.ts';

const input = groupInput.extend({ name: groupInput.shape.name.unwrap(), reason: reasonText });
type Input = z.infer<typeof input>;

/** A day: how often the service scans where nothing else was said (§2.1). */
const EVERY = 1_440;

const HEAD = {
  name: 'group-create',
  usage: 'group-create NAME [parent:GROUP] [every:24h] [color:NAME|#RRGGBB] [notes:TEXT] [because REASON]',
};

export const groupCreate = defineWrite<Input>({
  ...HEAD,
  summary: 'Request a new group. Needs approval.',
  examples: [
    'group-create "Web servers" parent:"Linux servers" every:12h color:"Utah Clay" because new site',
  ],
  input,
  form: groupCreateForm,
  parse,
  plan,
});

function parse(words: Words): Typed<Input> {
  const read = parseGroup(words, { named: false });
  if (read.kind === 'fault') return read;
  const name = words.free.join(' ');
  const { device: _, ...reason } = givenOf('', words);
  const given = { ...reason, ...read.group };
  if (name === '')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Enter a name for the group.', given } };
  return { kind: 'input', input: { ...read.group, name, reason: words.reason } };
}

async function plan(given: Input, ports: ReadPorts): Promise<Planned> {
  const again = (parent: number) => ({ command: HEAD.name, input: { ...given, parent } });
  const parent =
    given.parent === undefined ? await topLevel(ports) : await groupMeant(given.parent, again, ports);
  if (parent.kind === 'view') return parent;
  const change = groupChange(given, parent.id);
  const fault = usageFaultOf(change, ports.dialect);
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  const group = {
    ...change,
    name: given.name.trim(),
    parentId: parent.id,
    refreshIntervalMinutes: given.every ?? EVERY,
  };
  const edit: GroupCreation = { kind: 'group-create', group };
  const { fleet, clock, organizationId } = ports;
  const facts = await groupForEdit(fleet, edit, { asOf: clock.now(), lane: 'person', organizationId });
  if (facts === null || facts.parentName === null)
    return { kind: 'view', view: noSuchGroup(`#${parent.id}`) };
  if (facts.twin !== null)
    return {
      kind: 'problem',
      problem: { kind: 'group-exists', name: group.name, parent: facts.parentName, id: facts.twin },
    };
  return proposeEdit(edit, facts, given.reason);
}

/** Below the Default Group stands what stands below no other (§2.1). */
async function topLevel({ inventory }: ReadPorts): ReturnType<typeof groupMeant> {
  const { groups } = await inventory.snapshot(PERSON);
  const top = [...groups.values()].find(isDefault);
  return top === undefined
    ? { kind: 'view', view: noSuchGroup('default') }
    : { kind: 'one', id: top.id satisfies GroupId };
}
