/** A database that fails for a moment beside a call: what is known of the call is not lost with it. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { createRequestsSetup, type RequestsSetup, START } from '../requests-setup.ts';

const reboot = { kind: 'reboot' } as const;

let line: RequestsSetup;

/** A setup whose store fails `times` times in a row from this point on, where `wrap` asks it to. */
async function setupThatFailsAt(
  point: FailpointName,
  times: number,
  wrap: (store: Store, failing: () => void) => Store,
): Promise<void> {
  let left = 0;
  let isPassed = false;
  const failing = () => {
    if (left === 0) return;
    left -= 1;
    throw new Error('connection terminated');
  };
  line = await createRequestsSetup({
    onFailpoint: (name) => {
      if (name !== point || isPassed) return;
      isPassed = true;
      left = times;
    },
    around: (store) => wrap(store, failing),
  });
}

const failingPause = (store: Store, failing: () => void): Store => ({
  ...store,
  pause: {
    ...store.pause,
    currentOrEndedSince: async (at) => {
      failing();
      return store.pause.currentOrEndedSince(at);
    },
  },
});
const failingTransactions = (store: Store, failing: () => void): Store => ({
  ...store,
  transaction: async (job) => {
    failing();
    return store.transaction(job);
  },
});

async function approved() {
  const request = await line.ask(reboot);
  await line.approve(request);
  return request;
}

describe('a database that fails for a moment', () => {
  it('between the claim and the call leaves it ready, and it is sent later', async () => {
    await setupThatFailsAt('target.claimed', 1, failingPause);
    const request = await approved();
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({
      state: 'ready',
      evidence: [{ kind: 'pause-unread' }],
    });
    expect(line.fleet.world.posts).toEqual([]);
    await line.pass(2 * SECOND);
    expect(line.fleet.world.posts).toEqual([reboot]);
    expect(await line.targetFor(request)).toMatchObject({ state: 'accepted' });
  });

  it('between the call and its record does not lose that it was accepted', async () => {
    await setupThatFailsAt('target.sent', 1, failingTransactions);
    line.fleet.world.fate = 'accept-unlisted';
    const request = await approved();
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({ state: 'accepted', acceptedAt: START });
    expect(line.fleet.world.posts).toEqual([reboot]);
  });
});
