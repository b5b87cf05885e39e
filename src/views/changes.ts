/** What an edit changes, field by field: what is, and what will be. */
import { type Change, changesOf, FIELD_WORDS } from '../fleet/changes.ts';
import { type FleetEdit, type FleetOrder, isEdit } from '../fleet/orders.ts';
import type { TargetFacts } from '../store/records.ts';
import { upperFirst } from '../text.ts';
import { lines } from './blocks.ts';
import { literal, type Mrkdwn, md, strong, trusted } from './escape.ts';
import type { Block } from './model.ts';

/** Of one value: every field of one thing fits on its card. */
const VALUE = 250;
const BUDGET = 5_000;

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

function changeWords({ field, before, after }: Change): Mrkdwn {
  const label = trusted(upperFirst(FIELD_WORDS[field]));
  return before === null
    ? md`*${label}*: ${literal(after, VALUE)}`
    : md`*${label}*: ${literal(before, VALUE)} → ${literal(after, VALUE)}`;
}
