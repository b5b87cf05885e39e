/** `operations`: recent commands, those in progress first. */
import type { RequestWithTargets } from '../store/port/request-records.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, parseNoInput } from './core/define-command.ts';
import { cachedOrRead, type ListInput, listInput } from './lists/paging.ts';
import { defineRequestList, MAX_LISTED_REQUESTS, requestPage } from './lists/request-pages.ts';

export const operationPages = defineRequestList();

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
    const recent = await records.requests({ states: ['approved', 'running', 'ended'] }, MAX_LISTED_REQUESTS);
    return { rows: recent.toSorted(openFirst), asOf };
  });
  const { rows, place } = await requestPage(found, page, ports);
  const open = found.whole.rows.filter(isOpen).length;
  return { kind: 'operations', rows, open, paging: { command: 'operations', input: {}, ...place } };
}

function openFirst(a: RequestWithTargets, b: RequestWithTargets): number {
  return Number(isOpen(b)) - Number(isOpen(a)) || b.createdAt - a.createdAt;
}

function isOpen({ state }: RequestWithTargets): boolean {
  return state !== 'ended';
}
