/** The cost per device does not depend on the number of devices in the request. */
import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const FEW = 20;
const MANY = 200;
const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;
const tag = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: [] } } } as const;

let line: RequestsSetup;

/** Calls `onCall` for each call of `target` and its tables, with a cost: one, and one for each row of the result. */
function observed<T extends object>(target: T, onCall: (cost: number) => void): T {
  return new Proxy(target, {
    get: (object, name, receiver) => {
      const value: unknown = Reflect.get(object, name, receiver);
      if (typeof value === 'object' && value !== null) return observed(value, onCall);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]) => {
        const result: unknown = Reflect.apply(value, object, given);
        return Promise.resolve(result).then((rows) => {
          onCall(1 + (Array.isArray(rows) ? rows.length : 0));
          return rows;
        });
      };
    },
  });
}

/**
 * Calls to the store, and the rows that they give, while `count` devices are sent to, and while they are followed; and
 * reads of the service.
 */
async function costOf(action: FleetAction, count: number) {
  let calls = 0;
  const onCall = (cost: number) => {
    calls += cost;
  };
  const around = (store: Store): Store => ({
    ...observed(store, onCall),
    transaction: (job) => store.transaction((tables) => job(observed(tables, onCall))),
  });
  line = await createRequestsSetup({ around });
  const devices = line.fleet.addDevices(count - 1);
  const needsApproval = action !== scan;
  const id = needsApproval ? (await line.ask(action, devices)).id : await line.start(action, devices);
  if (needsApproval) await line.approve(await line.requestNow({ id }));
  calls = 0;
  line.fleet.world.reads = [];
  await line.settle();
  const sending = { calls, reads: line.fleet.world.reads.length };
  calls = 0;
  line.fleet.world.reads = [];
  await line.pass(20 * SECOND);
  const following = { calls, reads: line.fleet.world.reads.length };
  const { counts } = await line.requestNow({ id });
  await line.close();
  return { sending, following, counts };
}

describe('the calls to the store and the service, and the rows they return', () => {
  it.each([
    ['scan', scan],
    ['reboot', reboot],
  ])('are per device of a %s no more for 200 devices than for 20', async (_what, action) => {
    const few = await costOf(action, FEW);
    const many = await costOf(action, MANY);
    expect(many.counts).toMatchObject({ accepted: MANY, open: MANY });
    expect(many.sending.reads / MANY).toBeLessThanOrEqual(few.sending.reads / FEW);
    expect(many.following.reads / MANY).toBeLessThanOrEqual(few.following.reads / FEW);
    expect(many.sending.calls / MANY).toBeLessThanOrEqual(few.sending.calls / FEW);
    expect(many.following.calls / MANY).toBeLessThanOrEqual(few.following.calls / FEW);
    // A claim and a result, each in one transaction.
    expect(few.sending.calls / FEW).toBeLessThan(50);
  });

  it('are per device of a batch of tags no more for 200 devices than for 20', async () => {
    const few = await costOf(tag, FEW);
    const many = await costOf(tag, MANY);
    expect(many.counts).toMatchObject({ verified: MANY });
    expect(many.sending.reads / MANY).toBeLessThanOrEqual(few.sending.reads / FEW);
    expect(many.sending.calls / MANY).toBeLessThanOrEqual(few.sending.calls / FEW);
  });
});
