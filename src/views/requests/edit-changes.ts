/** What an edit changes, field by field: before and after. */
import {
  FIELD_LABELS,
  type FieldChange,
  fieldChanges,
  type ListDifference,
  MAX_LIST_LENGTH,
  MAX_READABLE_LENGTH,
} from '../../fleet/facts/edit-changes.ts';
import { type FleetAction, type FleetEdit, isEdit } from '../../fleet/model/actions.ts';
import { upperFirst } from '../../lib/text.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { bold, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block } from '../model.ts';

/** What was may be cut. What will be never is: an edit that sets more is not asked for. */
const UNSHORTENED = MAX_READABLE_LENGTH + 2;
/** All of the most that is asked for of one thing; twice that as JSON leaves room for the rest of the card. */
const BUDGET = 3_400;

/** More things than this never fit: a row has a label and what it is about. */
const MAX_LIST_ITEMS = 200;

/** One row for each field of each thing; nothing for what is no edit. `shared`: without what is personal. */
export function editChangeBlocks(
  order: FleetAction,
  targets: readonly TargetFacts[],
  shared = false,
): readonly Block[] {
  if (!isEdit(order)) return [];
  const read = targets.slice(0, MAX_LIST_ITEMS);
  const rows = read.flatMap((facts) => changeRows(order, facts, { named: targets.length > 1, shared }));
  // Every thing has the same fields, so those that are not read are counted like those that are.
  const unread = Math.round((rows.length / Math.max(read.length, 1)) * (targets.length - read.length));
  const more = (left: number) => md`${left + unread} more changes not shown.`;
  return [...rowBlocks(rows, { budget: BUDGET, more }), ...editWarnings(order)];
}

/** `exception` reads like a protection from policies, which it is not (management API in practice, 7). */
function editWarnings(edit: FleetEdit): readonly Block[] {
  const excludes = edit.kind === 'device-edit' && edit.change.exception === true;
  return excludes
    ? [section(md`*Excludes the device from reports and statistics. Policies still apply.*`)]
    : [];
}

type ChangeRowOptions = { readonly named: boolean; readonly shared: boolean };

function changeRows(
  edit: FleetEdit,
  facts: TargetFacts,
  { named, shared }: ChangeRowOptions,
): readonly Mrkdwn[] {
  const whose = named ? md`${bold(facts.displayName)} · ` : md``;
  return fieldChanges(edit, facts).map((change) => {
    const isHidden = shared && change.field === 'addresses';
    return md`${whose}${isHidden ? hiddenChangeText(change) : changeText(change)}`;
  });
}

/** How many, not which. */
function hiddenChangeText({ field, difference }: FieldChange): Mrkdwn {
  const label = trustedMrkdwn(upperFirst(FIELD_LABELS[field]));
  const counts =
    difference === undefined
      ? md`changed`
      : md`${difference.added.length} added, ${difference.removed.length} removed`;
  return md`*${label}*: ${counts} (hidden here)`;
}

function changeText({ field, before, after, difference }: FieldChange): Mrkdwn {
  const label = trustedMrkdwn(upperFirst(FIELD_LABELS[field]));
  if (difference !== undefined) return md`*${label}*: ${differenceText(difference)}`;
  return before === null
    ? md`*${label}*: ${escapeMrkdwn(after, UNSHORTENED)}`
    : md`*${label}*: ${escapeMrkdwn(before, MAX_LIST_LENGTH)} → ${escapeMrkdwn(after, UNSHORTENED)}`;
}

function differenceText({ added, removed }: ListDifference): Mrkdwn {
  const listWith = (verb: string, items: readonly string[]): readonly Mrkdwn[] =>
    items.length === 0 ? [] : [md`${trustedMrkdwn(verb)} ${escapeMrkdwn(items.join(', '), UNSHORTENED)}`];
  return joinMrkdwn([...listWith('added', added), ...listWith('removed', removed)], '; ');
}
