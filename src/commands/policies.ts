/** `policies`: every policy with its groups and schedule, a page at a time. */
import { collectRows } from '../fleet/collect-rows.ts';
import { compareNames } from '../text.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { type Nothing, nothing, parseNothing } from './nothing.ts';
import { slice } from './paging.ts';
import { policyLine } from './policy-line.ts';
import { PERSON } from './resolve.ts';

const PAGE_SIZE = 10;
export const policies = defineRead<Nothing>({
  name: 'policies',
  usage: 'policies',
  summary: 'List the policies with their groups, schedule and next run.',
  examples: ['policies'],
  input: nothing,
  parse: parseNothing,
  run: list,
});

async function list(
  _asked: Nothing,
  page: number,
  { fleet, inventory, clock, pageSize = PAGE_SIZE }: ReadPorts,
): Promise<View> {
  const asOf = clock.now();
  const [all, snapshot] = await Promise.all([
    collectRows(fleet.policies(PERSON)),
    inventory.snapshot(PERSON),
  ]);
  const sorted = all.toSorted((a, b) => compareNames(a.name, b.name) || a.id - b.id);
  const shown = slice(sorted, page, pageSize);
  return {
    kind: 'policies',
    rows: shown.rows.map((policy) => policyLine(policy, snapshot)),
    paging: {
      command: 'policies',
      input: {},
      page: shown.page,
      pages: shown.pages,
      total: sorted.length,
      asOf,
    },
  };
}
