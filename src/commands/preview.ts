/** `preview`: which devices the service's own device filters match (§4.2), before a policy is given them. */
import { z } from 'zod';
import type { DevicePreviewFilter, PreviewQuery } from '../fleet/fleet.ts';
import { groupLabel } from '../fleet/model/derived-fields.ts';
import { displayName, type PreviewedDevice } from '../fleet/model/resources.ts';
import { groupNameIn, type Snapshot } from '../inventory/inventory.ts';
import { nearestNames, nearestNamesOrAll } from '../inventory/nearest-names.ts';
import type { Instant } from '../lib/clock.ts';
import { groupId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import { fold, quoteStructure } from '../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../views/models/form-model.ts';
import type { PreviewedDeviceLine } from '../views/models/list-model.ts';
import type { Offer } from '../views/models/problem-model.ts';
import type { Problem, View } from '../views/views.ts';
import type { CommandForm, FormValues, OpenedForm, ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { searchesField } from './core/field-values.ts';
import { personalDataProblem } from './core/reader-rights.ts';
import { repeatLine } from './lists/paging.ts';
import type { FilterToken, LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord, usageFault, usageProblem } from './parser/usage-errors.ts';
import { filterText } from './targets/device-query.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { groupsMatching } from './targets/resolve-group-or-policy.ts';

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
async function previewDevices(
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

const PREVIEW_LINE = {
  name: 'preview',
  usage: 'preview [os:NAME] [version:ID] [tag:TEXT] [ip:TEXT] [host:TEXT] [ou:TEXT] [group:NAME|#ID]',
};

function familiesOf({ devices }: Snapshot): readonly string[] {
  return [...new Set(devices.flatMap(({ osFamily }) => osFamily ?? []))].toSorted();
}

/** The first group or family that the fleet does not have; null: it has all of them. */
function unknownValuesIn(filters: readonly PreviewFilter[], snapshot: Snapshot): PreviewFilter | null {
  const families = familiesOf(snapshot).map(fold);
  const isKnown = ({ key, value }: PreviewFilter) =>
    key === 'group'
      ? groupsMatching(value, snapshot.groups.values()).size > 0
      : key !== 'os' || families.includes(fold(value));
  return filters.find((filter) => !isKnown(filter)) ?? null;
}

/** It named back, with the same question for each that comes near and leaves nothing else unknown. */
function previewProblem(
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

function previewQueryText(filters: readonly PreviewFilter[]): string {
  return filters.map(({ key, value, negated }) => filterText(key, value, negated)).join(' ');
}

const PREVIEW_KEYS = ['os', 'version', 'tag', 'ip', 'host', 'ou', 'group'] as const;

const previewFilter = z.object({
  key: z.enum(PREVIEW_KEYS),
  value: z.string().min(1),
  negated: z.boolean(),
});
type PreviewFilter = z.infer<typeof previewFilter>;

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
const VERSION_ID = /^[1-9]\d{0,14}$/;

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

const input = z.object({ filters: z.array(previewFilter).min(1) });
type Input = z.infer<typeof input>;

export const previewForm: CommandForm = {
  open: (typed, ports) => drawForm(prefillSchema.parse(typed).filters, ports),
  redraw: (values, _context, ports) => drawForm(filtersOf(values), ports),
  read(values): FormValues {
    const errors = errorsOf(values);
    if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
    return { kind: 'input', input: { filters: filtersOf(values) } };
  },
};

export const previewCommand = defineReadCommand<Input>({
  ...PREVIEW_LINE,
  summary: 'Count and list the devices that policy filters would match.',
  examples: ['preview os:Windows tag:kiosk', 'preview host:web -ip:10.0. group:"Linux servers"'],
  input,
  form: previewForm,
  parse,
  run: showPreview,
  findUnknownName: async ({ filters }, { inventory }) => {
    const snapshot = await inventory.snapshot(PERSON_PRIORITY);
    const unknown = unknownValuesIn(filters, snapshot);
    return unknown && previewProblem(unknown, filters, snapshot);
  },
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [word] = words.free;
  if (word !== undefined) {
    const expected = `a filter, such as ${filterText('host', word)}`;
    return { kind: 'fault', fault: { kind: 'bad-value', word, expected } };
  }
  const filters: PreviewFilter[] = [];
  for (const part of words.filters) {
    const read = readPreviewFilter(part);
    if (read.kind === 'fault') return read;
    filters.push(read.input);
  }
  if (filters.length === 0)
    return { kind: 'fault', fault: { kind: 'missing', what: 'Enter at least one filter.' } };
  return { kind: 'input', input: { filters } };
}

async function showPreview({ filters }: Input, at: number, ports: ReadPorts): Promise<View> {
  const found = await previewDevices(filters, ports, at);
  if (found.kind === 'problem') return problemView(found.problem);
  const { page, pages, asOf, ...shown } = found;
  const [question, input] = [previewQueryText(filters), { filters }];
  const total = found.total ?? found.rows.length;
  const paging = { command: 'preview', input, ...repeatLine('preview', question), page, pages, total, asOf };
  return { ...shown, kind: 'preview', question, input, paging };
}

type Key = Exclude<PreviewFilter['key'], 'group'>;

/** `some` is the operator that includes, `none` the one that excludes. */
const LABELS: Readonly<
  Record<Key, { readonly some: string; readonly none: string; readonly hint?: string }>
> = {
  os: { some: 'OS is any of', none: 'OS is none of' },
  version: {
    some: 'OS version ID is any of',
    none: 'OS version ID is none of',
    hint: 'A number. To find it, open a device, choose More, then Hardware, and take the number after # beside the OS version.',
  },
  ip: {
    some: 'IP address contains any of',
    none: 'IP address contains none of',
    hint: 'Such as “10.0.” or “192.168.”',
  },
  tag: {
    some: 'Tags contain any of',
    none: 'Tags contain none of',
    hint: 'Such as “kiosk” or “lab”',
  },
  ou: {
    some: 'Organizational unit contains any of',
    none: 'Organizational unit contains none of',
    hint: 'Such as “OU=Servers”',
  },
  host: {
    some: 'Hostname contains any of',
    none: 'Hostname contains none of',
    hint: 'Such as “web” or “db-”',
  },
};
/** The most used come first, because a phone shows little more. */
const KEYS = ['host', 'tag', 'os', 'ip', 'version', 'ou'] as const satisfies readonly Key[];
const GROUP = 'group';
const MAX_VALUES = 300;

const prefillSchema = z.object({ filters: z.array(previewFilter) }).catch({ filters: [] });

async function drawForm(filters: readonly PreviewFilter[], ports: ReadPorts): Promise<OpenedForm> {
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  const fields: readonly FormField[] = [
    { kind: 'words', text: await matchingDevices(filters, ports) },
    { kind: 'words', text: HOW_FIELDS_COMBINE },
    ...KEYS.filter((key) => key !== 'ou' || ports.dialect.unitFilter).flatMap((key) =>
      [false, true].map((negated) => filterField(key, negated, filters, snapshot)),
    ),
    searchesField(GROUP, 'In these groups and their subgroups', 'group', groupOptions(filters, snapshot), {
      hint: 'Leave empty for all groups.',
      optional: true,
      live: true,
    }),
  ];
  const form = { command: 'preview', title: 'Test a device filter', submit: 'Show matching devices' };
  return { kind: 'form', form: { ...form, fields, context: null } };
}

const HOW_FIELDS_COMBINE =
  'A device must match every field that you fill in. Separate several values in a field with commas.';

async function matchingDevices(filters: readonly PreviewFilter[], ports: ReadPorts): Promise<string> {
  if (filters.length === 0)
    return 'Shows which devices a policy’s device filter would match. Fill in one or more fields and choose Show matching devices. On a computer, you can press Enter in a field to see the matches here first.';
  const slip = filters.find(({ key, value }) => key === 'version' && !VERSION_ID.test(value));
  if (slip !== undefined) return `${slip.value} isn’t a version ID.`;
  const found = await previewDevices(filters, ports);
  if (found.kind === 'problem') return 'A group or OS in these filters no longer exists.';
  const { rows, total } = found;
  if (rows.length === 0) return 'No devices match.';
  const count = total === null ? `At least ${rows.length}` : String(total);
  const more = total !== null && total > rows.length ? `\nand ${total - rows.length} more` : '';
  const names = rows.map((row) => `${quoteStructure(displayName(row))} · #${row.id}`).join('\n');
  return `${count} ${total === 1 ? 'device matches' : 'devices match'}:\n${names}${more}`;
}

function filterField(
  key: Key,
  negated: boolean,
  filters: readonly PreviewFilter[],
  snapshot: Snapshot,
): FormField {
  const { some, none, hint } = LABELS[key];
  const values = filters
    .filter((filter) => filter.key === key && filter.negated === negated)
    .map(({ value }) => value);
  const head = {
    id: fieldId(key, negated),
    label: negated ? none : some,
    ...(hint === undefined || negated ? {} : { hint }),
    optional: true,
    live: true,
  } as const;
  if (key !== 'os') return { ...head, kind: 'text', initial: values.join(', '), most: MAX_VALUES };
  const options = familiesOf(snapshot).map((family) => ({ value: family, label: family }));
  return { ...head, kind: 'choices', options, initial: values, menu: true };
}

function groupOptions(filters: readonly PreviewFilter[], { groups }: Snapshot): readonly FormOption[] {
  return filters
    .filter(({ key }) => key === GROUP)
    .flatMap(({ value }) => {
      const id = groupId(Number(value.replace(/^#/, '')));
      const group = groups.get(id) ?? [...groups.values()].find((one) => groupLabel(one) === value);
      return group === undefined ? [] : [{ value: String(group.id), label: groupLabel(group) }];
    });
}

function fieldId(key: Key, negated: boolean): string {
  return negated ? `not_${key}` : key;
}

/** The entered filters as input of the command. Groups by ID, because several may have one name. */
function filtersOf(values: FieldValues): readonly PreviewFilter[] {
  const filters = KEYS.flatMap((key) =>
    [false, true].flatMap((negated) =>
      valuesOf(values, key, negated).map((value) => ({ key, value, negated })),
    ),
  );
  const groups = values.get(GROUP) ?? [];
  return [...filters, ...groups.map((id) => ({ key: GROUP, value: `#${id}`, negated: false }) as const)];
}

function valuesOf(values: FieldValues, key: Key, negated: boolean): readonly string[] {
  const entered = values.get(fieldId(key, negated)) ?? [];
  const parts = key === 'os' ? entered : entered.flatMap((text) => text.split(','));
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

function errorsOf(values: FieldValues): Readonly<Record<string, string>> {
  if (filtersOf(values).length === 0) return { [fieldId('host', false)]: 'Fill in at least one filter.' };
  const wrong = [false, true].filter((negated) =>
    valuesOf(values, 'version', negated).some((value) => !VERSION_ID.test(value)),
  );
  const words = 'Enter version IDs, separated by commas.';
  return Object.fromEntries(wrong.map((negated) => [fieldId('version', negated), words]));
}
