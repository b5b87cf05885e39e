/** A rollout to 10,000 devices on a virtual clock, and what the ledger costs per device. */
import { type Instant, instant } from '../../../src/lib/clock.ts';
import { type Figure, figure } from '../report/figure.ts';
import { ledgerCost } from './ledger-cost.ts';
import { createSimulatedService } from './simulated-service.ts';
import { createVirtualClock } from './virtual-clock.ts';
import { type RolloutRun, runWholeRollout } from './whole-rollout.ts';

const DEVICES = 10_000;
/** Of the bare loop: its rate does not change any more. */
const BARE_DEVICES = 2_000;
/** As the client has in flight at once of what nobody waits for. */
const BARE_LOOPS = 3;
/** Edits of one card that are three seconds apart. */
const MOST_EDITS_A_MINUTE = 20;
const ALLOWED_MIB = 20;

export async function rollouts(): Promise<readonly Figure[]> {
  return [...(await wholeRollout()), ...(await ledgerCost())];
}

async function wholeRollout(): Promise<readonly Figure[]> {
  const run = await runWholeRollout(DEVICES);
  if (run.verified !== DEVICES) throw new Error(`${run.verified} of ${DEVICES} devices were verified`);
  const named = (what: string) => `${what}, rollout to ${DEVICES.toLocaleString('en')} devices`;
  return [
    figure({
      name: named('requests a second while it sends'),
      unit: '/s',
      ours: run.perSecond,
      baseline: await bareRate(),
      against: 'a bare loop within the same limits',
    }),
    figure({
      name: named('requests per device'),
      unit: 'requests',
      ours: requestsOf(run) / DEVICES,
      baseline: 2,
      against: 'the command and one read',
    }),
    figure({
      name: named('pages of lists'),
      unit: 'requests',
      ours: run.calls.list,
      baseline: DEVICES,
      against: 'one read of each device',
    }),
    figure({
      name: named('memory that it takes'),
      unit: 'MiB',
      ours: run.memoryMiB,
      baseline: ALLOWED_MIB,
      against: 'what it may take',
    }),
    figure({
      name: named('edits of its card'),
      unit: 'requests',
      ours: run.edits,
      baseline: run.hours * 60 * MOST_EDITS_A_MINUTE,
      against: 'three seconds apart',
    }),
  ];
}

function requestsOf({ calls }: RolloutRun): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

/** A read and a command for each device, as fast as the limits let them. */
async function bareRate(): Promise<number> {
  const start = instant(Date.UTC(2026, 5, 5));
  const clock = createVirtualClock(start);
  const service = createSimulatedService(clock, BARE_DEVICES);
  let left = BARE_DEVICES;
  let ended: Instant | null = null;
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await service.call('queue');
      await service.call('command');
    }
  };
  void Promise.all(Array.from({ length: BARE_LOOPS }, loop)).then(() => {
    ended = clock.now();
  });
  await clock.runUntil(() => ended !== null);
  return (2 * BARE_DEVICES * 1_000) / (clock.now() - start);
}
