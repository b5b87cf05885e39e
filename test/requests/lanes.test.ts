/** Whose turn the calls of a request take: a person waits for a few devices, and nobody for many. */
import { expect, it } from 'vitest';
import type { Lane } from '../../src/fleet/fleet.ts';
import { planRollout } from '../../src/rollout/plan.ts';
import { createRequestsSetup, type RequestsSetup } from './requests-setup.ts';

let line: RequestsSetup;

it.each<[string, number, Lane]>([
  ['one device have the lane of writes, behind what people read', 1, 'write'],
  ['ten devices have it, too', 10, 'write'],
  ['more devices are work that nobody waits for', 11, 'background'],
])('commands to %s', async (_, count, lane) => {
  const lanes: (Lane | undefined)[] = [];
  line = await createRequestsSetup({
    fleetSize: () => count,
    writer: (writer) => ({
      issue: (device, action, options) => {
        lanes.push(options?.lane);
        return writer.issue(device, action, options);
      },
    }),
  });
  const plan = planRollout(count, { waves: [] });
  await line.record({ kind: 'scan' }, line.fleet.addDevices(count - 1), count > 1 ? { plan } : {});
  await line.settle();
  expect(lanes).toEqual(Array.from({ length: count }, () => lane));
});
