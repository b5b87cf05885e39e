/** Calls in a row that the service leaves without a clear answer: the real client and a real server. */
import { expect, it } from 'vitest';
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import type { Reply } from '../../fleet/scripted-server.ts';
import { anError } from '../fleet-builders.ts';
import { ALICE } from '../requests-setup.ts';
import { beginAtServer, createRolloutSetup, reboot, sentTwice } from './rollout-setup.ts';

const COUNT = 24;
const FIRST = 2;
/** In a row, and what is in flight beside the last of them. */
const MOST_LOST = 5 + 3;
const ACCEPTED: Reply = { status: 201 };
/** No brake is reached, whatever becomes of the devices. */
const PLAN = {
  waves: [{ kind: 'devices', devices: FIRST }],
  brake: { kind: 'devices', devices: COUNT },
} as const;

const begin = (reply: (index: number) => Reply) => beginAtServer(COUNT, PLAN, reply);

/** A page that is no answer counts as a refusal once the queue was found to have nothing. */
const unclear = ({ unknown = 0, refused = 0 }: RequestRecord['counts']) => unknown + refused;

it.each<[string, Reply]>([
  ['answers 500', { status: 500 }],
  ['cuts every answer', { cut: '{"id":', status: 201 }],
  ['drops every connection', 'drop'],
  ['answers with a page', { body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }],
])(
  'a service that %s holds the rollout after a few devices, until an approver resumes it',
  async (_what, bad) => {
    let reply: Reply = ACCEPTED;
    const { line, id, service, goOn } = await begin((index) => (index < FIRST ? ACCEPTED : reply));
    reply = bad;
    const held = await goOn(3);
    expect(held.rollout).toMatchObject({ wave: 1, hold: { kind: 'unanswered', sends: 5 } });
    const reached = service.requests.length;
    expect(reached).toBeGreaterThanOrEqual(FIRST + 5);
    expect(reached).toBeLessThanOrEqual(FIRST + MOST_LOST);
    expect(unclear(held.counts)).toBe(reached - FIRST);
    expect((await goOn(3)).rollout?.hold).toEqual(held.rollout?.hold);
    expect(service.requests).toHaveLength(reached);
    expect(await line.control(id, 'resume', ALICE, 'admin')).toMatchObject({
      refusal: { kind: 'own-request' },
    });
    expect(await line.control(id, 'resume')).toMatchObject({ kind: 'decided' });
    // Still so: the count begins again, and the next five hold it once more.
    expect((await goOn(2)).rollout?.hold).toMatchObject({ kind: 'unanswered', sends: 5 });
    const again = service.requests.length;
    expect(again).toBeGreaterThanOrEqual(reached + 5);
    expect(again).toBeLessThanOrEqual(reached + MOST_LOST);
    reply = ACCEPTED;
    await line.control(id, 'resume');
    const ended = await goOn(30);
    expect([ended.state, unclear(ended.counts)]).toEqual(['ended', again - FIRST]);
    expect(service.requests).toHaveLength(COUNT);
    expect(sentTwice(service.requests)).toBe(0);
    const told = (await line.actions()).filter((action) => action.startsWith('rollout.'));
    expect(told).toEqual([
      'rollout.wave-ended',
      ...(['rollout.unanswered', 'rollout.resumed', 'rollout.unanswered', 'rollout.resumed'] as const),
    ]);
  },
);

it('single answers that are lost between others hold nothing', async () => {
  const { line, service, goOn } = await begin((index) => (index % 4 === 3 ? { status: 500 } : ACCEPTED));
  const { state, counts } = await goOn(40);
  expect(state).toBe('ended');
  expect(counts.unknown).toBe(COUNT / 4);
  expect(service.requests).toHaveLength(COUNT);
  expect(sentTwice(service.requests)).toBe(0);
  expect(await line.actions()).not.toContain('rollout.unanswered');
});

it.each<[string, FleetError]>([
  ['throttles', { ...anError('broken', 429), kind: 'throttled', retryAfterMs: MINUTE }],
  ['cannot be reached', anError('unreachable', null)],
])('a service that %s holds nothing: what it certainly did not take is sent again', async (_what, error) => {
  const line = await createRolloutSetup();
  const { id, devices } = await line.begin(COUNT, { waves: [] }, reboot);
  Object.assign(line.fleet.world, { fate: 'unsent', unsentError: error });
  await line.pass(10 * MINUTE);
  expect(await line.requestNow({ id })).toMatchObject({
    rollout: { hold: null, unanswered: 0 },
    counts: { ready: COUNT },
  });
  line.fleet.world.fate = 'accept';
  await line.pass(5 * MINUTE);
  expect(line.posted().toSorted()).toEqual(devices.toSorted());
});
