/** Any faults in any order: the device gets its command at most once, and every request ends. Of rollouts see `rollout-faults.test.ts`. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { personId, type RequestId } from '../../../src/lib/ids.ts';
import { countTargets } from '../../../src/store/tables/request-counts.ts';
import { createRequestsSetup, pauseSwitchOf, type RequestsSetup } from '../requests-setup.ts';
import type { PostFate } from '../simulated-fleet.ts';
import { dying, ignoreKilled } from './rollout-play.ts';

const MOST_TRIES = 6;
const RUNS = 30;

const fate = fc.constantFrom<PostFate>(
  ...(['accept', 'accept-unlisted', 'lost-after', 'lost-before', 'refuse', 'unsent'] as const),
);
const nth = fc.option(fc.integer({ min: 1, max: MOST_TRIES }));
const plans = fc.record({
  kind: fc.constantFrom('scan' as const, 'reboot' as const),
  /** Of each POST in turn, and of all later ones. */
  fates: fc.array(fate, { minLength: 1, maxLength: MOST_TRIES }),
  deaths: fc.array(
    fc.record({
      point: fc.constantFrom<FailpointName>('target.claimed', 'target.sent', 'target.recorded'),
      count: fc.integer({ min: 1, max: MOST_TRIES }),
    }),
    { maxLength: 3 },
  ),
  /** The POST with which a pause starts, and the one with which a second run starts. */
  pauseAt: nth,
  secondRunAt: nth,
  driftAfter: fc.boolean(),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

async function play({ kind, fates, deaths, pauseAt, secondRunAt, driftAfter }: Plan): Promise<RequestsSetup> {
  const line = await createRequestsSetup({ onFailpoint: dying(deaths) });
  const { store, clock, fleet } = line;
  const pause = pauseSwitchOf({ store, clock });
  const id = kind === 'scan' ? await line.start({ kind }) : (await line.ask({ kind })).id;
  const seconds: Promise<unknown>[] = [];
  let calls = 0;
  fleet.hold((send) => async (device, command) => {
    const fateOfCall = fates[Math.min(calls, fates.length - 1)] ?? 'accept';
    calls += 1;
    if (calls === pauseAt) await pause.begin(personId('U_CAROL'), null);
    if (calls === secondRunAt) seconds.push(line.run(id).catch(ignoreKilled));
    fleet.world.fate = fateOfCall;
    const outcome = send(device, command);
    if (driftAfter && calls === 1) fleet.change({ lastLoggedInUser: 'dave' });
    return outcome;
  });
  if (kind === 'reboot') await line.approve(await line.requestNow({ id }));
  await untilItEnds(line, id);
  await Promise.all(seconds);
  return line;
}

/** A process that died is started again a second later. */
async function untilItEnds(line: RequestsSetup, id: RequestId): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    await line.pass(HOUR).catch(ignoreKilled);
    const { state } = await line.requestNow({ id });
    if (state === 'ended' || state === 'expired') return;
    await line.clock.advance(SECOND);
  }
  throw new Error(`the request does not end: ${JSON.stringify(await line.requestNow({ id }))}`);
}

it(
  'sends at most once, and ends with counts that match',
  () =>
    fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const line = await play(plan);
        const { postedTo } = line.world;
        expect(new Set(postedTo).size).toBe(postedTo.length);
        const [request] = await line.store.requests.list({}, 1);
        const targets = request === undefined ? [] : await line.targetsOf(request.id);
        const counted = [...countTargets(targets)].filter(([, count]) => count > 0);
        expect(request?.counts).toEqual(Object.fromEntries(counted));
        if (request?.state === 'ended')
          for (const target of targets) expect(target).toMatchObject({ endedAt: expect.any(Number) });
        const sent = new Set(postedTo);
        for (const { deviceId, state } of targets) {
          if (deviceId !== null && !sent.has(deviceId))
            expect(['not_sent', 'unknown', 'ready']).toContain(state);
        }
        await line.close();
      }),
      { numRuns: RUNS },
    ),
  60_000,
);
