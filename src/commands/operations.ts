/** `operations`: what runs and ended lately, and the rollouts that wait; or the devices of one of them. */

import { z } from 'zod';
import { type RequestId, requestCardKey, requestId } from '../lib/ids.ts';
import { standsStill } from '../rollout/progress.ts';
import { countIn, RESULT_GROUPS, RESULT_STATES, type ResultGroup } from '../rollout/results.ts';
import type { RequestWithTargets, TargetCounts, TargetState } from '../store/port/request-records.ts';
import type { View } from '../views/views.ts';
import type { ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import {
  cachedOrRead,
  defineRequestList,
  listInput,
  MAX_LISTED_REQUESTS,
  pagePosition,
  type RequestResult,
  requestPage,
} from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';

const input = listInput.extend({
  /** The devices of this request; absent: the list of all. */
  of: z.string().min(1).transform(requestId).exactOptional(),
  group: z.enum(RESULT_GROUPS).nullable().exactOptional(),
});
type Input = z.infer<typeof input>;

export const operationPages = defineRequestList();

export const operationsCommand = defineReadCommand<Input>({
  name: 'operations',
  usage: 'operations [ID]',
  summary:
    'List rollouts that are waiting, what is running and what ended recently, or show the results of one.',
  examples: ['operations'],
  input,
  parse,
  run: ({ of, group = null, ...list }, page, ports) =>
    of === undefined ? listOperations(list, page, ports) : requestResults(of, group, page, ports),
});

/** The id of a request, as files and the audit name it. */
const REQUEST_ID = /^r_[0-9a-z]+$/;

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [id, ...others] = words.free;
  const isKnown = id === undefined || REQUEST_ID.test(id);
  const unused = isKnown ? others[0] : id;
  if (unused !== undefined) return { kind: 'fault', fault: unknownWordFault(unused, []) };
  return { kind: 'input', input: id === undefined ? {} : { of: requestId(id) } };
}

async function listOperations(list: Pick<Input, 'result'>, page: number, ports: ReadPorts): Promise<View> {
  const found = await cachedOrRead(operationPages, list, ports, () => readOperations(ports));
  const { rows, place } = await requestPage(found, page, ports);
  const { rows: all, waiting = 0 } = found.whole;
  const open = all.filter(({ state }) => state === 'approved' || state === 'running').length;
  return { kind: 'operations', rows, open, waiting, paging: { command: 'operations', input: {}, ...place } };
}

async function readOperations({ records, clock }: ReadPorts): Promise<RequestResult> {
  const asOf = clock.now();
  const [waiting, decided] = await Promise.all([
    records.requests({ states: ['waiting'] }, MAX_LISTED_REQUESTS),
    records.requests({ states: ['approved', 'running', 'ended'] }, MAX_LISTED_REQUESTS),
  ]);
  // An expired request no longer waits, even if the sweep has not marked it yet.
  const open = waiting.filter(({ expiresAt }) => expiresAt !== null && expiresAt > asOf);
  const rollouts = open.filter(({ rollout }) => rollout !== null);
  return { rows: [...rollouts, ...decided].toSorted(inOrder), waiting: open.length, asOf };
}

/** What waits or stands still, then what runs, then what ended; the newest of each first. */
function inOrder(a: RequestWithTargets, b: RequestWithTargets): number {
  return rankOf(a) - rankOf(b) || b.createdAt - a.createdAt;
}

function rankOf(request: RequestWithTargets): number {
  if (standsStill(request)) return 0;
  return request.state === 'ended' ? 2 : 1;
}

const PAGE_SIZE = 20;

/** One page, those first on which it did not work; nothing of the other pages is read. `group` null: all of them. */
async function requestResults(
  of: RequestId,
  group: ResultGroup | null,
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

/** Which rows of which groups the page has. The counts say it, so that no row before it is read. */
function sectionsOf(
  groups: readonly (readonly TargetState[])[],
  counts: TargetCounts,
  { from, size }: { readonly from: number; readonly size: number },
) {
  const sections: { states: readonly TargetState[]; skip: number; limit: number }[] = [];
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
