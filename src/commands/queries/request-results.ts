/** The devices of one request, page by page: those first on which it did not work. */
import { type RequestId, requestCardKey } from '../../lib/ids.ts';
import type { TargetState } from '../../store/port/records.ts';
import type { RequestTarget, TargetCounts } from '../../store/port/request-records.ts';
import type { View } from '../../views/model.ts';
import type { ResultGroup } from '../../views/models/request-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { pagePosition } from '../lists/paging.ts';

/** In the order of the list. */
const GROUPS: readonly { readonly group: ResultGroup; readonly states: readonly TargetState[] }[] = [
  { group: 'failed', states: ['not_verified', 'refused'] },
  { group: 'unknown', states: ['unknown'] },
  { group: 'not-sent', states: ['not_sent'] },
  { group: 'open', states: ['issuing', 'accepted', 'queued', 'answered'] },
  { group: 'waiting', states: ['ready'] },
  { group: 'verified', states: ['verified'] },
];

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
  const groups = GROUPS.filter((one) => group === null || one.group === group);
  const total = groups.reduce((sum, { states }) => sum + countIn(request.counts, states), 0);
  const at = pagePosition({ length: total }, page, pageSize);
  const sections = sectionsOf(groups, request.counts, { from: at.page * pageSize, size: pageSize });
  const rows: RequestTarget[] = [];
  for (const { states, skip, limit } of sections)
    rows.push(...(await records.targets(request.id, { states, skip, limit })));
  const link = await records.cardLink(requestCardKey(request));
  const paging = { command: 'operations', input: { of, group }, ...at, total, asOf };
  return { kind: 'results', request, group, rows, link, paging };
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
  groups: readonly { readonly states: readonly TargetState[] }[],
  counts: TargetCounts,
  { from, size }: { readonly from: number; readonly size: number },
): readonly Section[] {
  const sections: Section[] = [];
  let begin = 0;
  for (const { states } of groups) {
    const end = begin + countIn(counts, states);
    const skip = Math.max(from - begin, 0);
    const limit = Math.min(end, from + size) - begin - skip;
    if (limit > 0) sections.push({ states, skip, limit });
    begin = end;
  }
  return sections;
}
