/** `policy-edit`: changes a policy, after approval. */
import type { z } from 'zod';
import { readPolicyForEdit } from '../fleet/facts/read-facts.ts';
import type { PolicyUpdate } from '../fleet/model/actions.ts';
import type { Policy } from '../fleet/model/policy.ts';
import { nullIfMissing } from '../fleet/reads/read-helpers.ts';
import { groupId } from '../lib/ids.ts';
import { proposeEdit } from './changes/edit-plan.ts';
import { listAfter } from './changes/list-after.ts';
import {
  POLICY_USAGE,
  parsePolicy,
  policyChange,
  policyInput,
  policyUsageFault,
} from './changes/policy-fields.ts';
import { type ResolvedGroups, resolveGroups, unknownGroupIn } from './changes/policy-groups.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { policyEditForm } from './forms/policy-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { usageProblem } from './parser/usage-errors.ts';
import { nameOrId } from './targets/name-lookup.ts';
import { devicePrefill, PERSON_PRIORITY, reasonSchema } from './targets/resolve-device.ts';
import { resolvePolicy, unknownPolicyView } from './targets/resolve-policy.ts';

const input = policyInput.omit({ severities: true }).extend({ policy: nameOrId, reason: reasonSchema });
type Input = z.infer<typeof input>;

const HEAD = {
  name: 'policy-edit',
  usage: `policy-edit NAME|#ID [name:NEW] [group:NAME] [-group:NAME] ${POLICY_USAGE}`,
};

export const policyEditCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Request a change to a policy: its name, notes, groups, schedule, reboots, or notifications on the device. Needs approval.',
  examples: [
    'policy-edit "Apply All Patches" days:weekdays time:03:30 because "fewer calls at night"',
    'policy-edit #2101 group:"Web servers" -group:"Linux servers" notify:yes defer:1,4,8',
  ],
  input,
  form: policyEditForm,
  parse,
  plan: planPolicyEdit,
});

function parse(words: LineWords): TypedInput<Input> {
  const read = parsePolicy(words, { isNew: false });
  if (read.kind === 'fault') return read;
  const policy = words.free.join(' ');
  const partialInput = { ...devicePrefill('', words), ...(policy === '' ? {} : { policy }), ...read.policy };
  if (policy === '')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which policy?', prefill: partialInput } };
  if (Object.keys(read.policy).length === 0)
    return { kind: 'fault', fault: { kind: 'missing', what: 'What should change?', prefill: partialInput } };
  return { kind: 'input', input: { ...read.policy, policy, reason: words.reason } };
}

async function planPolicyEdit(input: Input, ports: ReadPorts): Promise<Planned> {
  const again = (policy: number) => ({ command: HEAD.name, input: { ...input, policy } });
  const found = await resolvePolicy(input.policy, again, ports);
  if (found.kind === 'view') return found;
  const { id: policyId } = found;
  const { fleet, clock, dialect } = ports;
  const policy = await nullIfMissing(() => fleet.policy(policyId, PERSON_PRIORITY));
  if (policy === null) return { kind: 'problem', problem: unknownPolicyView(policyId) };
  const groups = await groupsAfter({ ...input, policy: policyId }, policy, ports);
  if (groups.kind !== 'groups') return groups;
  const fault = policyUsageFault(input, policy.type, dialect);
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  const edit: PolicyUpdate = {
    kind: 'policy-edit',
    policyId,
    change: policyChange(input, groups.ids),
  };
  const facts = await readPolicyForEdit(fleet, edit, { asOf: clock.now(), lane: 'person' });
  if (facts === null) return { kind: 'problem', problem: unknownPolicyView(policyId) };
  if (facts.twin !== null)
    return {
      kind: 'problem',
      problem: { kind: 'policy-exists', name: edit.change.name ?? '', id: facts.twin },
    };
  return unknownGroupIn(facts) ?? proposeEdit(edit, facts, input.reason);
}

/** The groups that it has afterwards; undefined: they do not change. */
async function groupsAfter(
  input: Input,
  { name, groupIds }: Policy,
  ports: ReadPorts,
): Promise<ResolvedGroups | { readonly kind: 'groups'; readonly ids: undefined }> {
  const { groups, add = [], remove = [] } = input;
  if (groups !== undefined) return { kind: 'groups', ids: groups.map(groupId) };
  if (add.length + remove.length === 0) return { kind: 'groups', ids: undefined };
  const again = (over: Partial<Input>) => ({ command: HEAD.name, input: { ...input, ...over } });
  const added = await resolveGroups(add, (one) => again({ add: one }), ports);
  if (added.kind !== 'groups') return added;
  const removed = await resolveGroups(remove, (one) => again({ remove: one }), ports);
  if (removed.kind !== 'groups') return removed;
  const strange = removed.ids.findIndex((id) => !groupIds.includes(id));
  if (strange !== -1) {
    const word = `-group:${remove[strange]}`;
    const expected = `a group of ${name === '' ? `policy ${input.policy}` : name}`;
    return { kind: 'problem', problem: usageProblem(HEAD, { kind: 'bad-value', word, expected }) };
  }
  return { kind: 'groups', ids: listAfter(groupIds, added.ids, removed.ids) };
}
