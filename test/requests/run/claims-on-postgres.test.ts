/** Claims of several replicas on PostgreSQL, where a transaction sees what others commit while it goes on. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createManualClock } from '../../../src/lib/clock.ts';
import type { DeviceId } from '../../../src/lib/ids.ts';
import { createLedger } from '../../../src/requests/run/ledger.ts';
import { openStore } from '../../../src/store/open.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { ORGANIZATION, START } from '../../store/builders.ts';
import { type Postgres, startPostgres } from '../../store/postgres.ts';
import { aRequest, aRequestTarget, countsOf, freshDevice, moveTo } from '../../store/request-builders.ts';

let postgres: Postgres | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

async function twoReplicas(): Promise<readonly [Store, Store]> {
  if (postgres === undefined) throw new Error('PostgreSQL is not running');
  const database = { kind: 'postgres', url: await postgres.createDatabase() } as const;
  const open = () => openStore({ database, organizationId: ORGANIZATION });
  return [await open(), await open()];
}

/** The store of a process that is stopped right after it looked for other actions on a device, until `wake`. */
function stoppedAfterLook(store: Store) {
  const { promise: held, resolve: wake } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const transaction: Store['transaction'] = (job) =>
    store.transaction((tables) => {
      const open: typeof tables.targets.open = async (...given) => {
        const found = await tables.targets.open(...given);
        reach();
        await held;
        return found;
      };
      return job({ ...tables, targets: { ...tables.targets, open } });
    });
  return { store: { ...store, transaction }, reached, wake };
}

async function approved(store: Store, deviceId: DeviceId) {
  const request = aRequest({ state: 'approved', decidedAt: START });
  const target = aRequestTarget(request.id, { deviceId });
  await store.requests.insert(request, [target]);
  return { request: { ...request, counts: countsOf([target]) }, target };
}

it('a claim ends unsent where another command got into the queue after it looked for one', async () => {
  const [first, second] = await twoReplicas();
  const clock = createManualClock(START);
  const device = freshDevice();
  const late = await approved(first, device);
  const early = await approved(first, device);
  // The row of the switch is made by the first claim of all, and the two would wait for each other there.
  await first.pause.lockAndRead();
  const { store: stopped, reached, wake } = stoppedAfterLook(first);
  const claiming = createLedger({ store: stopped, clock })(late.request, [moveTo(late.target, 'issuing')]);
  await reached;
  const recordMoves = createLedger({ store: second, clock });
  const become = async (from: TargetState, to: TargetState) => {
    const [moved] = await recordMoves(early.request, [moveTo({ ...early.target, state: from }, to)]);
    expect(moved?.state).toBe(to);
  };
  await become('ready', 'issuing');
  await become('issuing', 'accepted');
  await become('accepted', 'queued');
  wake();
  const evidence = [{ kind: 'under-way', since: START }];
  expect(await claiming).toMatchObject([{ state: 'not_sent', endedAt: START, evidence }]);
  expect(await first.targets.of(late.request.id)).toMatchObject([{ state: 'not_sent', evidence }]);
  const { state, startedAt, counts } = (await first.requests.get(late.request.id)) ?? {};
  expect({ state, startedAt, counts }).toEqual({ state: 'ended', startedAt: null, counts: { not_sent: 1 } });
  const actions = (await first.audit.list(0, 99)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'operation.issuing')).toHaveLength(1);
  await Promise.all([first.close(), second.close()]);
  clock.stop();
});
