/** `policies`: every policy with its groups and schedule, a page at a time. */
import { collectRows } from '../fleet/collect-rows.ts';
import { compareNames } from '../text.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { parseNothing } from './line/nothing.ts';
import { type ListInput, listInput } from './lists/input.ts';
import { FIRST, frozen, pageOf } from './lists/paging.ts';
import type { Whole } from './lists/results.ts';
import { policyLine } from './policy-line.ts';
import { PERSON } from './targets/resolve.ts';

const PAGE_SIZE = 10;
export const policies = defineRead<ListInput>({
  name: 'policies',
  usage: 'policies',
  summary: 'List the policies with their groups, schedules and next runs.',
  examples: ['policies'],
  input: listInput,
  parse: parseNothing,
  run: list,
});

async function list(asked: ListInput, page: number, ports: ReadPorts): Promise<View> {
  const { results, pageSize: size = PAGE_SIZE } = ports;
  return pageOf(await frozen(results.policies, size, asked, ports, () => read(ports)), page, size);
}

async function read({ fleet, inventory, clock }: ReadPorts): Promise<Whole<'policies'>> {
  const asOf = clock.now();
  const [all, snapshot] = await Promise.all([
    collectRows(fleet.policies(PERSON)),
    inventory.snapshot(PERSON),
  ]);
  const sorted = all.toSorted((a, b) => compareNames(a.name, b.name) || a.id - b.id);
  return {
    kind: 'policies',
    rows: sorted.map((policy) => policyLine(policy, snapshot)),
    paging: {
      command: 'policies',
      input: {},
      ...FIRST,
      total: sorted.length,
      asOf,
    },
  };
}
