/** Claims on two replicas: what was committed before a claim wins, wherever the claim stands: a press, a brake, another claim. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/lib/clock.ts';
import { type DeviceId, personId } from '../../../src/lib/ids.ts';
import { createControlRollout } from '../../../src/requests/decide/control-rollout.ts';
import type { RolloutControl } from '../../../src/requests/decide/rollout-machine.ts';
import { createLedger } from '../../../src/requests/run/ledger.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { startRollout } from '../../../src/rollout/progress.ts';
import { openStore } from '../../../src/store/open.ts';
import type { TargetState } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { ORGANIZATION, START } from '../../store/builders.ts';
import { type Postgres, startPostgres } from '../../store/postgres.ts';
import { aRequest, aRequestTarget, countsOf, freshDevice, moveTo } from '../../store/request-builders.ts';
import { CHANNELS } from '../requests-setup.ts';

/** Which of two presses is first is up to the database. */
const RACES = 5;

let postgres: Postgres | undefined;
let replicas: readonly [Store, Store] | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
  const database = { kind: 'postgres', url: await postgres.createDatabase() } as const;
  const open = () => openStore({ database, organizationId: ORGANIZATION });
  replicas = [await open(), await open()];
});
afterAll(async () => {
  await Promise.all((replicas ?? []).map((store) => store.close()));
  await postgres?.stop();
});

/** The store of a process that is stopped inside its claim, before it holds the request's row, until `wake`. */
function stoppedInClaim(store: Store) {
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

async function approved(store: Store, { devices = 4, inFirst = 2 } = {}) {
  const waves = [{ kind: 'devices', devices: inFirst }] as const;
  const rollout = startRollout(
    planRollout(devices, { waves, brake: { kind: 'devices', devices: 1 } }),
    START,
  );
  const request = aRequest({ state: 'approved', decidedAt: START, rollout });
  const targets = Array.from({ length: devices }, (_, position) => aRequestTarget(request.id, { position }));
  await store.requests.insert(request, targets);
  const [first, second, third] = targets;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no targets');
  return { request: { ...request, counts: countsOf(targets) }, targets, first, second, third };
}

async function single(store: Store, deviceId: DeviceId) {
  const request = aRequest({ state: 'approved', decidedAt: START });
  const target = aRequestTarget(request.id, { deviceId });
  await store.requests.insert(request, [target]);
  return { request: { ...request, counts: countsOf([target]) }, target };
}

it('a claim ends unsent where another command got into the queue after it looked for one', async () => {
  if (replicas === undefined) throw new Error('PostgreSQL is not running');
  const [first, second] = replicas;
  const clock = createManualClock(START);
  const device = freshDevice();
  const late = await single(first, device);
  const early = await single(first, device);
  // The row of the switch is made by the first claim of all, and the two would wait for each other there.
  await first.pause.lockAndRead();
  const { store: stopped, reached, wake } = stoppedInClaim(first);
  const claiming = createLedger({ store: stopped, clock, channels: CHANNELS })(late.request, [
    moveTo(late.target, 'issuing'),
  ]);
  await reached;
  const recordMoves = createLedger({ store: second, clock, channels: CHANNELS });
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
  const claims = (await first.audit.list(0, 999)).filter(({ action }) => action === 'operation.issuing');
  expect(claims.map(({ subject }) => subject)).not.toContain(late.request.id);
  clock.stop();
});

describe('a claim of a rollout', () => {
  it.each(['pause', 'stop', 'brake'] as const)(
    'is not written after a %s that was committed first',
    async (what) => {
      if (replicas === undefined) throw new Error('PostgreSQL is not running');
      const [one, two] = replicas;
      const clock = createManualClock(START);
      const { request, first, second } = await approved(one);
      await one.pause.lockAndRead();
      const { store: stopped, reached, wake } = stoppedInClaim(one);
      const claiming = createLedger({ store: stopped, clock, channels: CHANNELS })(request, [
        moveTo(first, 'issuing'),
      ]);
      await reached;
      if (what === 'brake') {
        const recordMoves = createLedger({ store: two, clock, channels: CHANNELS });
        await recordMoves(request, [moveTo(second, 'issuing')]);
        const refused = moveTo({ ...second, state: 'issuing' }, 'refused', { endedAt: START });
        await recordMoves(request, [refused]);
      } else {
        const control = createControlRollout({ store: two, clock, wakeWorker: () => {} });
        const press = {
          requestId: request.id,
          person: personId('U2'),
          role: 'approver',
          control: what,
        } as const;
        expect(await control(press)).toMatchObject({ kind: 'decided' });
      }
      wake();
      expect(await claiming).toEqual([]);
      const after = await one.requests.get(request.id);
      const kind = what === 'brake' ? 'braked' : what === 'stop' ? 'stopped' : 'paused';
      expect(after?.rollout?.hold).toMatchObject({ kind });
      expect(after?.counts.issuing).toBeUndefined();
      clock.stop();
    },
  );

  it('is not written after a Stop, whoever presses Resume at the same time', async () => {
    if (replicas === undefined) throw new Error('PostgreSQL is not running');
    const [one, two] = replicas;
    const clock = createManualClock(START);
    for (let races = 0; races < RACES; races += 1) {
      const { request, first } = await approved(one);
      const press = (store: Store, control: RolloutControl, person: string) =>
        createControlRollout({ store, clock, wakeWorker: () => {} })({
          requestId: request.id,
          person: personId(person),
          role: 'approver',
          control,
        });
      await press(one, 'pause', 'U2');
      const [, stopped] = await Promise.all([press(one, 'resume', 'U2'), press(two, 'stop', 'U3')]);
      expect(stopped).toMatchObject({ kind: 'decided' });
      expect(
        await createLedger({ store: one, clock, channels: CHANNELS })(request, [moveTo(first, 'issuing')]),
      ).toEqual([]);
      expect(await one.requests.get(request.id)).toMatchObject({
        state: 'ended',
        counts: { not_sent: 4 },
        rollout: { hold: { kind: 'stopped', by: 'U3' } },
      });
    }
    clock.stop();
  });

  it('beyond its wave is not written', async () => {
    if (replicas === undefined) throw new Error('PostgreSQL is not running');
    const [one] = replicas;
    const clock = createManualClock(START);
    const { request, third } = await approved(one);
    expect(
      await createLedger({ store: one, clock, channels: CHANNELS })(request, [moveTo(third, 'issuing')]),
    ).toEqual([]);
    expect(await one.requests.get(request.id)).toMatchObject({ state: 'approved', counts: { ready: 4 } });
    clock.stop();
  });
});

describe('calls without a clear answer', () => {
  const evidence = [
    { kind: 'answer-lost', error: { kind: 'broken', status: 500, detail: '', held: null } },
    { kind: 'looking' },
  ] as const;

  it('are counted over all replicas, each once, and a claim beside the last of them is not written', async () => {
    if (replicas === undefined) throw new Error('PostgreSQL is not running');
    const [one, two] = replicas;
    const clock = createManualClock(START);
    const { request, targets } = await approved(one, { devices: 12, inFirst: 8 });
    const ledgers = [
      createLedger({ store: one, clock, channels: CHANNELS }),
      createLedger({ store: two, clock, channels: CHANNELS }),
    ] as const;
    const rolloutNow = async () => (await one.requests.get(request.id))?.rollout;
    const lose = async (position: number) => {
      const target = targets[position];
      if (target === undefined) throw new Error('no such target');
      const lost = moveTo({ ...target, state: 'issuing' }, 'unknown', { evidence });
      const ledger = ledgers[position % 2 === 0 ? 0 : 1];
      await ledger(request, [moveTo(target, 'issuing')]);
      await ledger(request, [lost]);
      // A result that is recorded again, because the answer of the database was lost, counts no second time.
      expect(await ledgers[0](request, [lost])).toEqual([]);
    };
    for (const position of [0, 1, 2, 3]) await lose(position);
    expect(await rolloutNow()).toMatchObject({ unanswered: 4, hold: null });
    const [late] = targets.slice(5);
    if (late === undefined) throw new Error('no targets');
    await one.pause.lockAndRead();
    const { store: stopped, reached, wake } = stoppedInClaim(one);
    const claiming = createLedger({ store: stopped, clock, channels: CHANNELS })(request, [
      moveTo(late, 'issuing'),
    ]);
    await reached;
    await lose(4);
    wake();
    expect(await claiming).toEqual([]);
    expect(await rolloutNow()).toMatchObject({ hold: { kind: 'unanswered', sends: 5, at: START } });
    expect((await two.requests.get(request.id))?.counts).toMatchObject({ unknown: 5, ready: 7 });
    clock.stop();
  });
});
