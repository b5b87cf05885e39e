/** `preview`: which devices the service's own device filters match (§4.2), before a policy is given them. */

import { z } from 'zod';
import { groupLabel } from '../fleet/model/derived-fields.ts';
import { displayName } from '../fleet/model/resources.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import { groupId } from '../lib/ids.ts';
import { quoteStructure } from '../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../views/models/form-model.ts';
import type { View } from '../views/types.ts';
import type { CommandForm, FormValues, OpenedForm, ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { searchesField } from './core/field-values.ts';
import { repeatLine } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord } from './parser/usage-errors.ts';
import {
  familiesOf,
  PREVIEW_LINE,
  type PreviewFilter,
  previewDevices,
  previewFilter,
  previewProblem,
  previewQueryText,
  readPreviewFilter,
  unknownValuesIn,
  VERSION_ID,
} from './queries/preview-devices.ts';
import { filterText } from './targets/device-query.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

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
