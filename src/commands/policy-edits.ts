/** `policy-create` and `policy-edit`: make a policy that installs patches, and change any policy, after approval. */

import type { z } from 'zod';
import type { PolicyEditFacts } from '../fleet/facts/facts.ts';
import { readPolicyForEdit } from '../fleet/facts/read-facts.ts';
import type { PolicyCreate, PolicyUpdate } from '../fleet/model/actions.ts';
import type { NewPolicy } from '../fleet/model/changes.ts';
import { DEVICE_TIME } from '../fleet/model/policy.ts';
import type { Policy } from '../fleet/model/resources.ts';
import { nullIfMissing } from '../fleet/reads/read-helpers.ts';
import { type GroupId, groupId } from '../lib/ids.ts';
import type { CommandChoice } from '../views/models/list-model.ts';
import { listAfter, proposeEdit } from './changes/edit-plan.ts';
import {
  POLICY_USAGE,
  type PolicyInput,
  parsePolicy,
  policyChange,
  policyInput,
  policyUsageFault,
} from './changes/policy-fields.ts';
import type { Planned, ReadPorts, TypedInput } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { policyCreateForm, policyEditForm } from './forms/policy-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { usageFault, usageProblem } from './parser/usage-errors.ts';
import { type NameOrId, nameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY, reasonPrefill, reasonSchema } from './targets/resolve-device.ts';
import {
  resolveGroup,
  resolvePolicy,
  unknownGroupView,
  unknownPolicyProblem,
} from './targets/resolve-group-or-policy.ts';

const createInput = policyInput
  .omit({ remove: true })
  .extend({ name: policyInput.shape.name.unwrap(), reason: reasonSchema });
type CreateInput = z.infer<typeof createInput>;

const CREATE = {
  name: 'policy-create',
  usage: `policy-create NAME [group:NAME] [severity:critical|high|medium|low] ${POLICY_USAGE}`,
};

export const policyCreateCommand = defineWriteCommand<CreateInput>({
  ...CREATE,
  summary:
    'Request a new policy that installs patches. Without days it runs only by hand, without groups on no device. Needs approval.',
  examples: [
    'policy-create "Weekly patches" group:"Linux servers" days:sun time:02:00 severity:critical,high because new site',
  ],
  input: createInput,
  form: policyCreateForm,
  parse: parseCreate,
  plan: planPolicy,
});

function parseCreate(words: LineWords): TypedInput<CreateInput> {
  const read = parsePolicy(words, { isNew: true });
  if (read.kind === 'fault') return read;
  const name = words.free.join(' ');
  const reason = reasonPrefill(words);
  const missing = (what: string, prefill: object) =>
    usageFault({ kind: 'missing', what, prefill: { ...reason, ...prefill } });
  if (name === '') return missing('Enter a name for the policy.', read.input);
  const half = halfSchedule(read.input);
  if (half !== null) return missing(half, { ...read.input, name });
  return { kind: 'input', input: { ...read.input, name, reason: words.reason } };
}

/** Days without a time would run at midnight, which nobody said. */
function halfSchedule({ days = 0, time }: PolicyInput): string | null {
  if (days > 0 && time === undefined) return 'At what time should it run?';
  return days === 0 && time !== undefined ? 'On which days should it run?' : null;
}

async function planPolicy(input: CreateInput, ports: ReadPorts): Promise<Planned> {
  const again = (add: CreateInput['add']) => ({ command: CREATE.name, input: { ...input, add } });
  const typed = await resolveGroups(input.add ?? [], (add) => again(add), ports);
  if (typed.kind !== 'groups') return typed;
  const half = halfSchedule(input);
  const word = input.time === undefined ? 'time:' : 'days:';
  const halfFault = half === null ? null : ({ kind: 'bad-value', word, expected: half } as const);
  const fault = policyUsageFault(input, 'patch', ports.dialect) ?? halfFault;
  if (fault !== null) return { kind: 'problem', problem: usageProblem(CREATE, fault) };
  const ids = [...(input.groups ?? []).map(groupId), ...typed.ids];
  const edit: PolicyCreate = { kind: 'policy-create', policy: newPolicy(input, ids, ports) };
  const { fleet, clock } = ports;
  const facts = await readPolicyForEdit(fleet, edit, { asOf: clock.now(), lane: 'person' });
  if (facts === null) throw new Error('a new policy is not read');
  return (
    policyExists(edit.policy.name, facts) ?? unknownGroupIn(facts) ?? proposeEdit(edit, facts, input.reason)
  );
}

/** What decides about devices is always said, so that the approver reads it. */
function newPolicy(input: CreateInput, ids: readonly GroupId[], { dialect }: ReadPorts): NewPolicy {
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

const editInput = policyInput.omit({ severities: true }).extend({ policy: nameOrId, reason: reasonSchema });
type EditInput = z.infer<typeof editInput>;

const EDIT = {
  name: 'policy-edit',
  usage: `policy-edit NAME|#ID [name:NEW] [group:NAME] [-group:NAME] ${POLICY_USAGE}`,
};

export const policyEditCommand = defineWriteCommand<EditInput>({
  ...EDIT,
  summary:
    'Request a change to a policy: its name, notes, groups, schedule, reboots, or notifications on the device. Needs approval.',
  examples: [
    'policy-edit "Apply All Patches" days:weekdays time:03:30 because "fewer calls at night"',
    'policy-edit #2101 group:"Web servers" -group:"Linux servers" notify:yes defer:1,4,8',
  ],
  input: editInput,
  form: policyEditForm,
  parse: parseEdit,
  plan: planPolicyEdit,
});

function parseEdit(words: LineWords): TypedInput<EditInput> {
  const read = parsePolicy(words, { isNew: false });
  if (read.kind === 'fault') return read;
  const policy = words.free.join(' ');
  const prefill = { ...reasonPrefill(words), ...(policy === '' ? {} : { policy }), ...read.input };
  if (policy === '') return usageFault({ kind: 'missing', what: 'Which policy?', prefill });
  if (Object.keys(read.input).length === 0)
    return usageFault({ kind: 'missing', what: 'What should change?', prefill });
  return { kind: 'input', input: { ...read.input, policy, reason: words.reason } };
}

async function planPolicyEdit(input: EditInput, ports: ReadPorts): Promise<Planned> {
  const again = (policy: number) => ({ command: EDIT.name, input: { ...input, policy } });
  const found = await resolvePolicy(input.policy, again, ports);
  if (found.kind === 'view') return found;
  const { id: policyId } = found;
  const { fleet, clock, dialect } = ports;
  const policy = await nullIfMissing(() => fleet.policy(policyId, PERSON_PRIORITY));
  if (policy === null) return { kind: 'problem', problem: unknownPolicyProblem(policyId) };
  const groups = await groupsAfter({ ...input, policy: policyId }, policy, ports);
  if (groups.kind !== 'groups') return groups;
  const fault = policyUsageFault(input, policy.type, dialect);
  if (fault !== null) return { kind: 'problem', problem: usageProblem(EDIT, fault) };
  const edit: PolicyUpdate = { kind: 'policy-edit', policyId, change: policyChange(input, groups.ids) };
  const facts = await readPolicyForEdit(fleet, edit, { asOf: clock.now(), lane: 'person' });
  if (facts === null) return { kind: 'problem', problem: unknownPolicyProblem(policyId) };
  const { name = '' } = edit.change;
  return policyExists(name, facts) ?? unknownGroupIn(facts) ?? proposeEdit(edit, facts, input.reason);
}

function policyExists(name: string, { twin }: PolicyEditFacts): Planned | null {
  return twin === null ? null : { kind: 'problem', problem: { kind: 'policy-exists', name, id: twin } };
}

/** The groups that it has afterwards; undefined: they do not change. */
async function groupsAfter(
  input: EditInput,
  { name, groupIds }: Policy,
  ports: ReadPorts,
): Promise<ResolvedGroups | { readonly kind: 'groups'; readonly ids: undefined }> {
  const { groups, add = [], remove = [] } = input;
  if (groups !== undefined) return { kind: 'groups', ids: groups.map(groupId) };
  if (add.length + remove.length === 0) return { kind: 'groups', ids: undefined };
  const again = (over: Partial<EditInput>) => ({ command: EDIT.name, input: { ...input, ...over } });
  const added = await resolveGroups(add, (one) => again({ add: one }), ports);
  if (added.kind !== 'groups') return added;
  const removed = await resolveGroups(remove, (one) => again({ remove: one }), ports);
  if (removed.kind !== 'groups') return removed;
  const strange = removed.ids.findIndex((id) => !groupIds.includes(id));
  if (strange !== -1) {
    const word = `-group:${remove[strange]}`;
    const expected = `a group of ${name === '' ? `policy ${input.policy}` : name}`;
    return { kind: 'problem', problem: usageProblem(EDIT, { kind: 'bad-value', word, expected }) };
  }
  return { kind: 'groups', ids: listAfter(groupIds, added.ids, removed.ids) };
}

type ResolvedGroups =
  | { readonly kind: 'groups'; readonly ids: readonly GroupId[] }
  | Extract<Planned, { kind: 'view' | 'problem' }>;

/** All of them, or what to show of the first that is not one group; `again` runs the command with its id in place. */
async function resolveGroups(
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
function unknownGroupIn({ groups }: PolicyEditFacts): Planned | null {
  const unknown = groups.find(({ name }) => name === null);
  return unknown === undefined ? null : { kind: 'view', view: unknownGroupView(`#${unknown.id}`) };
}
