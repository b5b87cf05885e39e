/** `approvals`: the requests that wait for a decision, or one's own. */
import { z } from 'zod';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { extraWord, unknownWord } from './faults.ts';
import type { Words } from './grammar.ts';
import { slice } from './paging.ts';

const input = z.object({ mine: z.boolean() });
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;
/** Older ones are of no use to anybody who asks here. */
const MOST = 200;

export const approvals = defineRead<Input>({
  name: 'approvals',
  usage: 'approvals [mine]',
  summary: 'List the requests that wait for a decision, or those that you made.',
  examples: ['approvals', 'approvals mine'],
  input,
  parse,
  run: list,
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second] = words.free;
  const mine = first?.toLowerCase() === 'mine';
  const unused = mine ? second : first;
  if (unused !== undefined) return { kind: 'fault', fault: unknownWord(unused, mine ? [] : ['mine']) };
  return { kind: 'input', input: { mine } };
}

async function list(
  { mine }: Input,
  page: number,
  { records, asker, clock, pageSize = PAGE_SIZE }: ReadPorts,
): Promise<View> {
  const asOf = clock.now();
  const found = mine
    ? await records.approvals({ requesterId: asker }, MOST)
    : await records.approvals({ state: 'waiting' }, MOST);
  // One whose time is over is not waiting any more; the sweep may not have come yet.
  const all = mine ? found : found.filter(({ expiresAt }) => expiresAt > asOf);
  const shown = slice(all, page, pageSize);
  const rows = await Promise.all(
    shown.rows.map(async (approval) => ({
      approval,
      link: await records.cardLink(`approval:${approval.id}`),
    })),
  );
  const { page: at, pages } = shown;
  const paging = { command: 'approvals', input: { mine }, page: at, pages, total: all.length, asOf };
  return { kind: 'approvals', mine, rows, paging };
}
