/** `approvals`: the requests that wait for a decision, or one's own. */

import { z } from 'zod';
import { cardKey } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { extraWord, unknownWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { listInput } from './lists/input.ts';
import { frozen, lineOf, slice } from './lists/paging.ts';

const input = listInput.extend({ mine: z.boolean() });
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;
/** Older ones are of no use to anybody who asks here. */
const MOST = 200;

export const approvals = defineRead<Input>({
  name: 'approvals',
  usage: 'approvals [mine]',
  summary: 'List the requests waiting for approval, or your own.',
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

async function list({ mine, result }: Input, page: number, ports: ReadPorts): Promise<View> {
  const { records, results, pageSize: size = PAGE_SIZE } = ports;
  const found = await frozen(results.approvals, size, { result }, ports, () => read(mine, ports));
  const { rows: all, asOf } = found.whole;
  const { rows: shown, ...at } = slice(all, page, size);
  const rows = await Promise.all(
    shown.map(async (approval) => ({
      approval,
      link: await records.cardLink(cardKey('approval', approval.id)),
    })),
  );
  const line = lineOf('approvals', mine ? 'mine' : '');
  const marks = { ...line, ...at, ...found.marks };
  const paging = { command: 'approvals', input: { mine }, ...marks, total: all.length, asOf };
  return { kind: 'approvals', mine, rows, paging };
}

async function read(mine: boolean, { records, asker, clock }: ReadPorts) {
  const asOf = clock.now();
  const found = mine
    ? await records.approvals({ requesterId: asker }, MOST)
    : await records.approvals({ state: 'waiting' }, MOST);
  // One whose time is over is not waiting any more; the sweep may not have come yet.
  return { rows: mine ? found : found.filter(({ expiresAt }) => expiresAt > asOf), asOf };
}
