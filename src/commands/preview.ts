/** `preview`: which devices the service's own device filters match (§4.2), before a policy is given them. */
import { z } from 'zod';
import type { GroupId } from '../ids.ts';
import { groupLabel, groupNameIn } from '../inventory/directory.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import { nearestOrAny } from '../inventory/nearest.ts';
import { fold } from '../text.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { filterText } from './device-filters.ts';
import { extraWord, problemView, usageProblem } from './faults.ts';
import type { Words } from './grammar.ts';
import { groupsNamed } from './group-members.ts';
import { type PreviewFilter, previewFilter, readPreviewFilter, serviceFilters } from './preview-filters.ts';
import { PERSON } from './resolve.ts';

const input = z.object({ filters: z.array(previewFilter).min(1) });
type Input = z.infer<typeof input>;

/** So many devices are shown; the rest is counted. */
const SAMPLE = 10;
const HEAD = { name: 'preview', usage: 'preview [os:NAME] [tag:TEXT] [ip:TEXT] [host:TEXT] [group:NAME]' };

export const preview = defineRead<Input>({
  ...HEAD,
  summary: 'Count the devices that filters of a policy would match, and show some of them.',
  examples: ['preview os:Windows tag:kiosk', 'preview host:web -ip:10.0. group:"Linux servers"'],
  input,
  parse,
  run: (asked, _page, ports) => show(asked, ports),
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [word] = words.free;
  if (word !== undefined) {
    const fault = {
      kind: 'bad-value',
      word,
      expected: `a filter, such as ${filterText('host', word)}`,
    } as const;
    return { kind: 'fault', fault };
  }
  const filters: PreviewFilter[] = [];
  for (const part of words.filters) {
    const read = readPreviewFilter(part);
    if (read.kind === 'fault') return read;
    filters.push(read.filter);
  }
  if (filters.length === 0) return { kind: 'fault', fault: { kind: 'missing', what: 'a filter' } };
  return { kind: 'input', input: { filters } };
}

async function show({ filters }: Input, { fleet, inventory, clock }: ReadPorts): Promise<View> {
  const snapshot = await inventory.snapshot(PERSON);
  const chosen = groupsOf(filters, snapshot);
  if (chosen.kind === 'view') return chosen.view;
  const named = withFamilies(filters, snapshot);
  if (named.kind === 'view') return named.view;
  const asOf = clock.now();
  const sent = serviceFilters(named.filters);
  const query = { filters: sent, groupIds: chosen.ids, pageSize: SAMPLE };
  const { rows, total } = await firstOf(fleet.preview(query, PERSON));
  return {
    kind: 'preview',
    question: filters.map(({ key, value, negated }) => filterText(key, value, negated)).join(' '),
    filters: sent,
    groups: chosen.all ? [] : chosen.ids.map((id) => groupNameIn(snapshot, id) ?? `#${id}`),
    rows: rows.slice(0, SAMPLE).map((row) => ({
      ...row,
      groupName: groupNameIn(snapshot, row.groupId) ?? row.groupName,
    })),
    total,
    asOf,
  };
}

type Chosen =
  | { readonly kind: 'groups'; readonly ids: readonly GroupId[]; readonly all: boolean }
  | { readonly kind: 'view'; readonly view: View };

/** The service matches within groups only; without a word about them all are meant. */
function groupsOf(filters: readonly PreviewFilter[], { groups }: Snapshot): Chosen {
  const asked = filters.filter(({ key }) => key === 'group');
  if (asked.length === 0) return { kind: 'groups', ids: [...groups.keys()], all: true };
  const ids = new Set<GroupId>();
  for (const { value } of asked) {
    const members = groupsNamed(value, groups.values());
    if (members.size === 0) {
      const nearest = nearestOrAny(value, [...groups.values()].map(groupLabel));
      return { kind: 'view', view: problemView({ kind: 'no-such-group', query: value, nearest }) };
    }
    for (const id of members) ids.add(id);
  }
  return { kind: 'groups', ids: [...ids], all: false };
}

type Named =
  | { readonly kind: 'filters'; readonly filters: readonly PreviewFilter[] }
  | { readonly kind: 'view'; readonly view: View };

/** Families as the service writes them, because it compares letter for letter; a slip of the pen is named back. */
function withFamilies(filters: readonly PreviewFilter[], { devices }: Snapshot): Named {
  const families = new Set(devices.flatMap(({ osFamily }) => osFamily ?? []));
  const named: PreviewFilter[] = [];
  for (const filter of filters) {
    const family = [...families].find((one) => fold(one) === fold(filter.value));
    if (filter.key === 'os' && family === undefined) {
      const nearest = nearestOrAny(filter.value, families).map((name) => filterText('os', name));
      const fault = { kind: 'unknown-word', word: filterText('os', filter.value), nearest } as const;
      return { kind: 'view', view: problemView(usageProblem(HEAD, fault)) };
    }
    named.push(filter.key === 'os' && family !== undefined ? { ...filter, value: family } : filter);
  }
  return { kind: 'filters', filters: named };
}

/** The first page: the rest would be read for nothing. */
async function firstOf<P>(pages: AsyncIterable<P & { readonly total: number | null }>) {
  for await (const page of pages) return page;
  return { rows: [], total: 0 };
}
