/** `compliance`: how many devices do not comply with their policies, group by group. */
import type { Device } from '../fleet/model.ts';
import { groupNameIn } from '../inventory/directory.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import type { View } from '../views/model.ts';
import type { Choice, ComplianceRow } from '../views/report-model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { type Nothing, nothing, parseNothing } from './nothing.ts';
import { slice } from './paging.ts';
import { PERSON } from './resolve.ts';

const PAGE_SIZE = 10;
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export const compliance = defineRead<Nothing>({
  name: 'compliance',
  usage: 'compliance',
  summary: 'Count the devices that do not comply with their policies, group by group.',
  examples: ['compliance'],
  input: nothing,
  parse: parseNothing,
  run: report,
});

async function report(
  _asked: Nothing,
  page: number,
  { inventory, pageSize = PAGE_SIZE }: ReadPorts,
): Promise<View> {
  const snapshot = await inventory.snapshot(PERSON);
  const rows = rowsOf(snapshot)
    .filter(({ noncompliant }) => noncompliant > 0)
    .toSorted((a, b) => b.noncompliant - a.noncompliant || compare(a.name, b.name));
  const shown = slice(rows, page, pageSize);
  return {
    kind: 'compliance',
    rows: shown.rows,
    devices: snapshot.devices.length,
    ...tally(snapshot.devices),
    unlisted: snapshot.unlisted,
    partial: snapshot.partial,
    overdue: snapshot.overdue,
    list: noncompliantOf(null),
    paging: {
      command: 'compliance',
      input: {},
      page: shown.page,
      pages: shown.pages,
      total: rows.length,
      asOf: snapshot.asOf,
    },
  };
}

function rowsOf(snapshot: Snapshot): readonly ComplianceRow[] {
  return [...Map.groupBy(snapshot.devices, ({ groupId }) => groupId)].map(([id, devices]) => {
    const name = groupNameIn(snapshot, id);
    return {
      name: name ?? (id === null ? 'No group stated' : `#${id}`),
      devices: devices.length,
      ...tally(devices),
      list: name === null ? null : noncompliantOf(name),
    };
  });
}

function tally(devices: readonly Pick<Device, 'compliant'>[]) {
  return {
    noncompliant: devices.filter(({ compliant }) => compliant === false).length,
    unstated: devices.filter(({ compliant }) => compliant === null).length,
  };
}

function noncompliantOf(group: string | null): Choice {
  const of = group === null ? [] : [{ key: 'group', value: group, negated: false }];
  const filters = [{ key: 'is', value: 'noncompliant', negated: false }, ...of];
  return { command: 'devices', input: { words: [], filters } };
}
