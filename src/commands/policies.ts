/** `policies`: every policy with its groups and schedule, a page at a time. */
import { collectRows } from '../fleet/reads/read-helpers.ts';
import { compareNames } from '../lib/text.ts';
import type { PolicyListView } from '../views/fleet/policy-list.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, parseNoInput } from './core/define-command.ts';
import { cachedOrRead, type ListInput, listInput, SINGLE_PAGE, viewPage } from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { policyWithGroups } from './targets/resolve-policy.ts';

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
    paging: {
      command: 'policies',
      input: {},
      ...SINGLE_PAGE,
      total: sorted.length,
      asOf,
    },
  };
}
