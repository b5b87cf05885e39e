/** The fields of a group as a form shows them. Pure. */
import type { Dialect } from '../../fleet/dialect.ts';
import type { GroupField } from '../../fleet/model/changes.ts';
import { COLORS, colorName, colorValue } from '../../fleet/model/derived-fields.ts';
import type { FormField, FormOption } from '../../views/models/form-model.ts';
import { notesField } from './shared/notes-field.ts';

/** Initial values of the fields. */
export type GroupFieldValues = {
  readonly name: string;
  readonly parent: FormOption | null;
  /** In minutes. */
  readonly refreshInterval: number | null;
  readonly color: string | null;
  readonly notes: string;
  readonly osAutoUpdate: boolean | null;
  readonly wsus: { readonly enabled: boolean | null; readonly server: string };
  readonly policies: readonly FormOption[];
};

/** Field ids by the service's field. A form may append an ending. */
export const FIELD_IDS = {
  name: 'name',
  parentId: 'parent',
  refreshIntervalMinutes: 'every',
  color: 'color',
  notes: 'notes',
  osAutoUpdate: 'os',
  wsus: 'wsus',
  policyIds: 'policies',
} as const satisfies Readonly<Record<GroupField, string>>;
/** The WSUS server, which is of use with {@link FIELD_IDS}' `wsus` alone. */
export const WSUS_SERVER_FIELD = 'server';
/** Longer than typed names, so that names from the console fit as well. */
const MAX_NAME = 200;

const HOURS = [4, 6, 8, 12, 24];

/** `ending` keeps the fields of one group apart from those of another. */
export function groupFields(ending: string, now: GroupFieldValues, dialect: Dialect): readonly FormField[] {
  const id = (field: string) => `${field}${ending}`;
  return [
    {
      kind: 'text',
      id: id('name'),
      label: 'Name',
      initial: now.name,
      most: Math.max(MAX_NAME, now.name.length),
    },
    {
      kind: 'search',
      id: id('parent'),
      label: 'Parent group',
      of: 'group',
      initial: now.parent,
      optional: true,
    },
    {
      kind: 'choice',
      id: id('every'),
      label: 'Scan interval',
      options: intervalOptions(now.refreshInterval, dialect),
      initial: now.refreshInterval === null ? null : String(now.refreshInterval),
    },
    {
      kind: 'choice',
      id: id('color'),
      label: 'Color',
      optional: true,
      options: colorOptions(now.color),
      initial: now.color === null ? null : colorKey(now.color),
    },
    notesField(id('notes'), now.notes),
    {
      kind: 'choice',
      id: id('os'),
      label: 'Automatic OS updates',
      options: YES_NO_UNCHANGED,
      initial: now.osAutoUpdate === null ? 'device' : now.osAutoUpdate ? 'on' : 'off',
    },
    {
      kind: 'choice',
      id: id('wsus'),
      label: 'Windows update source',
      options: WSUS,
      initial: now.wsus.enabled === null ? 'device' : now.wsus.enabled ? 'on' : 'off',
    },
    {
      kind: 'text',
      id: id(WSUS_SERVER_FIELD),
      label: 'WSUS server',
      hint: 'http://HOST:PORT, if WSUS is chosen above.',
      initial: now.wsus.server,
      most: 300,
      optional: true,
    },
    {
      kind: 'searches',
      id: id('policies'),
      label: 'Policies',
      of: 'policy',
      initial: now.policies,
      optional: true,
    },
  ];
}

const YES_NO_UNCHANGED: readonly FormOption[] = [
  { value: 'device', label: 'Device setting' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
];
const WSUS: readonly FormOption[] = [
  { value: 'device', label: 'Device setting' },
  { value: 'on', label: 'WSUS' },
  { value: 'off', label: 'Windows Update' },
];

function intervalOptions(now: number | null, dialect: Dialect): readonly FormOption[] {
  const usual = HOURS.map((hours) => hours * 60).filter((minutes) => minutes >= dialect.leastRefreshMinutes);
  const all = now === null || usual.includes(now) ? usual : [...usual, now];
  return all
    .toSorted((a, b) => a - b)
    .map((minutes) => ({
      value: String(minutes),
      label: minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`,
    }));
}

/** One of the nine colors in the menu's spelling; any other unchanged. */
function colorKey(color: string): string {
  const value = colorValue(color) ?? color;
  return COLORS.find((one) => one.value.toLowerCase() === value.toLowerCase())?.value ?? value;
}

/** The nine colors, and the current one if the console does not know it and shows its first instead (§2.1). */
function colorOptions(now: string | null): readonly FormOption[] {
  const nine = COLORS.map(({ name, value }) => ({ value, label: name, detail: value }));
  if (now === null || nine.some(({ value }) => value === colorKey(now))) return nine;
  const currentName = colorName(now);
  return [
    ...nine,
    {
      value: colorKey(now),
      label: now,
      ...(currentName === null ? {} : { detail: `${currentName} in the management service` }),
    },
  ];
}
