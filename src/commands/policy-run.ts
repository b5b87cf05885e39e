/**
 * `policy-run`: has every device of a policy's groups do what a Worklet or required software says. The service can start
 * that by one request for all of them, which has no waves, no brake and no proof of a device: each device is sent its own.
 */
import { z } from 'zod';
import { planPolicyRun } from './changes/policy-run.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { policyOfGroupsForm } from './forms/policy-of-groups-form.ts';
import { misspelledOption, rolloutOptions, takeRolloutOptions } from './parser/rollout-options.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, usageFault } from './parser/usage-errors.ts';
import { policyFilter } from './targets/device-filters.ts';
import { type NameOrId, nameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY, reasonSchema } from './targets/resolve-device.ts';
import { resolvePolicy } from './targets/resolve-policy.ts';

const input = z.object({ policy: nameOrId, rollout: rolloutOptions.exactOptional(), reason: reasonSchema });
type Input = z.infer<typeof input>;

const HEAD = { name: 'policy-run', usage: 'policy-run NAME|#ID [OPTIONS] [because REASON]' };

export const policyRunCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Request that all devices of a policy’s groups run a Worklet or install required software. Needs approval.',
  examples: ['policy-run "Require VPN client" waves:1,25% because audit'],
  input,
  form: policyOfGroupsForm,
  parse,
  plan: planPolicy,
});

/** All free words are the policy. */
function parse(typed: LineWords): TypedInput<Input> {
  const taken = takeRolloutOptions(typed);
  if (taken.kind === 'fault') return taken;
  const { words, rollout } = taken.input;
  const fault = misspelledOption(words.filters) ?? unexpectedWord(words, { reason: true });
  if (fault !== null && fault.kind !== 'missing') return usageFault(fault);
  const policy = words.free.join(' ');
  const options = rollout === undefined ? {} : { rollout };
  const { reason } = words;
  if (policy !== '' && fault === null) return { kind: 'input', input: { policy, ...options, reason } };
  const what = policy === '' ? 'Which policy?' : (fault?.what ?? '');
  const known = { ...(policy === '' ? {} : { policy }), ...options };
  return usageFault({ kind: 'missing', what, prefill: reason ? { ...known, reason } : known });
}

/** The devices that the index knows under the policy; those that are not any more stay out and are listed. */
async function planPolicy(asked: Input, ports: ReadPorts): Promise<Planned> {
  const again = (policy: NameOrId) => ({ command: HEAD.name, input: { ...asked, policy } });
  const found = await resolvePolicy(asked.policy, again, ports);
  if (found.kind === 'view') return found;
  const filters = [policyFilter(found.id)];
  const order = {
    ...asked,
    policy: found.id,
    command: HEAD,
    action: 'remediate',
    filters,
    ofPolicy: true,
  } as const;
  const planned = await planPolicyRun(order, ports);
  if (planned.kind !== 'problem' || planned.problem.kind !== 'no-devices-match') return planned;
  const { policies } = await ports.inventory.snapshot(PERSON_PRIORITY);
  const name = policies.find(({ id }) => id === found.id)?.name ?? '';
  return { kind: 'problem', problem: { kind: 'policy-without-devices', policy: { id: found.id, name } } };
}
