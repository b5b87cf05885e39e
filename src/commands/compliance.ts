/** `compliance`: how many devices do not comply with their policies, by group or by policy. */

import { z } from 'zod';
import { countDevices, DEVICE_FACTS } from '../inventory/device-counts.ts';
import {
  groupNameIn,
  type IndexedDevice,
  memoizePerSnapshot,
  type Snapshot,
} from '../inventory/inventory.ts';
import { nearestNamesOrAll } from '../inventory/nearest-names.ts';
import type { GroupId, PolicyId } from '../lib/ids.ts';
import { compareNames } from '../lib/text.ts';
import type { ComplianceView } from '../views/fleet/compliance-report.ts';
import type { CommandChoice, CompliancePart, ComplianceRow } from '../views/models/list-model.ts';
import type { View } from '../views/views.ts';
import type { ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import {
  cachedOrRead,
  listChanges,
  listState,
  refreshableInput,
  viewPage,
  wholePaging,
} from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, usageFault } from './parser/usage-errors.ts';
import type { DeviceFilter, DeviceListQuery } from './targets/device-query.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

const KINDS = ['groups', 'policies'] as const;
const input = refreshableInput.extend({ by: z.enum(KINDS).optional() });
type Input = z.infer<typeof input>;

type ComplianceResult = ComplianceView & { readonly ids: readonly number[] };

const compliancePages = defineResultList<ComplianceResult>(10, ({ rows }) =>
  rowWeight(rows, ({ parts = [] }) => inRows(parts)),
);
export const complianceCommand = defineReadCommand<Input>({
  name: 'compliance',
  usage: 'compliance [groups|policies]',
  summary: 'Count the devices that are not compliant, by group or by policy.',
  examples: ['compliance', 'compliance policies'],
  input,
  parse,
  run: complianceReport,
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [word, another] = words.free;
  const by = KINDS.find((kind) => kind === word?.toLowerCase());
  const wrong = by === undefined ? word : another;
  if (wrong !== undefined)
    return usageFault({ kind: 'unknown-word', word: wrong, nearest: nearestNamesOrAll(wrong, KINDS) });
  return { kind: 'input', input: by === undefined ? {} : { by } };
}

async function complianceReport(
  { by = 'groups', ...asked }: Input,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const read = () => countNoncompliant(by, asked.refresh === true, ports);
  const { ids, ...view } = viewPage(await cachedOrRead(compliancePages, asked, ports, read), page);
  if (view.partial !== null) return view;
  const query: DeviceListQuery = { words: [], filters: [{ ...NONCOMPLIANT, negated: false }] };
  return { ...view, ...(await listChanges({ ids, query }, ports)) };
}

async function countNoncompliant(
  by: (typeof KINDS)[number],
  refresh: boolean,
  { inventory }: ReadPorts,
): Promise<ComplianceResult> {
  const snapshot = await inventory.snapshot({ ...PERSON_PRIORITY, refresh });
  const rows = by === 'groups' ? worstGroups(snapshot) : worstPolicies(snapshot);
  return {
    kind: 'compliance',
    by,
    rows,
    devices: snapshot.devices.length,
    ...totalCounts(snapshot),
    ...listState(snapshot),
    ids: noncompliantIds(snapshot),
    list: listOf(NONCOMPLIANT),
    paging: wholePaging('compliance', { by }, by === 'groups' ? '' : by, {
      total: rows.length,
      asOf: snapshot.asOf,
    }),
  };
}

const NONCOMPLIANT = { key: 'is', value: 'noncompliant' } as const;

type GroupCounts = {
  devices: number;
  noncompliant: number;
  unstated: number;
  failing: Map<PolicyId, number>;
};

/** Each group without subgroups, with the policies that its devices do not comply with. */
function groupRows(snapshot: Snapshot): readonly ComplianceRow[] {
  return [...countsByGroup(snapshot.devices)].map(([id, { failing, ...counts }]) => {
    const name = groupNameIn(snapshot, id);
    return {
      name: groupTitle(snapshot, id),
      ...counts,
      parts: parts(failing, (policy) => policyTitle(snapshot, policy)),
      list: name === null ? null : listOf(NONCOMPLIANT, { key: 'group', value: name }),
    };
  });
}

/** In one pass without a list for each group: there may be 100,000 devices, and a person waits. */
function countsByGroup(devices: readonly IndexedDevice[]): ReadonlyMap<GroupId | null, GroupCounts> {
  const tallies = new Map<GroupId | null, GroupCounts>();
  for (const device of devices) {
    const { groupId, failingIds } = device;
    let group = tallies.get(groupId);
    if (group === undefined) {
      group = { devices: 0, noncompliant: 0, unstated: 0, failing: new Map() };
      tallies.set(groupId, group);
    }
    group.devices += 1;
    if (DEVICE_FACTS.noncompliant(device)) group.noncompliant += 1;
    else if (!DEVICE_FACTS.compliant(device)) group.unstated += 1;
    for (const id of failingIds) group.failing.set(id, (group.failing.get(id) ?? 0) + 1);
  }
  return tallies;
}

/** Each policy, with the groups of the devices that do not comply with it. */
function policyRows(snapshot: Snapshot): readonly ComplianceRow[] {
  const applies = countsOf(snapshot.devices.flatMap(({ policyIds }) => policyIds ?? []));
  const failing = new Map<PolicyId, (GroupId | null)[]>();
  for (const { failingIds, groupId } of snapshot.devices) {
    for (const id of failingIds) {
      const groups = failing.get(id);
      if (groups === undefined) failing.set(id, [groupId]);
      else groups.push(groupId);
    }
  }
  return [...failing].map(([id, groups]) => ({
    name: policyTitle(snapshot, id),
    devices: applies.get(id) ?? groups.length,
    noncompliant: groups.length,
    unstated: 0,
    parts: parts(countsOf(groups), (group) => groupTitle(snapshot, group)),
    list: listOf({ key: 'fails', value: `#${id}` }),
  }));
}

function countsOf<T>(items: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function parts<T>(counts: ReadonlyMap<T, number>, nameOf: (item: T) => string): readonly CompliancePart[] {
  return [...counts]
    .map(([item, noncompliant]) => ({ name: nameOf(item), noncompliant }))
    .toSorted((a, b) => b.noncompliant - a.noncompliant || compareNames(a.name, b.name));
}

function groupTitle(snapshot: Snapshot, id: GroupId | null): string {
  return groupNameIn(snapshot, id) ?? (id === null ? 'Unknown group' : `#${id}`);
}

function policyTitle({ policies }: Snapshot, id: PolicyId): string {
  return policies.find((policy) => policy.id === id)?.name ?? `#${id}`;
}

function listOf(...filters: readonly Pick<DeviceFilter, 'key' | 'value'>[]): CommandChoice {
  return {
    command: 'devices',
    input: { words: [], filters: filters.map((filter) => ({ ...filter, negated: false })) },
  };
}

const noncompliantIds = memoizePerSnapshot(({ devices }) =>
  devices.filter(DEVICE_FACTS.noncompliant).map(({ id }) => Number(id)),
);
const worstGroups = memoizePerSnapshot((snapshot) => worstFirst(groupRows(snapshot)));
const worstPolicies = memoizePerSnapshot((snapshot) => worstFirst(policyRows(snapshot)));
const totalCounts = memoizePerSnapshot(({ devices }) => {
  const { compliant, noncompliant } = countDevices(devices);
  return { noncompliant, unstated: devices.length - compliant - noncompliant };
});

function worstFirst(rows: readonly ComplianceRow[]): readonly ComplianceRow[] {
  return rows
    .filter(({ noncompliant }) => noncompliant > 0)
    .toSorted((a, b) => b.noncompliant - a.noncompliant || compareNames(a.name, b.name));
}
