/** `policies`: every policy with its groups and schedule. `policy`: the facts of one, without its scripts and secrets. */

import { z } from 'zod';
import { collectRows, nullIfMissing } from '../fleet/reads/read-helpers.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import type { PolicyId } from '../lib/ids.ts';
import { compareNames } from '../lib/text.ts';
import type { PolicyListView } from '../views/fleet/policy-list.ts';
import type { View } from '../views/views.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, parseNoInput } from './core/define-command.ts';
import { readOnlyNotice } from './core/reader-rights.ts';
import { groupOrPolicyForm } from './forms/subject-forms.ts';
import { cachedOrRead, type ListInput, listInput, viewPage, wholePaging } from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import { problemView } from './parser/usage-errors.ts';
import { type NameOrId, nameOrId, parseNameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { policyWithGroups, resolvePolicy, unknownPolicyProblem } from './targets/resolve-group-or-policy.ts';

const policyPages = defineResultList<PolicyListView>(10, ({ rows }) =>
  rowWeight(rows, ({ groups }) => inRows(groups)),
);
export const policiesCommand = defineReadCommand<ListInput>({
  name: 'policies',
  usage: 'policies',
  summary: 'List the policies with their groups, schedules and next runs.',
  examples: ['policies'],
  input: listInput,
  parse: parseNoInput,
  run: listPolicies,
});

async function listPolicies(input: ListInput, page: number, ports: ReadPorts): Promise<View> {
  return viewPage(await cachedOrRead(policyPages, input, ports, () => readPolicies(ports)), page);
}

async function readPolicies({ fleet, inventory, clock }: ReadPorts): Promise<PolicyListView> {
  const asOf = clock.now();
  const [all, snapshot] = await Promise.all([
    collectRows(fleet.policies(PERSON_PRIORITY)),
    inventory.snapshot(PERSON_PRIORITY),
  ]);
  const sorted = all.toSorted((a, b) => compareNames(a.name, b.name) || a.id - b.id);
  return {
    kind: 'policies',
    rows: sorted.map((policy) => policyWithGroups(policy, snapshot)),
    paging: wholePaging('policies', {}, '', { total: sorted.length, asOf }),
  };
}

const input = z.object({ policy: nameOrId });

export const policyCommand = defineReadCommand<z.infer<typeof input>>({
  name: 'policy',
  usage: 'policy NAME|#ID',
  summary: 'Show one policy: its type, schedule, groups and settings.',
  examples: ['policy "Apply All Patches"', 'policy #2103'],
  input,
  form: groupOrPolicyForm('policy'),
  parse: (words) => {
    const read = parseNameOrId(words, 'Which policy?');
    return read.kind === 'fault' ? read : { kind: 'input', input: { policy: read.input } };
  },
  run: ({ policy: ref }, _page, ports) => findPolicy(ref, ports),
});

async function findPolicy(ref: NameOrId, ports: ReadPorts): Promise<View> {
  const again = (id: number) => ({ command: 'policy', input: { policy: id } });
  const found = await resolvePolicy(ref, again, ports);
  if (found.kind === 'view') return found.view;
  const { id } = found;
  return (await nullIfMissing(() => showPolicy(id, ports))) ?? problemView(unknownPolicyProblem(id));
}

async function showPolicy(id: PolicyId, ports: ReadPorts): Promise<View> {
  const { fleet, inventory, clock } = ports;
  const asOf = clock.now();
  const [fresh, snapshot, notice] = await Promise.all([
    fleet.policy(id, PERSON_PRIORITY),
    inventory.snapshot(PERSON_PRIORITY),
    readOnlyNotice(ports),
  ]);
  const compliance = snapshot.partial === null ? policyCompliance(id, snapshot) : null;
  return { kind: 'policy', ...notice, ...policyWithGroups(fresh, snapshot), compliance, asOf };
}

/** The same numbers as in the answer of `compliance policies`. */
function policyCompliance(id: PolicyId, { devices }: Snapshot) {
  const failing = devices.filter(({ failingIds }) => failingIds.includes(id)).length;
  const reporting = devices.filter(({ policyIds }) => policyIds?.includes(id)).length;
  const filter = { key: 'fails', value: `#${id}`, negated: false };
  const list = { command: 'devices', input: { words: [], filters: [filter] } };
  return { devices: Math.max(reporting, failing), noncompliant: failing, list };
}
