/** When the one who asked is told about a request for several devices. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/lib/clock.ts';
import { deviceId } from '../../src/lib/ids.ts';
import { createLedger, type RecordMoves } from '../../src/requests/run/ledger.ts';
import { notSent } from '../../src/requests/target-transitions.ts';
import type { TargetState } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/port/store.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { ALICE, aRequest, aTarget, SENT } from './builders.ts';
import { ORGANIZATION } from './fleet-builders.ts';
import { CHANNELS } from './requests-setup.ts';

const { counts: _, ...REQUEST } = aRequest({ state: 'running', expiresAt: null, seal: null });
const { id } = REQUEST;
const MESSAGE = `told:operation:${id}` as const;

let store: Store;
let recordMoves: RecordMoves;
beforeEach(async () => {
  store = await memoryStore(ORGANIZATION);
  recordMoves = createLedger({ store, channels: CHANNELS, clock: createManualClock(SENT) });
});
afterEach(() => store.close());

async function stored(...states: readonly TargetState[]): Promise<void> {
  const targets = states.map((state, position) =>
    aTarget({ requestId: id, deviceId: deviceId(1001 + position), position, state }),
  );
  await store.requests.insert(REQUEST, targets);
}

/** Moves the target at `at` to `state`, from its stored state. */
async function become(at: number, state: TargetState): Promise<void> {
  const request = await store.requests.get(id);
  const target = (await store.targets.of(id))[at];
  if (request === null || target === undefined) throw new Error('no such target');
  const ends = state === 'verified' || state === 'not_verified';
  const next =
    state === 'not_sent'
      ? notSent(target, { kind: 'delayed' }, SENT)
      : { ...target, state, endedAt: ends ? SENT : null };
  await recordMoves(request, [{ from: target.state, next }]);
}

describe('a request for several devices', () => {
  it('is reported once, when all of it has ended', async () => {
    await stored('ready', 'accepted');
    await become(0, 'not_sent');
    await become(1, 'answered');
    expect(await store.cards.get(MESSAGE)).toBeNull();
    await become(1, 'not_verified');
    expect(await store.cards.get(MESSAGE)).toMatchObject({ channel: ALICE, wantedRevision: 1 });
  });

  it('that nobody had to approve and of which all are verified is told by its card alone', async () => {
    await stored('accepted', 'queued');
    await become(0, 'verified');
    await become(1, 'verified');
    expect(await store.cards.get(MESSAGE)).toBeNull();
    expect(await store.requests.get(id)).toMatchObject({ state: 'ended', endedAt: SENT });
  });
});
