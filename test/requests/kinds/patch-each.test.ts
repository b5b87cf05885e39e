/** A patch of many devices: each gets what was sealed with it. */
import { expect, it } from 'vitest';
import { packageFacts } from '../../../src/fleet/facts/facts.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const patchEach = { kind: 'patch-each', chosen: { severities: ['critical'], named: [] } } as const;

let line: RequestsSetup;

it('sends each device the packages that were sealed with it, and proves those', async () => {
  line = await createRequestsSetup();
  const [first, second] = line.fleet.addDevices(1);
  if (first === undefined || second === undefined) throw new Error('two devices');
  const order = await line.order(patchEach, [first, second]);
  const [web, node] = order.proposal.targets;
  if (web?.deviceId == null || node?.deviceId == null) throw new Error('two devices');
  const known = packageFacts(line.fleet.world.packages.filter(({ installed }) => !installed));
  const openssl = packageFacts(line.fleet.world.packages.filter(({ name }) => name === 'openssl'));
  const targets = [
    { ...web, packages: openssl },
    { ...node, packages: known },
  ];
  const recorded = await line.requests.record({ ...order, proposal: { ...order.proposal, targets } });
  if (recorded.kind !== 'recorded') throw new Error('changes are paused');
  await line.approve(recorded.request);
  await line.settle();
  const chosen = patchEach.chosen;
  expect(line.fleet.world.posts).toEqual([
    { kind: 'patch', packages: ['openssl'], chosen },
    { kind: 'patch', packages: ['curl', 'openssl'], chosen },
  ]);
  line.fleet.install('openssl');
  line.fleet.clearQueue();
  line.fleet.world.queues = new Map();
  await line.pass(2 * MINUTE + SECOND);
  const [proven, open] = await line.targetsOf(recorded.request.id);
  expect(proven).toMatchObject({ state: 'verified' });
  expect(open?.endedAt).toBeNull();
  line.fleet.install('curl');
  await line.pass(2 * MINUTE);
  const { state, counts } = await line.requestNow(recorded.request);
  expect([state, counts]).toEqual(['ended', { verified: 2 }]);
});

it('collides with the same packages on the same device', async () => {
  line = await createRequestsSetup();
  const each = await line.ask(patchEach);
  const named = await line.ask({ kind: 'patch', packages: ['openssl', 'curl'] });
  line.fleet.world.fate = 'accept-unlisted';
  await line.approve(each);
  await line.settle();
  await line.approve(named);
  await line.settle();
  expect(line.fleet.world.posts).toHaveLength(1);
  expect(await line.targetFor(named)).toMatchObject({ state: 'not_sent', evidence: [{ kind: 'under-way' }] });
});
