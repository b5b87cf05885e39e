/** What an edit changes, field by field: what is, and what will be. */
import { type Change, changesOf, type Difference, FIELD_WORDS, LONGEST_LIST } from '../fleet/changes.ts';
import { type FleetEdit, type FleetOrder, isEdit } from '../fleet/orders.ts';
import { MOST_READABLE } from '../fleet/readable.ts';
import type { TargetFacts } from '../store/records.ts';
import { upperFirst } from '../text.ts';
import { lines } from './blocks.ts';
import { joined, literal, type Mrkdwn, md, strong, trusted } from './escape.ts';
import type { Block } from './model.ts';

/** What was may be cut. What will be never is: an edit that sets more is not asked for. */
const WHOLE = MOST_READABLE + 2;
/** All of the most that is asked for of one thing; twice that as JSON leaves room for the rest of the card. */
const BUDGET = 3_400;

/** One row for each field of each thing; nothing for what is no edit. */
export function changeBlocks(order: FleetOrder, targets: readonly TargetFacts[]): readonly Block[] {
  if (!isEdit(order)) return [];
  const rows = targets.flatMap((facts) => changeRows(order, facts, targets.length > 1));
  return lines(rows, { budget: BUDGET, more: (left) => md`${left} more changes did not fit.` });
}

function changeRows(edit: FleetEdit, facts: TargetFacts, named: boolean): readonly Mrkdwn[] {
  const whose = named ? md`${strong(facts.displayName)} · ` : md``;
  return changesOf(edit, facts).map((change) => md`${whose}${changeWords(change)}`);
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
  return joined([...said('added', added), ...said('taken away', removed)], '; ');
}
