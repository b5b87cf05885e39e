/** A rollout with any faults in any order: no device twice, never beyond the wave, and nothing claimed while it is held. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RequestId } from '../../../src/lib/ids.ts';
import { waveOf } from '../../../src/rollout/plan.ts';
import type { AuditRecord } from '../../../src/store/port/records.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { countTargets } from '../../../src/store/tables/request-counts.ts';
import { type Played, plans, play } from './rollout-play.ts';

const RUNS = 50;
/** Far more than it takes on an idle machine. */
const PATIENCE_MS = 300_000;

it(
  'sends at most once to each device, nothing while it is held, and ends with counts that match',
  () =>
    fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const played = await play(plan);
        const { line, id, sentElsewhere } = played;
        const { postedTo } = line.fleet.world;
        expect(sentElsewhere).toEqual([]);
        expect(new Set(postedTo).size).toBe(postedTo.length);
        expect(claimedWhileHeld(await line.store.audit.list(0, MOST_ENTRIES), id)).toEqual([]);
        await expectCountsToMatch(played);
        await line.close();
      }),
      // A shorter plan would say no more than the one that was found, and each takes as long.
      { numRuns: RUNS, endOnFailure: true },
    ),
  PATIENCE_MS,
);

const MOST_ENTRIES = 1_000;
const HOLDS = new Set([
  'rollout.paused',
  'rollout.braked',
  'rollout.unanswered',
  'rollout.drifted',
  'rollout.stopped',
]);
const RELEASES = new Set(['rollout.resumed', 'rollout.continued']);

/** Claims that were committed between what held the rollout, or everything, and what let it go on. */
function claimedWhileHeld(audit: readonly AuditRecord[], id: RequestId): readonly AuditRecord[] {
  let isHeld = false;
  let arePaused = false;
  const inOrder = audit.toSorted((a, b) => a.sequence - b.sequence);
  return inOrder.filter(({ action, subject, detail }) => {
    if (action === 'changes.paused') arePaused = true;
    if (action === 'changes.resumed') arePaused = false;
    if (subject !== id) return false;
    const isGate = action === 'rollout.wave-ended' && detail['waits'] === true;
    if (isGate || HOLDS.has(action)) isHeld = true;
    if (RELEASES.has(action)) isHeld = false;
    return action === 'operation.issuing' && (isHeld || arePaused);
  });
}

async function expectCountsToMatch({ line, id }: Played): Promise<void> {
  const request = await line.requestNow({ id });
  if (request.rollout === null) throw new Error('it is no rollout');
  const { plan } = request.rollout;
  const targets = await line.targetsOf(id);
  const counted = (some: readonly RequestTarget[]) =>
    Object.fromEntries([...countTargets(some)].filter(([, count]) => count > 0));
  expect(request.counts).toEqual(counted(targets));
  expect(await line.store.requests.waveCounts(id)).toEqual(
    plan.waves.map((_, wave) => counted(targets.filter(({ position }) => waveOf(plan, position) === wave))),
  );
  const sent = new Set(line.fleet.world.postedTo);
  for (const { deviceId, state } of targets)
    if (deviceId !== null && !sent.has(deviceId)) expect(['not_sent', 'unknown']).toContain(state);
}
