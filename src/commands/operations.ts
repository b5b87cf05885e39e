/** `operations`: recent commands, those in progress first. */
import { requestCardKey } from '../lib/ids.ts';
import type { RequestWithTargets } from '../store/port/request-records.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, parseNoInput } from './core/define-command.ts';
import { cachedOrRead, type ListInput, listInput, listPage } from './lists/paging.ts';
import { defineResultList, type RequestResult, requestsWeight } from './lists/result-cache.ts';

export const operationPages = defineResultList<RequestResult>(10, requestsWeight);
/** How far back ended commands are listed. Older ones are in the audit. */
const MAX_READ = 200;

export const operationsCommand = defineReadCommand<ListInput>({
  name: 'operations',
  usage: 'operations',
  summary: 'List the operations in progress, then those that ended recently.',
  examples: ['operations'],
  input: listInput,
  parse: parseNoInput,
  run: listOperations,
});

async function listOperations(input: ListInput, page: number, ports: ReadPorts): Promise<View> {
  const { records, clock } = ports;
  const found = await cachedOrRead(operationPages, input, ports, async () => {
    const asOf = clock.now();
    const recent = await records.requests({ states: ['approved', 'running', 'ended'] }, MAX_READ);
    return { rows: recent.toSorted(openFirst), asOf };
  });
  const { rows: all, asOf } = found.whole;
  const { rows: pageRows, ...at } = listPage(all, page, found.size);
  const rows = await Promise.all(
    pageRows.map(async (request) => ({ request, link: await records.cardLink(requestCardKey(request)) })),
  );
  return {
    kind: 'operations',
    rows,
    open: all.filter(isOpen).length,
    paging: { command: 'operations', input: {}, ...at, ...found.marks, total: all.length, asOf },
  };
}

function openFirst(a: RequestWithTargets, b: RequestWithTargets): number {
  return Number(isOpen(b)) - Number(isOpen(a)) || b.createdAt - a.createdAt;
}

function isOpen({ state }: RequestWithTargets): boolean {
  return state !== 'ended';
}
