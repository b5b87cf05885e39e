/** What an edit changes, field by field: before and after. */
import { type Change, changesOf, type Difference, FIELD_WORDS, LONGEST_LIST } from '../fleet/changes.ts';
import { type FleetEdit, type FleetOrder, isEdit } from '../fleet/orders.ts';
import { MOST_READABLE } from '../fleet/readable.ts';
import type { TargetFacts } from '../store/records.ts';
import { upperFirst } from '../text.ts';
import { lines, section } from './kit/blocks.ts';
import { joined, literal, type Mrkdwn, md, strong, trusted } from './kit/escape.ts';
import type { Block } from './model.ts';

/** What was may be cut. What will be never is: an edit that sets more is not asked for. */
const WHOLE = MOST_READABLE + 2;
/** All of the most that is asked for of one thing; twice that as JSON leaves room for the rest of the card. */
const BUDGET = 3_400;

/** More things than this never fit: a row has a label and what it is about. */
const MOST_READ = 200;

/** One row for each field of each thing; nothing for what is no edit. `shared`: without what is personal. */
export function changeBlocks(
  order: FleetOrder,
  targets: readonly TargetFacts[],
  shared = false,
): readonly Block[] {
  if (!isEdit(order)) return [];
  const read = targets.slice(0, MOST_READ);
  const rows = read.flatMap((facts) => changeRows(order, facts, { named: targets.length > 1, shared }));
  // Every thing has the same fields, so those that are not read are counted like those that are.
  const unread = Math.round((rows.length / Math.max(read.length, 1)) * (targets.length - read.length));
  const more = (left: number) => md`${left + unread} more changes not shown.`;
  return [...lines(rows, { budget: BUDGET, more }), ...warnings(order)];
}

/** `exception` reads like a protection from policies, which it is not (management API in practice, 7). */
function warnings(edit: FleetEdit): readonly Block[] {
  const excludes = edit.kind === 'device-edit' && edit.change.exception === true;
  return excludes
    ? [section(md`*Excludes the device from reports and statistics. Policies still apply.*`)]
    : [];
}

type Drawn = { readonly named: boolean; readonly shared: boolean };

function changeRows(edit: FleetEdit, facts: TargetFacts, { named, shared }: Drawn): readonly Mrkdwn[] {
  const whose = named ? md`${strong(facts.displayName)} · ` : md``;
  return changesOf(edit, facts).map((change) => {
    const isHidden = shared && change.field === 'addresses';
    return md`${whose}${isHidden ? hiddenWords(change) : changeWords(change)}`;
  });
}

/** How many, not which. */
function hiddenWords({ field, difference }: Change): Mrkdwn {
  const label = trusted(upperFirst(FIELD_WORDS[field]));
  const counts =
    difference === undefined
      ? md`changed`
      : md`${difference.added.length} added, ${difference.removed.length} removed`;
  return md`*${label}*: ${counts} (hidden here)`;
}

function changeWords({ field, before, after, difference }: Change): Mrkdwn {
  const label = trusted(upperFirst(FIELD_WORDS[field]));
  if (difference !== undefined) return md`*${label}*: ${differenceWords(difference)}`;
  return before === null
    ? md`*${label}*: ${literal(after, WHOLE)}`
    : md`*${label}*: ${literal(before, LONGEST_LIST)} → ${literal(after, WHOLE)}`;
}

function differenceWords({ added, removed }: Difference): Mrkdwn {
  const said = (verb: string, items: readonly string[]): readonly Mrkdwn[] =>
    items.length === 0 ? [] : [md`${trusted(verb)} ${literal(items.join(', '), WHOLE)}`];
  return joined([...said('added', added), ...said('removed', removed)], '; ');
}
