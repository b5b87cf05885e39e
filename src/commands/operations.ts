/** `operations`: what was sent to devices lately, what is still under way first. */
import type { CardKey, OperationRecord } from '../store/records.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { type Nothing, nothing, parseNothing } from './nothing.ts';
import { slice } from './paging.ts';

const PAGE_SIZE = 10;
/** Older ones are in the audit. */
const MOST = 200;

export const operations = defineRead<Nothing>({
  name: 'operations',
  usage: 'operations',
  summary: 'List the commands that are under way, then those that ended lately, with their states.',
  examples: ['operations'],
  input: nothing,
  parse: parseNothing,
  run: list,
});

async function list(
  _asked: Nothing,
  page: number,
  { records, clock, pageSize = PAGE_SIZE }: ReadPorts,
): Promise<View> {
  const asOf = clock.now();
  const recent = await records.operations(MOST);
  const sorted = recent.toSorted(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.createdAt - a.createdAt,
  );
  const { rows: shown, ...at } = slice(sorted, page, pageSize);
  const rows = await Promise.all(
    shown.map(async (operation) => ({ operation, link: await records.cardLink(cardOf(operation)) })),
  );
  return {
    kind: 'operations',
    rows,
    open: recent.filter(isOpen).length,
    paging: { command: 'operations', input: {}, ...at, total: sorted.length, asOf },
  };
}

function isOpen({ targets }: OperationRecord): boolean {
  return targets.some(({ endedAt }) => endedAt === null);
}

/** One that was approved is shown by the card of its request. */
function cardOf({ id, approvalId }: OperationRecord): CardKey {
  return approvalId === null ? `operation:${id}` : `approval:${approvalId}`;
}
