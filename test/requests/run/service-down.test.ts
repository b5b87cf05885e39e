/** A request for many devices while the service is down, with the real client against a server on loopback. */
import { afterEach, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import { fleetAt } from '../../fleet/harness.ts';
import { type Reply, scriptedServer } from '../../fleet/scripted-server.ts';
import { ORGANIZATION } from '../fleet-builders.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const COUNT = 40;
/** Failures that open the circuit breaker, and the calls that are in flight beside the last of them. */
const MOST_UNKNOWN = 8 + 3;

let line: RequestsSetup;
afterEach(() => line.close());

it('leaves few unknown and refuses none; the others are sent once when the service is back', async () => {
  let reply: Reply = { status: 503 };
  const service = await scriptedServer(() => reply);
  line = await createRequestsSetup({
    writer: (_simulated, clock) => fleetAt(service.url, { clock, organizationId: ORGANIZATION }).writer,
  });
  const request = await line.ask({ kind: 'reboot' }, line.fleet.addDevices(COUNT - 1));
  await line.approve(request);
  await line.settle();
  const reached = service.requests.length;
  expect(reached).toBeGreaterThan(0);
  expect(reached).toBeLessThanOrEqual(MOST_UNKNOWN);
  expect((await line.requestNow(request)).counts).toEqual({
    unknown: reached,
    ready: COUNT - reached,
    open: COUNT,
  });
  reply = { status: 201 };
  await line.pass(2 * MINUTE);
  expect((await line.requestNow(request)).counts).toMatchObject({ accepted: COUNT - reached });
  const devices = service.requests.map(({ path }) => path);
  expect(devices).toHaveLength(COUNT);
  expect(new Set(devices).size).toBe(COUNT);
  expect(await line.actions()).not.toContain('operation.refused');
});
