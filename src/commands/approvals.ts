/** `approvals`: lists what waits for a decision, rollouts that are held first, or the person's own requests. */

import { z } from 'zod';
import { isHeld, standsStill } from '../rollout/progress.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import {
  cachedOrRead,
  defineRequestList,
  listInput,
  MAX_LISTED_REQUESTS,
  repeatLine,
  requestPage,
} from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';

const input = listInput.extend({ mine: z.boolean() });
type Input = z.infer<typeof input>;

/** Fewer to a page than in other lists, because each has its facts and buttons. */
export const approvalPages = defineRequestList(5);

export const approvalsCommand = defineReadCommand<Input>({
  name: 'approvals',
  usage: 'approvals [mine]',
  summary: 'List what is waiting for an approver and decide one or several, or list your own.',
  examples: ['approvals', 'approvals mine'],
  input,
  parse,
  run: listApprovals,
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second] = words.free;
  const mine = first?.toLowerCase() === 'mine';
  const unused = mine ? second : first;
  if (unused !== undefined) return { kind: 'fault', fault: unknownWordFault(unused, mine ? [] : ['mine']) };
  return { kind: 'input', input: { mine } };
}

async function listApprovals({ mine, result }: Input, page: number, ports: ReadPorts): Promise<View> {
  const found = await cachedOrRead(approvalPages, { result }, ports, () => readApprovals(mine, ports));
  const { rows, place } = await requestPage(found, page, ports);
  const isDecider = !mine && (await ports.refusal?.('approve')) === null;
  const line = repeatLine('approvals', mine ? 'mine' : '');
  return {
    kind: 'approvals',
    mine,
    rows,
    ...(isDecider ? { decider: ports.asker } : {}),
    paging: { command: 'approvals', input: { mine }, ...line, ...place },
  };
}

const ROLLOUTS = { states: ['approved', 'running'], inWaves: true } as const;

async function readApprovals(mine: boolean, { records, asker, clock }: ReadPorts) {
  const asOf = clock.now();
  if (mine) {
    const own = { requesterId: asker, needsApproval: true } as const;
    const [asked, running] = await Promise.all([
      records.requests(own, MAX_LISTED_REQUESTS),
      records.requests({ ...ROLLOUTS, requesterId: asker }, MAX_LISTED_REQUESTS),
    ]);
    // What needed no approval when it was requested may need a decision now.
    const all = [...asked, ...running.filter((one) => isHeld(one) && one.expiresAt === null)];
    return { rows: all.toSorted((a, b) => Number(standsStill(b)) - Number(standsStill(a))), asOf };
  }
  const [waiting, rollouts] = await Promise.all([
    records.requests({ states: ['waiting'], oldestFirst: true }, MAX_LISTED_REQUESTS),
    records.requests({ ...ROLLOUTS, oldestFirst: true }, MAX_LISTED_REQUESTS),
  ]);
  // An expired request no longer waits, even if the sweep has not marked it yet.
  const open = waiting.filter(({ expiresAt }) => expiresAt !== null && expiresAt > asOf);
  return { rows: [...rollouts.filter(isHeld), ...open], asOf };
}
