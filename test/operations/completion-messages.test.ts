/** When the requester is notified about an operation over several devices. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/lib/clock.ts';
import { deviceId, operationId, organizationId } from '../../src/lib/ids.ts';
import { targetNotSent } from '../../src/operations/claim/target.ts';
import { createRecordTransition, type RecordTransition } from '../../src/operations/record-transition.ts';
import type { OperationRecord, TargetState } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/port/store.ts';
import { START } from '../harness/builders.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { anOperation, aTarget } from '../harness/records.ts';

const ID = operationId('o_1');
const NOTIFIED_STATES = `told:operation:${ID}` as const;

let store: Store;
let move: RecordTransition;
beforeEach(async () => {
  store = await memoryStore(organizationId(7));
  move = createRecordTransition({ store, clock: createManualClock(START) });
});
afterEach(() => store.close());

async function stored(...states: readonly TargetState[]): Promise<OperationRecord> {
  const targets = states.map((state, at) =>
    aTarget({ operationId: ID, deviceId: deviceId(1001 + at), state, endedAt: null }),
  );
  const operation = anOperation({ id: ID, approvalId: null, targets });
  await store.operations.insert(operation);
  return operation;
}

/** Moves the target at `at` to `state`, from its stored state. */
async function become(at: number, state: TargetState): Promise<void> {
  const operation = await store.operations.get(ID);
  const target = operation?.targets[at];
  if (operation === null || target === undefined) throw new Error('no such target');
  const ended = state === 'not_sent' || state === 'verified';
  const next = state === 'not_sent' ? targetNotSent(target, 'too late', START) : { ...target, state };
  await move({ operation, from: target.state, next: ended ? { ...next, endedAt: START } : next });
}

describe('an operation over several devices', () => {
  it('is reported as soon as it is certain that some were not sent, while others are followed', async () => {
    await stored('ready', 'issuing', 'ready');
    await become(0, 'not_sent');
    expect(await store.cards.get(NOTIFIED_STATES)).toBeNull();
    await become(2, 'not_sent');
    expect(await store.cards.get(NOTIFIED_STATES)).toBeNull();
    await become(1, 'accepted');
    expect(await store.cards.get(NOTIFIED_STATES)).toMatchObject({ channel: 'UOPERATOR', wantedRevision: 1 });
  });

  it('is reported once, in a message that is updated with the others', async () => {
    await stored('ready', 'accepted');
    await become(0, 'not_sent');
    await become(1, 'queued');
    await become(1, 'verified');
    expect(await store.cards.get(NOTIFIED_STATES)).toMatchObject({ wantedRevision: 3 });
  });

  it('is not reported while all were sent and one is open', async () => {
    await stored('accepted', 'queued', 'unknown');
    await become(0, 'verified');
    await become(1, 'answered');
    await become(2, 'not_verified');
    expect(await store.cards.get(NOTIFIED_STATES)).toBeNull();
  });
});
