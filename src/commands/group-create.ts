/** `group-create`: makes a group, after approval. */
import type { z } from 'zod';
import { readGroupForEdit } from '../fleet/facts/read-facts.ts';
import type { GroupCreate } from '../fleet/model/actions.ts';
import { isDefaultGroup } from '../fleet/model/derived-fields.ts';
import type { GroupId } from '../lib/ids.ts';
import { proposeEdit } from './changes/edit-plan.ts';
import { GROUP_USAGE, groupChange, groupInput, parseGroup, usageFaultOf } from './changes/group-fields.ts';
import { policiesOf, withLinkedPolicies } from './changes/linked-policies.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { groupCreateForm } from './forms/group-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { usageProblem } from './parser/usage-errors.ts';
import { devicePrefill, PERSON_PRIORITY, reasonSchema } from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group.ts';

const input = groupInput.extend({ name: groupInput.shape.name.unwrap(), reason: reasonSchema });
type Input = z.infer<typeof input>;

/** A day: how often the service scans where nothing else was said (§2.1). */
const DEFAULT_INTERVAL = 1_440;

const HEAD = {
  name: 'group-create',
  usage: `group-create NAME [parent:GROUP] ${GROUP_USAGE} [policy:NAME|#ID] [because REASON]`,
};

export const groupCreateCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary: 'Request a new group. Needs approval.',
  examples: [
    'group-create "Web servers" parent:"Linux servers" every:12h color:"Utah Clay" because new site',
    'group-create Kiosks updates:on wsus:http://wsus.example:8530 policy:"Apply All Patches"',
  ],
  input,
  form: groupCreateForm,
  parse,
  plan: planGroup,
});

function parse(words: LineWords): TypedInput<Input> {
  const read = parseGroup(words, { named: false });
  if (read.kind === 'fault') return read;
  const name = words.free.join(' ');
  const { device: _, ...reason } = devicePrefill('', words);
  const partialInput = { ...reason, ...read.group };
  if (name === '')
    return {
      kind: 'fault',
      fault: { kind: 'missing', what: 'Enter a name for the group.', prefill: partialInput },
    };
  return { kind: 'input', input: { ...read.group, name, reason: words.reason } };
}

async function planGroup(asked: Input, ports: ReadPorts): Promise<Planned> {
  const linked = await withLinkedPolicies(
    asked,
    { command: HEAD, current: async () => policiesOf([]) },
    ports,
  );
  if (linked.kind !== 'input') return linked;
  const { input } = linked;
  const again = (parent: number) => ({ command: HEAD.name, input: { ...input, parent } });
  const parent =
    input.parent === undefined ? await topLevelGroup(ports) : await resolveGroup(input.parent, again, ports);
  if (parent.kind === 'view') return parent;
  const change = groupChange(input, parent.id);
  const fault = usageFaultOf(change, ports.dialect);
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, fault) };
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
  if (facts.twin !== null)
    return {
      kind: 'problem',
      problem: { kind: 'group-exists', name: group.name, parent: facts.parentName, id: facts.twin },
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
