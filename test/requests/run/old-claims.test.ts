/** A process that was stopped between its claim and its call, and goes on later: it never sends on an old claim. */
import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;
const create: FleetAction = {
  kind: 'group-create',
  group: { name: 'Kiosks', parentId: groupId(9), refreshIntervalMinutes: 360 },
};

let line: RequestsSetup;

/** A process that stops at its first claim until `wake`. */
async function stoppedAtClaim() {
  const { promise: held, resolve: wake } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  let isFirst = true;
  line = await createRequestsSetup({
    onFailpoint: async (name) => {
      if (name !== 'target.claimed' || !isFirst) return;
      isFirst = false;
      reach();
      await held;
    },
  });
  return { reached, wake };
}

describe('a claim that another process took over', () => {
  it('makes no second group beside the one that was made since', async () => {
    const { reached, wake } = await stoppedAtClaim();
    const first = await line.ask(create);
    await line.approve(first);
    const stopped = line.run(first.id);
    await reached;
    await line.pass(6 * MINUTE);
    const told = await line.targetFor(first);
    expect(told).toMatchObject({ state: 'unknown', endedAt: expect.any(Number) });
    await line.approve(await line.ask(create));
    await line.settle();
    wake();
    await stopped;
    expect(line.fleet.world.edits).toEqual(['createGroup Kiosks']);
    expect(await line.targetFor(first)).toEqual(told);
  });

  it('is not sent, and stays as the other process left it', async () => {
    const { reached, wake } = await stoppedAtClaim();
    const request = await line.ask(reboot);
    await line.approve(request);
    const stopped = line.run(request.id);
    await reached;
    await line.pass(14 * MINUTE);
    const left = await line.targetFor(request);
    expect(left).toMatchObject({ state: 'unknown', endedAt: null });
    wake();
    await stopped;
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.targetFor(request)).toEqual(left);
  });
});

describe('a claim that nobody took over yet', () => {
  it('is given back by a process that was stopped for too long, and is sent on a new claim', async () => {
    let now = 0;
    let isFirst = true;
    line = await createRequestsSetup({
      monotonic: () => now,
      onFailpoint: (name) => {
        if (name !== 'target.claimed' || !isFirst) return;
        isFirst = false;
        now += 16 * SECOND;
      },
    });
    const id = await line.start(scan);
    await line.settle();
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.targetOf(id)).toMatchObject({
      state: 'ready',
      endedAt: null,
      evidence: [{ kind: 'unsent', error: { held: { kind: 'delayed' } } }],
    });
    await line.pass(2 * SECOND);
    expect(line.fleet.world.posts).toEqual([scan]);
  });

  it('counts from before it is written, so that a stop inside its transaction counts, too', async () => {
    let now = 0;
    let isRunning = false;
    line = await createRequestsSetup({
      monotonic: () => now,
      around: (store) => ({
        ...store,
        transaction: async (job) => {
          const result = await store.transaction(job);
          if (isRunning && now === 0) now += 16 * SECOND;
          return result;
        },
      }),
    });
    const id = await line.start(scan);
    isRunning = true;
    await line.settle();
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.targetOf(id)).toMatchObject({ state: 'ready' });
  });

  it('is withheld by the client at the last moment, after its waits and reads', async () => {
    let now = 0;
    line = await createRequestsSetup({
      monotonic: () => now,
      writer: (writer) => ({
        issue: async (id, command, options) => {
          if (now === 0) now += 16 * SECOND;
          return options?.mayStart?.() === false ? { kind: 'withheld' } : writer.issue(id, command);
        },
      }),
    });
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'ready',
      evidence: [{ kind: 'unsent', error: { held: { kind: 'delayed' } } }],
    });
    await line.pass(2 * SECOND);
    expect(line.fleet.world.posts).toEqual([scan]);
  });
});
