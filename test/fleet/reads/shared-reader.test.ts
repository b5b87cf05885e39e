import { expect, it } from 'vitest';
import { collectRows, createSharedReader } from '../../../src/fleet/reads/read-helpers.ts';
import { createManualClock, SECOND } from '../../../src/lib/clock.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { START } from '../../requests/requests-setup.ts';
import { createSimulatedFleet } from '../../requests/simulated-fleet.ts';

it('reads groups and policies once for many devices, and again after half a minute', async () => {
  const clock = createManualClock(START);
  const fleet = createSimulatedFleet(clock);
  const reader = createSharedReader(fleet.reader, clock);
  const readAll = async () => {
    fleet.world.reads = [];
    for (let device = 0; device < 100; device += 1) {
      await Promise.all([collectRows(reader.groups()), collectRows(reader.policies())]);
      await reader.policy(policyId(12));
    }
    return fleet.world.reads;
  };
  expect(await readAll()).toEqual(['groups', 'policies', 'policy']);
  await clock.advance(31 * SECOND);
  expect(await readAll()).toEqual(['groups', 'policies', 'policy']);
});

it('reads again what could not be read', async () => {
  const clock = createManualClock(START);
  const { reader } = createSimulatedFleet(clock);
  let fails = true;
  const shared = createSharedReader(
    { ...reader, policy: (id) => (fails ? Promise.reject(new Error('down')) : reader.policy(id)) },
    clock,
  );
  await expect(shared.policy(policyId(12))).rejects.toThrow('down');
  fails = false;
  expect(await shared.policy(policyId(12))).toMatchObject({ id: 12 });
});
