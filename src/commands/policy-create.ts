/** `policy-create`: makes a policy that installs patches, after approval. */
import type { z } from 'zod';
import { readPolicyForEdit } from '../fleet/facts/read-facts.ts';
import type { PolicyCreate } from '../fleet/model/actions.ts';
import type { NewPolicy } from '../fleet/model/changes.ts';
import { DEVICE_TIME } from '../fleet/model/policy.ts';
import { type GroupId, groupId } from '../lib/ids.ts';
import type { UsageFault } from '../views/model.ts';
import { proposeEdit } from './changes/edit-plan.ts';
import {
  POLICY_USAGE,
  type PolicyInput,
  parsePolicy,
  policyChange,
  policyInput,
  policyUsageFault,
} from './changes/policy-fields.ts';
import { resolveGroups, unknownGroupIn } from './changes/policy-groups.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { policyCreateForm } from './forms/policy-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { usageProblem } from './parser/usage-errors.ts';
import { devicePrefill, reasonSchema } from './targets/resolve-device.ts';

const input = policyInput
  .omit({ remove: true })
  .extend({ name: policyInput.shape.name.unwrap(), reason: reasonSchema });
type Input = z.infer<typeof input>;

const HEAD = {
  name: 'policy-create',
  usage: `policy-create NAME [group:NAME] [severity:critical|high|medium|low] ${POLICY_USAGE}`,
};

export const policyCreateCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Request a new policy that installs patches. Without days it runs only by hand, without groups on no device. Needs approval.',
  examples: [
    'policy-create "Weekly patches" group:"Linux servers" days:sun time:02:00 severity:critical,high because new site',
  ],
  input,
  form: policyCreateForm,
  parse,
  plan: planPolicy,
});

function parse(words: LineWords): TypedInput<Input> {
  const read = parsePolicy(words, { isNew: true });
  if (read.kind === 'fault') return read;
  const name = words.free.join(' ');
  const { device: _, ...reason } = devicePrefill('', words);
  const missing = (what: string, prefill: object): TypedInput<Input> => {
    return { kind: 'fault', fault: { kind: 'missing', what, prefill: { ...reason, ...prefill } } };
  };
  if (name === '') return missing('Enter a name for the policy.', read.policy);
  const half = halfSchedule(read.policy);
  if (half !== null) return missing(half, { ...read.policy, name });
  return { kind: 'input', input: { ...read.policy, name, reason: words.reason } };
}

/** Days without a time would run at midnight, which nobody said. */
function halfSchedule({ days = 0, time }: PolicyInput): string | null {
  if (days > 0 && time === undefined) return 'At what time should it run?';
  return days === 0 && time !== undefined ? 'On which days should it run?' : null;
}

async function planPolicy(input: Input, ports: ReadPorts): Promise<Planned> {
  const again = (add: Input['add']) => ({ command: HEAD.name, input: { ...input, add } });
  const typed = await resolveGroups(input.add ?? [], (add) => again(add), ports);
  if (typed.kind !== 'groups') return typed;
  const half = halfSchedule(input);
  const fault: UsageFault | null =
    policyUsageFault(input, 'patch', ports.dialect) ??
    (half === null
      ? null
      : { kind: 'bad-value', word: input.time === undefined ? 'time:' : 'days:', expected: half });
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  const ids = [...(input.groups ?? []).map(groupId), ...typed.ids];
  const edit: PolicyCreate = { kind: 'policy-create', policy: newPolicy(input, ids, ports) };
  const { fleet, clock } = ports;
  const facts = await readPolicyForEdit(fleet, edit, { asOf: clock.now(), lane: 'person' });
  if (facts === null) throw new Error('a new policy is not read');
  if (facts.twin !== null)
    return {
      kind: 'problem',
      problem: { kind: 'policy-exists', name: edit.policy.name, id: facts.twin },
    };
  return unknownGroupIn(facts) ?? proposeEdit(edit, facts, input.reason);
}

/** What decides about devices is always said, so that the approver reads it. */
function newPolicy(input: Input, ids: readonly GroupId[], { dialect }: ReadPorts): NewPolicy {
  const { name, ...change } = policyChange(input, ids);
  return {
    name: name ?? '',
    severities: input.severities ?? [],
    days: 0,
    ...(dialect.policyTimezones && (input.days ?? 0) > 0 ? { timezone: DEVICE_TIME } : {}),
    ...change,
    settings: { autoReboot: false, notifyPatch: false, ...change.settings },
  };
}
