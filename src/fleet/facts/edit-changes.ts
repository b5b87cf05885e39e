/** An edit or a removal as rows of field, before and after, in plain words. Pure; whoever shows a row escapes it. */
import type { GroupId } from '../../lib/ids.ts';
import { cut, joinWithAnd, quoteValue } from '../../lib/text.ts';
import { applyTagChange } from '../editor/device-fields.ts';
import { editedFields, type FleetEdit } from '../model/actions.ts';
import type { DeviceChange, EditedField, GroupChange, NewPolicy } from '../model/changes.ts';
import { colorName, colorValue } from '../model/derived-fields.ts';
import {
  DAYS,
  DEVICE_TIME,
  MONTHS,
  POLICY_SETTING_NAMES,
  POLICY_SETTINGS,
  type PolicySettingName,
  type SettingValue,
  setBits,
  WEEKDAYS,
  WEEKS,
} from '../model/policy.ts';
import {
  type DeviceFacts,
  type EditableFields,
  type GroupFacts,
  type GroupSnapshot,
  isPolicyFacts,
  type PolicyEditFacts,
  type PolicySnapshot,
  type TargetFacts,
} from './facts.ts';

/** Longest list that is shown whole, in characters. */
export const MAX_LIST_LENGTH = 120;

/** What the edit changes; no rows when the facts are about another kind of thing. */
export function fieldChanges(edit: FleetEdit, facts: TargetFacts): readonly FieldChange[] {
  const rows = rowsOf(edit, facts);
  return editedFields(edit).flatMap((field) => {
    const row = rows[field];
    if (row === undefined) return [];
    const [before, after, more] = row;
    return [{ field, before, after, ...more }];
  });
}

function rowsOf(edit: FleetEdit, facts: TargetFacts): FieldRows {
  if (edit.kind === 'device-edit') {
    const isAbout = facts.deviceId !== null && facts.editable !== null;
    return isAbout ? deviceRows(facts, facts.editable, edit.change) : {};
  }
  if (facts.deviceId !== null) return {};
  if (edit.kind === 'policy-create' || edit.kind === 'policy-edit') {
    const wanted = edit.kind === 'policy-create' ? edit.policy : edit.change;
    return isPolicyFacts(facts) ? policyRows(facts, wanted) : {};
  }
  const wanted = edit.kind === 'group-create' ? edit.group : edit.change;
  return isPolicyFacts(facts) ? {} : groupRows(facts, wanted);
}

/** What stands in the row of a field. */
type FieldRows = Readonly<Partial<Record<EditedField, BeforeAndAfter>>>;

function deviceRows(facts: DeviceFacts, editable: EditableFields, change: DeviceChange): FieldRows {
  const { retag, tags = retag === undefined ? editable.tags : applyTagChange(editable.tags, retag) } = change;
  return {
    customName: [textOrNone(editable.customName), textOrNone(change.customName ?? null)],
    groupId: [
      groupText(facts.groupId, facts.groupName),
      groupText(change.groupId ?? null, editable.intoGroup),
    ],
    tags: listChange(editable.tags.map(quoteValue), tags.map(quoteValue)),
    exception: [yesNoText(editable.exception), yesNoText(change.exception ?? null)],
    addresses: listChange(editable.addresses.map(quoteValue), (change.addresses ?? []).map(quoteValue)),
  };
}

function groupRows({ group, parentName, policies }: GroupFacts, wanted: GroupChange): FieldRows {
  const row = (words: (state: GroupSnapshot) => string, after: string): BeforeAndAfter => [
    group === null ? null : words(group),
    after,
  ];
  const { enabled = null, server = group?.wsus?.server ?? null } = wanted.wsus ?? {};
  return {
    name: row(({ name }) => textOrNone(name), textOrNone(wanted.name ?? null)),
    parentId: row(
      (state) => groupText(state.parentId, state.parentName),
      groupText(wanted.parentId ?? null, parentName),
    ),
    refreshIntervalMinutes: row(
      (state) => intervalText(state.refreshIntervalMinutes),
      intervalText(wanted.refreshIntervalMinutes ?? null),
    ),
    color: row(({ color }) => colorText(color), colorText(colorValue(wanted.color ?? ''))),
    notes: row(({ notes }) => textOrNone(notes), textOrNone(wanted.notes ?? null)),
    osAutoUpdate: row((state) => onOffText(state.osAutoUpdate), onOffText(wanted.osAutoUpdate ?? null)),
    // A change without a server keeps the one that is set.
    wsus: row(({ wsus }) => wsusText(wsus?.managed ?? null, wsus?.server ?? null), wsusText(enabled, server)),
    policyIds: namesChange(group?.policies, policies),
  };
}

/** With its id: several groups may have one name. */
function groupText(id: GroupId | null, name: string | null): string {
  return id === null ? 'unknown' : nameWithId({ id, name });
}

function yesNoText(value: boolean | null): string {
  if (value === null) return 'unknown';
  return value ? 'yes' : 'no';
}

function intervalText(minutes: number | null): string {
  if (minutes === null) return 'unknown';
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

/** The console shows an unknown color as its first one (§2.1), so both are named. */
function colorText(value: string | null): string {
  const name = colorName(value);
  return value === null || value === '' || name === null
    ? 'none'
    : `${/^#[\da-f]{6}$/i.test(value) ? value : quoteValue(value)} (${name} in the management service)`;
}

function onOffText(value: boolean | null): string {
  if (value === null) return 'the device’s own setting';
  return value ? 'on' : 'off';
}

function wsusText(managed: boolean | null, server: string | null): string {
  if (managed === null) return 'the device’s own setting';
  if (!managed) return 'the Windows update service';
  return server === null || server === '' ? 'WSUS' : `WSUS, server ${quoteValue(server)}`;
}

/** A card has room for all that one edit sets up to this length, in escaped characters. */
export const MAX_READABLE_LENGTH = 1_800;

/** Whether the card of the edit can show all that it sets, so that its approver can read it. */
export function fitsOnCard(changes: readonly FieldChange[]): boolean {
  const lengths = changes.flatMap(({ after, difference }) =>
    difference === undefined
      ? escapedLength(after)
      : [difference.added, difference.removed].map((items) => escapedLength(items.join(', '))),
  );
  return lengths.reduce((sum, length) => sum + length, 0) <= MAX_READABLE_LENGTH;
}

/** Three characters are escaped for Slack, and others for JSON. */
function escapedLength(text: string): number {
  return JSON.stringify(text.replace(/[&<>]/g, '&amp;')).length;
}

function policyRows({ current, groups }: PolicyEditFacts, wanted: Partial<NewPolicy>): FieldRows {
  const row = (words: (now: PolicySnapshot) => string, after: string): BeforeAndAfter => [
    current === null ? null : words(current),
    after,
  ];
  const { days, weeksOfMonth, months, time, timezone } = wanted;
  const settings = POLICY_SETTING_NAMES.map((name) => {
    const after = settingText(name, wanted.settings?.[name]);
    return [name, row((now) => settingText(name, now.settings[name]), after)] as const;
  });
  return {
    name: row(({ name }) => textOrNone(name), textOrNone(wanted.name ?? null)),
    notes: row(({ notes }) => textOrNone(notes), textOrNone(wanted.notes ?? null)),
    severities: [null, severitiesText(wanted.severities ?? [])],
    groupIds: namesChange(current?.groups, groups),
    days: row(({ schedule }) => daysText(schedule.days), daysText(days ?? null)),
    weeksOfMonth: row(({ schedule }) => weeksText(schedule.weeksOfMonth), weeksText(weeksOfMonth ?? null)),
    months: row(({ schedule }) => monthsText(schedule.months), monthsText(months ?? null)),
    time: row(({ schedule }) => textOrNone(schedule.time), textOrNone(time ?? null)),
    timezone: row(({ schedule }) => zoneText(schedule.timezone), zoneText(timezone ?? null)),
    ...Object.fromEntries(settings),
  };
}

function severitiesText(severities: readonly string[]): string {
  return severities.length === 0
    ? 'all that are available'
    : `only ${joinWithAnd(severities.map(quoteValue))} severity`;
}

function daysText(mask: number | null): string {
  return mask === WEEKDAYS
    ? 'Monday to Friday'
    : maskText(mask, DAYS, 'every day', 'none (runs only by hand)');
}

function weeksText(mask: number | null): string {
  return maskText(mask, WEEKS, 'every week', 'none');
}

function monthsText(mask: number | null): string {
  return maskText(mask, MONTHS, 'every month', 'none');
}

function maskText(mask: number | null, names: readonly string[], all: string, none: string): string {
  if (mask === null) return 'unknown';
  const named = setBits(mask, names);
  if (named === null) return `unrecognized (${mask})`;
  if (named.length === names.length) return all;
  return named.length === 0 ? none : joinWithAnd(named);
}

export function zoneText(timezone: string | null): string {
  if (timezone === null) return 'unknown';
  return timezone === DEVICE_TIME ? 'each device’s own time' : quoteValue(timezone);
}

/** A setting that the configuration lacks is as the service takes it by itself. */
export function settingText(name: PolicySettingName, value: SettingValue | undefined): string {
  if (value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return textOrNone(value);
  if (typeof value === 'number') {
    const { shape } = POLICY_SETTINGS[name];
    return shape.kind === 'number' && shape.most !== null ? `${value} minutes` : String(value);
  }
  return value.length === 0 ? 'none' : `${joinWithAnd(value.toSorted((a, b) => a - b).map(String))} hours`;
}

export type FieldChange = {
  readonly field: EditedField;
  /** Null for a new thing. */
  readonly before: string | null;
  readonly after: string;
  /** For a list that existed before: the items added, removed and kept. */
  readonly difference?: ListDifference;
};
export type ListDifference = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly string[];
};

type BeforeAndAfter = readonly [before: string | null, after: string, more?: Pick<FieldChange, 'difference'>];

function textOrNone(text: string | null): string {
  return text === null || text === '' ? 'none' : quoteValue(text);
}

/** The name tells little where several have the same one, or none. */
export function nameWithId({ id, name }: { readonly id: number; readonly name: string | null }): string {
  return name === null ? `#${id} (name unknown)` : `${name === '' ? 'no name' : quoteValue(name)} (#${id})`;
}

/** Sorted, because the service keeps no order. */
function listText(items: readonly string[]): string {
  return items.length === 0 ? 'none' : [...new Set(items)].toSorted().join(', ');
}

type Named = Parameters<typeof nameWithId>[0];

/** `before` absent: of a new thing. */
function namesChange(before: readonly Named[] | undefined, after: readonly Named[]): BeforeAndAfter {
  const names = after.map(nameWithId);
  return before === undefined ? [null, listText(names)] : listChange(before.map(nameWithId), names);
}

/** Items are marked already where they are not plain. */
function listChange(before: readonly string[], after: readonly string[]): BeforeAndAfter {
  const [was, will] = [new Set(before), new Set(after)];
  const added = [...will.difference(was)].toSorted();
  const removed = [...was.difference(will)].toSorted();
  const difference = { added, removed, kept: [...was.intersection(will)].toSorted() };
  return [listText(before), listText(after), { difference }];
}

/** Names of fields, for the middle of a sentence. */
export const FIELD_LABELS: Readonly<Record<EditedField, string>> = {
  customName: 'custom name',
  groupId: 'group',
  tags: 'tags',
  exception: 'exclusion from reports and statistics',
  addresses: 'addresses',
  name: 'name',
  parentId: 'parent group',
  refreshIntervalMinutes: 'scan interval',
  color: 'color',
  notes: 'notes',
  osAutoUpdate: 'operating system updates',
  wsus: 'source of Windows updates',
  policyIds: 'policies',
  configuration: 'scripts and other settings',
  severities: 'patches',
  groupIds: 'groups',
  days: 'days',
  weeksOfMonth: 'weeks of the month',
  months: 'months',
  time: 'time',
  timezone: 'time zone',
  autoReboot: 'automatic reboot',
  notifyPatch: 'notification before patches',
  notifyReboot: 'notification before patches that reboot',
  notifyPending: 'notification of a pending reboot',
  deferrals: 'deferrals allowed',
  deferralHours: 'deferral periods',
  pendingDeferrals: 'reboot deferrals allowed',
  pendingDeferralHours: 'reboot deferral periods',
  timeout: 'notification timeout',
  pendingTimeout: 'reboot notification timeout',
  patchText: 'patch message (Windows)',
  patchTextMac: 'patch message (macOS)',
  rebootText: 'patch and reboot message (Windows)',
  rebootTextMac: 'patch and reboot message (macOS)',
  pendingText: 'pending reboot message (Windows)',
  pendingTextMac: 'pending reboot message (macOS)',
};

type RemovalEffect = { readonly label: string; readonly value: string };

/** Names that one line lists; the others are counted. */
const MAX_LISTED = 10;
const MAX_NAME = 60;

/** What goes with it, a line each; none for facts of another kind of request. */
export function removalEffects(facts: TargetFacts): readonly RemovalEffect[] {
  if (isPolicyFacts(facts)) return [];
  return facts.deviceId === null ? groupEffects(facts) : deviceEffects(facts);
}

function deviceEffects({ removal }: DeviceFacts): readonly RemovalEffect[] {
  if (removal === undefined) return [];
  const queued = removal.queued.map(({ type }) => quoteValue(type || 'a command without a type'));
  return [
    listed('Policies', removal.policies.map(shownName)),
    listed('Queued commands, also deleted', queued),
  ].flat();
}

function groupEffects({ group, removal }: GroupFacts): readonly RemovalEffect[] {
  if (removal === undefined) return [];
  const { devices, subgroups, policiesAfter } = removal;
  return [
    listed('Devices, moved to the Default Group', devices.listed.map(shownName), devices.count),
    listed('Subgroups', subgroups.map(shownName)),
    listed('Linked policies', (group?.policies ?? []).map(shownName)),
    devices.count === 0 ? [] : listed('Policies of the Default Group', policiesAfter.map(shownName)),
  ].flat();
}

/** Always with its id, because this cannot be undone. */
function shownName({ id, name }: { readonly id: number; readonly name: string | null }): string {
  return name === null || name === '' ? `#${id}` : nameWithId({ id, name: cut(name, MAX_NAME) });
}

/** Nothing where there are none. `count`: how many there are, where not all have a name here. */
function listed(label: string, names: readonly string[], count = names.length): readonly RemovalEffect[] {
  if (count === 0) return [];
  const shown = names.slice(0, MAX_LISTED);
  const left = count - shown.length;
  if (shown.length === 0) return [{ label: `${label} (${count})`, value: 'too many to list' }];
  const more = left > 0 ? ` and ${left} more` : '';
  return [{ label: `${label} (${count})`, value: `${shown.join(', ')}${more}` }];
}
