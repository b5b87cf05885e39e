/** The devices of one request, page by page: those first on which it did not work. */
import { type RequestId, requestCardKey } from '../../lib/ids.ts';
import { RESULT_GROUPS, RESULT_STATES, type ResultGroup } from '../../rollout/results.ts';
import type { TargetState } from '../../store/port/records.ts';
import type { TargetCounts } from '../../store/port/request-records.ts';
import type { View } from '../../views/model.ts';
import type { ReadPorts } from '../core/command.ts';
import { pagePosition } from '../lists/paging.ts';

const PAGE_SIZE = 20;

/** `group` null: all of them. */
export type ResultsQuery = { readonly of: RequestId; readonly group: ResultGroup | null };

/** One page; nothing of the other pages is read. */
export async function requestResults(
  { of, group }: ResultsQuery,
  page: number,
  { records, clock, pageSize = PAGE_SIZE }: ReadPorts,
): Promise<View> {
  const asOf = clock.now();
  const request = await records.shownRequest(of);
  if (request === null) return { kind: 'decided', outcome: { kind: 'absent' } };
  const groups = (group === null ? RESULT_GROUPS : [group]).map((one) => RESULT_STATES[one]);
  const total = groups.reduce((sum, states) => sum + countIn(request.counts, states), 0);
  const at = pagePosition({ length: total }, page, pageSize);
  const sections = sectionsOf(groups, request.counts, { from: at.page * pageSize, size: pageSize });
  const [link, ...rows] = await Promise.all([
    records.cardLink(requestCardKey(request)),
    ...sections.map((one) => records.targets(request.id, one)),
  ]);
  const paging = { command: 'operations', input: { of, group }, ...at, total, asOf };
  return { kind: 'results', request, group, rows: rows.flat(), link, paging };
}

function countIn(counts: TargetCounts, states: readonly TargetState[]): number {
  return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

type Section = {
  readonly states: readonly TargetState[];
  readonly skip: number;
  readonly limit: number;
};

/** Which rows of which groups the page has. The counts say it, so that no row before it is read. */
function sectionsOf(
  groups: readonly (readonly TargetState[])[],
  counts: TargetCounts,
  { from, size }: { readonly from: number; readonly size: number },
): readonly Section[] {
  const sections: Section[] = [];
  let begin = 0;
  for (const states of groups) {
    const end = begin + countIn(counts, states);
    const skip = Math.max(from - begin, 0);
    const limit = Math.min(end, from + size) - begin - skip;
    if (limit > 0) sections.push({ states, skip, limit });
    begin = end;
  }
  return sections;
}
