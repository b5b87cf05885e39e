/**
 * The filters of `preview` (§2.9), and the devices that the service matches with them, with groups and OS families in its
 * own spelling.
 */

import { z } from 'zod';
import type { DevicePreviewFilter, PreviewQuery } from '../../fleet/fleet.ts';
import { groupLabel } from '../../fleet/model/derived-fields.ts';
import type { PreviewedDevice } from '../../fleet/model/resources.ts';
import { groupNameIn, type Snapshot } from '../../inventory/inventory.ts';
import { nearestNames, nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { Instant } from '../../lib/clock.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { fold } from '../../lib/text.ts';
import type { PreviewedDeviceLine } from '../../views/models/list-model.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { Problem } from '../../views/types.ts';
import type { ReadPorts, TypedInput } from '../core/command.ts';
import { personalDataProblem } from '../core/reader-rights.ts';
import type { FilterToken } from '../parser/tokenizer.ts';
import { usageFault, usageProblem } from '../parser/usage-errors.ts';
import { filterText } from '../targets/device-query.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { groupsMatching } from '../targets/resolve-group-or-policy.ts';

const PAGE_SIZE = 10;
/** Maximum number of devices in a file: ten requests. The file says how many are left out. */
const MAX_FILE_ROWS = 2_000;

type PreviewResult = {
  readonly kind: 'previewed';
  /** The filters as they were sent. */
  readonly filters: readonly DevicePreviewFilter[];
  /** Names of the groups asked for; empty: all of them. */
  readonly groups: readonly string[];
  readonly rows: readonly PreviewedDeviceLine[];
  /** Null if the service gave no total. */
  readonly total: number | null;
  readonly page: number;
  readonly pages: number;
  readonly asOf: Instant;
};

/** Asks the service which devices the filters would match. Throws FleetFailure. */
export async function previewDevices(
  filters: readonly PreviewFilter[],
  ports: ReadPorts,
  page = 0,
): Promise<PreviewResult | { readonly kind: 'problem'; readonly problem: Problem }> {
  const { fleet, inventory, clock, dialect } = ports;
  const refused = personalDataProblem(ports, filters.some(({ key }) => key === 'ip') ? 'ip:' : undefined);
  if (refused !== null) return { kind: 'problem', problem: refused };
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  const unit = dialect.unitFilter ? undefined : filters.find(({ key }) => key === 'ou');
  if (unit !== undefined) return { kind: 'problem', problem: noUnitsProblem(unit) };
  const unknown = unknownValuesIn(filters, snapshot);
  if (unknown !== null) return { kind: 'problem', problem: previewProblem(unknown, filters, snapshot) };
  const chosen = chosenGroups(filters, snapshot);
  const asOf = clock.now();
  const sent = toServiceFilters(withFamilies(filters, snapshot));
  const query = { filters: sent, groupIds: chosen.ids };
  const read =
    ports.pageSize === undefined ? await readPage(query, page, fleet) : await readForFile(query, fleet);
  return {
    kind: 'previewed',
    filters: sent,
    groups: chosen.all ? [] : chosen.ids.map((id) => groupNameIn(snapshot, id) ?? `#${id}`),
    ...read,
    rows: read.rows.map((row) => previewedDevice(row, snapshot)),
    asOf,
  };
}

/** With the facts of its own record, so that it reads as in lists. */
function previewedDevice(row: PreviewedDevice, snapshot: Snapshot): PreviewedDeviceLine {
  const groupName = groupNameIn(snapshot, row.groupId) ?? row.groupName;
  const known = snapshot.device(row.id);
  // A device that was reinstalled meanwhile has another OS family.
  const osName = known?.osFamily === row.osFamily ? (known?.osName ?? null) : null;
  return { ...row, groupName, ...(osName === null ? {} : { osName }) };
}

/** The service matches within groups only, so without groups all of them are sent. */
function chosenGroups(filters: readonly PreviewFilter[], { groups }: Snapshot) {
  const chosen = filters.filter(({ key }) => key === 'group');
  if (chosen.length === 0) return { ids: [...groups.keys()], all: true };
  const ids = new Set(chosen.flatMap(({ value }) => [...groupsMatching(value, groups.values())]));
  return { ids: [...ids], all: false };
}

/** OS families in the service's spelling, because it compares them exactly. */
function withFamilies(filters: readonly PreviewFilter[], snapshot: Snapshot): readonly PreviewFilter[] {
  const families = familiesOf(snapshot);
  return filters.map((filter) => {
    const family = filter.key === 'os' ? families.find((one) => fold(one) === fold(filter.value)) : undefined;
    return family === undefined ? filter : { ...filter, value: family };
  });
}

type Fleet = Pick<ReadPorts['fleet'], 'preview'>;
type ReadRows = Pick<PreviewResult, 'total' | 'page' | 'pages'> & {
  readonly rows: readonly PreviewedDevice[];
};

/** One page as it is now. Without a total, nobody knows of a next one. */
async function readPage(query: PreviewQuery, page: number, fleet: Fleet): Promise<ReadRows> {
  const { rows, total } = await firstOf(
    fleet.preview({ ...query, pageSize: PAGE_SIZE, firstPage: page }, PERSON_PRIORITY),
  );
  const pages = total === null ? page + 1 : Math.max(Math.ceil(total / PAGE_SIZE), 1);
  // Fewer devices match than when the button was drawn.
  if (page > 0 && page >= pages) return readPage(query, pages - 1, fleet);
  return { rows: rows.slice(0, PAGE_SIZE), total, page, pages };
}

async function firstOf(pages: ReturnType<Fleet['preview']>) {
  for await (const page of pages) return page;
  return { rows: [], total: 0 };
}

async function readForFile(query: PreviewQuery, fleet: Fleet): Promise<ReadRows> {
  const rows: PreviewedDevice[] = [];
  let stated: number | null = 0;
  for await (const page of fleet.preview(query, PERSON_PRIORITY)) {
    rows.push(...page.rows);
    stated = page.total;
    if (rows.length >= MAX_FILE_ROWS) break;
  }
  return { rows: rows.slice(0, MAX_FILE_ROWS), total: stated, page: 0, pages: 1 };
}

function noUnitsProblem({ key, value, negated }: PreviewFilter): Problem {
  const expected = 'another filter: this management service doesn’t filter by organizational unit';
  return usageProblem(PREVIEW_LINE, { kind: 'bad-value', word: filterText(key, value, negated), expected });
}

export const PREVIEW_LINE = {
  name: 'preview',
  usage: 'preview [os:NAME] [version:ID] [tag:TEXT] [ip:TEXT] [host:TEXT] [ou:TEXT] [group:NAME|#ID]',
};

export function familiesOf({ devices }: Snapshot): readonly string[] {
  return [...new Set(devices.flatMap(({ osFamily }) => osFamily ?? []))].toSorted();
}

/** The first group or family that the fleet does not have; null: it has all of them. */
export function unknownValuesIn(filters: readonly PreviewFilter[], snapshot: Snapshot): PreviewFilter | null {
  const families = familiesOf(snapshot).map(fold);
  const isKnown = ({ key, value }: PreviewFilter) =>
    key === 'group'
      ? groupsMatching(value, snapshot.groups.values()).size > 0
      : key !== 'os' || families.includes(fold(value));
  return filters.find((filter) => !isKnown(filter)) ?? null;
}

/** It named back, with the same question for each that comes near and leaves nothing else unknown. */
export function previewProblem(
  unknown: PreviewFilter,
  filters: readonly PreviewFilter[],
  snapshot: Snapshot,
): Problem {
  const { key, value } = unknown;
  const known = key === 'group' ? [...snapshot.groups.values()].map(groupLabel) : familiesOf(snapshot);
  const offers = nearestNames(value, known).flatMap((near): readonly Offer[] => {
    const right = filters.map((filter) => (filter === unknown ? { ...filter, value: near } : filter));
    if (unknownValuesIn(right, snapshot) !== null) return [];
    const line = `${ROOT_COMMAND} preview ${previewQueryText(right)}`;
    return [{ kind: 'line', does: 'run', line, choice: { command: 'preview', input: { filters: right } } }];
  });
  const offered = offers.length === 0 ? {} : { offers };
  if (key === 'group') {
    return { kind: 'no-such-group', query: value, nearest: nearestNames(value, known), ...offered };
  }
  const words = nearestNamesOrAll(value, known).map((name) => filterText('os', name));
  const fault = { kind: 'unknown-word', word: filterText('os', value), nearest: words } as const;
  return { ...usageProblem(PREVIEW_LINE, fault), ...offered };
}

export function previewQueryText(filters: readonly PreviewFilter[]): string {
  return filters.map(({ key, value, negated }) => filterText(key, value, negated)).join(' ');
}

const PREVIEW_KEYS = ['os', 'version', 'tag', 'ip', 'host', 'ou', 'group'] as const;

export const previewFilter = z.object({
  key: z.enum(PREVIEW_KEYS),
  value: z.string().min(1),
  negated: z.boolean(),
});
export type PreviewFilter = z.infer<typeof previewFilter>;

/** A filter that the service has, or the word named back. */
export function readPreviewFilter({
  key: typed,
  value,
  negated,
  text,
}: FilterToken): TypedInput<PreviewFilter> {
  const key = PREVIEW_KEYS.find((known) => known === typed);
  if (key === undefined) {
    const offered = nearestNamesOrAll(typed, PREVIEW_KEYS).map((known) => `${known}:`);
    return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest: offered } };
  }
  const bad = (expected: string) => usageFault({ kind: 'bad-value', word: text, expected });
  if (value === '') return bad('a value right after the colon');
  if (key === 'version' && !VERSION_ID.test(value)) return bad('an OS version number');
  if (key === 'group' && negated) return bad('a group without “-”');
  return { kind: 'input', input: { key, value, negated } };
}

/** Versions are told apart by numbers (§2.9), which the service wants as text. */
export const VERSION_ID = /^[1-9]\d{0,14}$/;

const SERVICE_FIELDS = { tag: 'tag', ip: 'ip_addr', host: 'hostname', ou: 'organizational_unit' } as const;

/** As the service takes them: the values of one key mean any of them, and a negated one none of them. */
export function toServiceFilters(filters: readonly PreviewFilter[]): readonly DevicePreviewFilter[] {
  const clauses = Map.groupBy(filters, ({ key, negated }) => `${negated ? '-' : ''}${key}`);
  return [...clauses.values()].flatMap((clause): readonly DevicePreviewFilter[] => {
    const [first] = clause;
    if (first === undefined || first.key === 'group') return [];
    const values = clause.map(({ value }) => value);
    if (first.key === 'os' || first.key === 'version') {
      const field = first.key === 'os' ? 'os_family' : 'os_version_id';
      return [{ field, op: first.negated ? 'not_in' : 'in', values }];
    }
    return [{ field: SERVICE_FIELDS[first.key], op: first.negated ? 'not_like_any' : 'like_any', values }];
  });
}
