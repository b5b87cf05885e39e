/** One field of an edit, before and after, in plain words, and what people call it. Pure; whoever shows it escapes it. */
import { quoteValue } from '../../lib/structure.ts';
import type { EditedField } from '../model/changes.ts';

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

export type BeforeAndAfter = readonly [
  before: string | null,
  after: string,
  more?: Pick<FieldChange, 'difference'>,
];

export function textOrNone(text: string | null): string {
  return text === null || text === '' ? 'none' : quoteValue(text);
}

/** The name tells little where several have the same one, or none. */
export function nameWithId({ id, name }: { readonly id: number; readonly name: string | null }): string {
  return name === null ? `#${id} (name unknown)` : `${name === '' ? 'no name' : quoteValue(name)} (#${id})`;
}

/** Sorted, because the service keeps no order. */
export function listText(items: readonly string[]): string {
  return items.length === 0 ? 'none' : [...new Set(items)].toSorted().join(', ');
}

/** Items are marked already where they are not plain. */
export function listChange(before: readonly string[], after: readonly string[]): BeforeAndAfter {
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
