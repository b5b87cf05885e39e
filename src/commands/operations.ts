/** `operations`: what was sent to devices lately, what is still under way first. */
import { operationCard } from '../ids.ts';
import type { OperationRecord } from '../store/records.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { parseNothing } from './line/nothing.ts';
import { type ListInput, listInput } from './lists/input.ts';
import { frozen, slice } from './lists/paging.ts';

const PAGE_SIZE = 10;
/** Older ones are in the audit. */
const MOST = 200;

export const operations = defineRead<ListInput>({
  name: 'operations',
  usage: 'operations',
  summary: 'List the commands in progress, then those that ended recently.',
  examples: ['operations'],
  input: listInput,
  parse: parseNothing,
  run: list,
});

async function list(asked: ListInput, page: number, ports: ReadPorts): Promise<View> {
  const { records, clock, results, pageSize: size = PAGE_SIZE } = ports;
  const found = await frozen(results.operations, size, asked, ports, async () => {
    const asOf = clock.now();
    const recent = await records.operations(MOST);
    return { rows: recent.toSorted(openFirst), asOf };
  });
  const { rows: all, asOf } = found.whole;
  const { rows: shown, ...at } = slice(all, page, size);
  const rows = await Promise.all(
    shown.map(async (operation) => ({ operation, link: await records.cardLink(operationCard(operation)) })),
  );
  return {
    kind: 'operations',
    rows,
    open: all.filter(isOpen).length,
    paging: { command: 'operations', input: {}, ...at, ...found.marks, total: all.length, asOf },
  };
}

function openFirst(a: OperationRecord, b: OperationRecord): number {
  return Number(isOpen(b)) - Number(isOpen(a)) || b.createdAt - a.createdAt;
}

function isOpen({ targets }: OperationRecord): boolean {
  return targets.some(({ endedAt }) => endedAt === null);
}
