/** What an edit changes, field by field: before and after. */
import {
  FIELD_LABELS,
  type FieldChange,
  fieldChanges,
  type ListDifference,
  MAX_LIST_LENGTH,
  MAX_READABLE_LENGTH,
  nameWithId,
} from '../../fleet/facts/edit-changes.ts';
import { type DeviceEdit, type FleetAction, type FleetEdit, isEdit } from '../../fleet/model/actions.ts';
import { upperFirst } from '../../lib/text.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { bold, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block } from '../models/rendered-model.ts';
import { withRest } from '../text/common-text.ts';
import { targetName } from '../text/target-name.ts';

/** New values are never cut: an edit that sets more than this is refused before it is requested. */
const UNSHORTENED = MAX_READABLE_LENGTH + 2;
/** Holds the longest edit of one thing; as JSON it may double and still leaves room for the rest of the card. */
const BUDGET = 3_400;

/** More rows than this never fit within the budget. */
const MAX_LIST_ITEMS = 200;

/** One row for each field of each thing; none for a command that edits nothing. `shared`: without personal data. */
export function editChangeBlocks(
  order: FleetAction,
  targets: readonly TargetFacts[],
  shared = false,
): readonly Block[] {
  if (!isEdit(order)) return [];
  const read = targets.slice(0, MAX_LIST_ITEMS);
  const rows = read.flatMap((facts) => changeRows(order, facts, { among: targets, shared }));
  // Every thing changes the same fields, so the rows that are not built are counted by those that are.
  const unread = Math.round((rows.length / Math.max(read.length, 1)) * (targets.length - read.length));
  const more = (left: number) => md`${left + unread} more changes not shown.`;
  return [...rowBlocks(rows, { budget: BUDGET, more }), ...appliedPolicies(order, read)];
}

/** Policies listed by name. */
const MAX_POLICIES = 10;

/** What devices will run because of the edit: the policies of their new group, or those that select by tag. */
function appliedPolicies(edit: FleetEdit, targets: readonly TargetFacts[]): readonly Block[] {
  const policies = targets.flatMap((facts) =>
    facts.deviceId === null ? [] : (facts.editable?.policies ?? []),
  );
  const names = new Map(policies.map((policy) => [policy.id, nameWithId(policy)]));
  if (edit.kind !== 'device-edit' || names.size === 0) return [];
  const label =
    edit.change.groupId === undefined
      ? md`Policies that select devices by tag`
      : md`Policies of the new group`;
  const first = [...names.values()].slice(0, MAX_POLICIES);
  const listed = withRest(escapeMrkdwn(first.join(', '), BUDGET), names.size - first.length);
  return [section(md`*${label} (${names.size})*: ${listed}`)];
}

type ChangeRowOptions = { readonly among: readonly TargetFacts[]; readonly shared: boolean };

function changeRows(
  edit: FleetEdit,
  facts: TargetFacts,
  { among, shared }: ChangeRowOptions,
): readonly Mrkdwn[] {
  const named = among.length > 1;
  const whose = named ? md`${targetName(facts, among, bold)} · ` : md``;
  const changes = fieldChanges(edit, facts).filter((change) => named || !isInTitle(edit, change));
  return changes.map((change) => {
    const isHidden = shared && change.field === 'addresses';
    const note = edit.kind === 'device-edit' ? exceptionNote(edit, change) : md``;
    return md`${whose}${isHidden ? hiddenChangeText(change) : changeText(change)}${note}`;
  });
}

/** The name of a new group or policy is in the title of its card, unless that had to cut it. */
function isInTitle({ kind }: FleetEdit, { field, after }: FieldChange): boolean {
  const isNew = kind === 'group-create' || kind === 'policy-create';
  return isNew && field === 'name' && escapeMrkdwn(after) === escapeMrkdwn(after, UNSHORTENED);
}

/** `exception` reads like a protection from policies, which it is not (management API in practice, 7). */
function exceptionNote({ change: { exception } }: DeviceEdit, { field }: FieldChange): Mrkdwn {
  return field === 'exception' && exception === true ? md` (policies still apply)` : md``;
}

/** How many items change, not which ones. */
function hiddenChangeText({ field, difference }: FieldChange): Mrkdwn {
  const label = trustedMrkdwn(upperFirst(FIELD_LABELS[field]));
  const counts =
    difference === undefined
      ? md`changed`
      : md`${difference.added.length} added, ${difference.removed.length} removed`;
  return md`*${label}*: ${counts} (hidden here)`;
}

function changeText(change: FieldChange): Mrkdwn {
  if (change.field === 'exception') return inclusionText(change);
  const label = trustedMrkdwn(upperFirst(FIELD_LABELS[change.field]));
  const { difference } = change;
  if (difference !== undefined && difference.added.length + difference.removed.length > 0)
    return md`*${label}*: ${differenceText(difference)}`;
  const { before, after } = change;
  return before === null
    ? md`*${label}*: ${escapeMrkdwn(after, UNSHORTENED)}`
    : md`*${label}*: ${escapeMrkdwn(before, MAX_LIST_LENGTH)} → ${escapeMrkdwn(after, UNSHORTENED)}`;
}

/** Which reports a device is in, because a yes to an exclusion reads as its opposite. */
function inclusionText({ before, after }: FieldChange): Mrkdwn {
  const worded = (value: string) => escapeMrkdwn(INCLUSION.get(value) ?? value);
  return md`*Reports and statistics*: ${worded(before ?? 'unknown')} → ${worded(after)}`;
}

const INCLUSION: ReadonlyMap<string, string> = new Map([
  ['yes', 'excluded'],
  ['no', 'included'],
]);

/** What stays, or how much, is said, too, so that nobody takes an addition for the whole list. */
function differenceText({ added, removed, kept }: ListDifference): Mrkdwn {
  const listWith = (verb: string, items: readonly string[]): readonly Mrkdwn[] =>
    items.length === 0 ? [] : [md`${trustedMrkdwn(verb)} ${escapeMrkdwn(items.join(', '), UNSHORTENED)}`];
  const isLong = kept.join(', ').length > MAX_LIST_LENGTH;
  const stays = isLong ? [md`keeps ${kept.length} others`] : listWith('keeps', kept);
  const changes = joinMrkdwn([...listWith('add', added), ...listWith('remove', removed)], '; ');
  return md`${changes}${joinMrkdwn(
    stays.map((text) => md` (${text})`),
    '',
  )}`;
}
