/** `approvals`: lists what waits for a decision, rollouts that are held first, or the person's own requests. */

import { z } from 'zod';
import type { DeviceId } from '../lib/ids.ts';
import { isHeld, standsStill } from '../rollout/progress.ts';
import type { View } from '../views/views.ts';
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
import { type LineWords, quoteWord } from './parser/tokenizer.ts';
import { unexpectedWord } from './parser/usage-errors.ts';
import { type DeviceRef, deviceRef, viewForDevice } from './targets/resolve-device.ts';

const input = listInput.extend({ mine: z.boolean(), device: deviceRef.optional() });
type Input = z.infer<typeof input>;

/** Fewer to a page than in other lists, because each has its facts and buttons. */
export const approvalPages = defineRequestList(5);

export const approvalsCommand = defineReadCommand<Input>({
  name: 'approvals',
  usage: 'approvals [mine|NAME|#ID]',
  summary: 'List and decide what is waiting for an approver, also of one device, or list your own.',
  examples: ['approvals', 'approvals mine', 'approvals web-01'],
  input,
  parse,
  run: listApprovals,
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const device = words.free.join(' ');
  if (device.toLowerCase() === 'mine' || device === '')
    return { kind: 'input', input: { mine: device !== '' } };
  return { kind: 'input', input: { mine: false, device } };
}

async function listApprovals(typed: Input, page: number, ports: ReadPorts): Promise<View> {
  const { device } = typed;
  if (device === undefined) return approvalsOf(typed, null, page, ports);
  const again = (one: DeviceRef) => ({ command: 'approvals', input: { mine: false, device: one } });
  return viewForDevice({ device, again }, ports, (id) => approvalsOf(typed, id, page, ports));
}

async function approvalsOf(
  { mine, device, result }: Input,
  id: DeviceId | null,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const found = await cachedOrRead(approvalPages, { result }, ports, () => readApprovals(mine, id, ports));
  const { rows, place } = await requestPage(found, page, ports);
  const isDecider = !mine && (await ports.refusal?.('approve')) === null;
  const name = device === undefined ? '' : quoteWord(typeof device === 'number' ? `#${device}` : device);
  const line = repeatLine('approvals', mine ? 'mine' : name);
  return {
    kind: 'approvals',
    mine,
    rows,
    ...(isDecider ? { decider: ports.asker } : {}),
    paging: {
      command: 'approvals',
      input: { mine, ...(device === undefined ? {} : { device }) },
      ...line,
      ...place,
    },
  };
}

const ROLLOUTS = { states: ['approved', 'running'], inWaves: true } as const;

async function readApprovals(mine: boolean, id: DeviceId | null, { records, asker, clock }: ReadPorts) {
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
  const rows = [...rollouts.filter(isHeld), ...open];
  if (id === null) return { rows, asOf };
  // Requests that are read for one device have no other, but all are decided.
  const states = ['waiting', ...ROLLOUTS.states] as const;
  const ofDevice = await records.requests({ device: id, states }, MAX_LISTED_REQUESTS);
  return { rows: rows.filter((row) => ofDevice.some((one) => one.id === row.id)), asOf };
}
