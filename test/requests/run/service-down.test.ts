/** A request for many devices while the service is down, with the real client against a server on loopback. */
import { afterEach, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import { type Reply, scriptedServer } from '../../fleet/scripted-server.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';
import { sendingTo, sentTwice } from './rollout-setup.ts';

const COUNT = 40;
/** Failures that open the circuit breaker, and the calls that are in flight beside the last of them. */
const MOST_UNKNOWN = 8 + 3;

let line: RequestsSetup;
afterEach(() => line.close());

it('leaves few unknown and refuses none; the others are sent once when the service is back', async () => {
  let reply: Reply = { status: 503 };
  const service = await scriptedServer(() => reply);
  line = await createRequestsSetup(sendingTo(service));
  const request = await line.ask({ kind: 'reboot' }, line.fleet.addDevices(COUNT - 1));
  await line.approve(request);
  await line.settle();
  const reached = service.requests.length;
  expect(reached).toBeGreaterThan(0);
  expect(reached).toBeLessThanOrEqual(MOST_UNKNOWN);
  const { counts } = await line.requestNow(request);
  expect(counts.unknown).toBe(reached);
  expect(counts.refused).toBeUndefined();
  expect(counts.ready).toBeGreaterThan(0);
  reply = { status: 201 };
  await line.pass(2 * MINUTE);
  // On a machine that is too busy to check the pause in time, the client withholds a command for good.
  const { accepted = 0, unknown = 0, not_sent: withheld = 0 } = (await line.requestNow(request)).counts;
  expect([unknown, accepted + withheld]).toEqual([reached, COUNT - reached]);
  expect(service.requests).toHaveLength(COUNT - withheld);
  expect(sentTwice(service.requests)).toBe(0);
  expect(await line.actions()).not.toContain('operation.refused');
});
