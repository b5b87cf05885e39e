import { describe, expect, it } from 'vitest';
import { registry } from '../../src/commands/index.ts';
import { operationsCommand } from '../../src/commands/operations.ts';
import { deviceId, requestId } from '../../src/lib/ids.ts';
import type { TargetState } from '../../src/store/port/records.ts';
import { toCsv } from '../../src/views/sharing/csv.ts';
import { aRequest, aTarget } from '../harness/records.ts';
import { aRollout, aRolloutRequest } from '../harness/rollouts.ts';
import { testPorts } from './harness/ports.ts';

const STATES: readonly (readonly [TargetState, number])[] = [
  ['verified', 25],
  ['not_verified', 3],
  ['queued', 2],
  ['not_sent', 1],
  ['refused', 1],
  ['ready', 8],
];
const ENDED: ReadonlySet<TargetState> = new Set(['verified', 'not_verified', 'not_sent', 'refused']);

const targets = STATES.flatMap(([state, count]) => Array.from({ length: count }, () => state)).map(
  (state, at) =>
    aTarget({
      deviceId: deviceId(at + 1),
      displayName: `web-${at + 1}`,
      state,
      endedAt: ENDED.has(state) ? aRequest().createdAt : null,
    }),
);
const request = aRequest({ id: requestId('r_1'), state: 'running', targets, rollout: aRollout(40) });
const { ports } = testPorts({}, { requests: [request] });

const show = async (input: object, page = 0, more: object = {}) => {
  const view = await operationsCommand.run({ of: 'r_1', ...input }, page, { ...ports, ...more });
  if (view.kind !== 'results') throw new Error(view.kind);
  return view;
};
const states = async (...given: Parameters<typeof show>) =>
  (await show(...given)).rows.map(({ state }) => state);

describe('the results of a rollout', () => {
  it('begin with the devices on which it did not work', async () => {
    const first = await states({});
    expect(first.slice(0, 8)).toEqual([
      'not_verified',
      'not_verified',
      'not_verified',
      'refused',
      'not_sent',
      'queued',
      'queued',
      'ready',
    ]);
    expect(first).toHaveLength(20);
  });

  it('have every device on exactly one page', async () => {
    const pages = await Promise.all([show({}, 0), show({}, 1), show({}, 9)]);
    expect(pages.map(({ paging }) => paging.page)).toEqual([0, 1, 1]);
    const names = pages.slice(0, 2).flatMap(({ rows }) => rows.map(({ displayName }) => displayName));
    expect(new Set(names).size).toBe(40);
  });

  it.each([
    ['failed', 4],
    ['open', 2],
    ['waiting', 8],
    ['verified', 25],
    ['unknown', 0],
  ])('are those in one state where that is asked for: %s', async (group, total) => {
    expect((await show({ group })).paging.total).toBe(total);
  });

  it('are one file, without the seals', async () => {
    const csv = toCsv(await show({}, 0, { pageSize: 10_000 }));
    expect(csv?.rows).toBe(40);
    expect(csv?.text.split('\n')[0]).toMatch(
      /^\uFEFFdevice,hostname,id,wave,state,evidence,accepted,ended,packages,request\r?$/,
    );
    expect(csv?.text).not.toContain('seal-1');
  });

  it('of a request that is gone say so', async () => {
    const view = await operationsCommand.run({ of: 'r_2' }, 0, ports);
    expect(view).toEqual({ kind: 'decided', outcome: { kind: 'absent' } });
  });
});

describe('operations', () => {
  it('lists what waits in rollouts first, then what runs', async () => {
    const waiting = aRolloutRequest({ id: requestId('r_2') });
    const { ports: both } = testPorts(
      {},
      { requests: [request, waiting, aRequest({ id: requestId('r_3') })] },
    );
    const view = await operationsCommand.run({}, 0, both);
    expect(view).toMatchObject({ rows: [{ request: { id: 'r_2' } }, { request: { id: 'r_1' } }], open: 1 });
  });

  it('is found as rollouts, too, and called by one name', () => {
    expect(registry.find('Rollouts')).toBe(operationsCommand);
    expect(registry.help().map(({ name }) => name)).not.toContain('rollouts');
    expect(registry.find('constructor')).toBeNull();
  });
});
