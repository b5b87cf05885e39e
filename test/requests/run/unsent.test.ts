/** Commands that certainly never left: their targets are ready again, and are sent later or end unsent, never refused. */
import { describe, expect, it } from 'vitest';
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { anError } from '../fleet-builders.ts';
import { createRequestsSetup, START } from '../requests-setup.ts';

const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;
const tag = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: [] } } } as const;
const refused: FleetError = anError('unreachable', null);
const REASONS: readonly (readonly [string, FleetError])[] = [
  ['the connection was refused', refused],
  [
    'the client held it back: the service fails',
    {
      ...anError('unreachable', null),
      kind: 'broken',
      held: { kind: 'breaker', failures: 5, retryInMs: 5_000 },
    },
  ],
  [
    'the client held it back: its own limit',
    { ...anError('timeout', null), kind: 'throttled', retryAfterMs: 5_000, held: { kind: 'limit' } },
  ],
  ['the service throttled it', { ...anError('timeout', 429), kind: 'throttled', retryAfterMs: 5_000 }],
];

const line = madePerTest(createRequestsSetup);

/** From now on nothing is sent. */
function block(error: FleetError = refused, retryAfterMs: number | null = null): void {
  Object.assign(line.fleet.world, { fate: 'unsent', unsentError: error, retryAfterMs });
}
const open = () => Object.assign(line.fleet.world, { fate: 'accept' });

describe('a command that never left', () => {
  it.each(REASONS)('is ready again when %s, and is sent once later', async (_what, error) => {
    block(error);
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'ready',
      endedAt: null,
      acceptedAt: null,
      nextAt: later(START, 2 * SECOND),
      evidence: [
        { kind: 'unsent', error: { kind: error.kind, status: error.status, held: error.held ?? null } },
      ],
    });
    expect(await line.requestNow({ id })).toMatchObject({ state: 'approved', counts: { ready: 1, open: 1 } });
    open();
    await line.pass(2 * SECOND - 1);
    expect(line.fleet.world.posts).toEqual([]);
    await line.pass(1);
    expect(line.fleet.world.posts).toEqual([scan]);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted', nextAt: expect.any(Number) });
    expect(await line.requestNow({ id })).toMatchObject({ state: 'running' });
    expect(await line.actions()).not.toContain('operation.refused');
  });

  it('waits as long as the limits require', async () => {
    block(refused, 40 * SECOND);
    const id = await line.start(scan);
    await line.settle();
    open();
    await line.pass(40 * SECOND - 1);
    expect(await line.targetOf(id)).toMatchObject({ state: 'ready' });
    await line.pass(1);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
  });

  it('waits for its own time, not for that of the other devices', async () => {
    const [first] = line.fleet.addDevices(1);
    line.fleet.hold((send) => async (id, command) => {
      const outcome = await send(id, command);
      return outcome.kind === 'unsent' && id === first ? { ...outcome, retryAfterMs: 40 * SECOND } : outcome;
    });
    block();
    const id = await line.start(scan, line.fleet.addDevices(1));
    await line.settle();
    open();
    await line.pass(40 * SECOND - 1);
    expect(line.fleet.world.postedTo).toEqual([1001]);
    await line.pass(1);
    expect(line.fleet.world.postedTo).toEqual([1001, 42]);
    expect(await line.requestNow({ id })).toMatchObject({ counts: { queued: 1, accepted: 1 } });
  });

  it('waits longer each time', async () => {
    block();
    const id = await line.start(scan);
    const pauses: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      await line.settle();
      const { nextAt } = await line.targetOf(id);
      pauses.push(((nextAt ?? 0) - line.clock.now()) / SECOND);
      await line.clock.advance((nextAt ?? 0) - line.clock.now());
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });

  it.each([scan, reboot])('ends unsent when it is too old: $kind', async (action) => {
    block();
    const request = action === scan ? { id: await line.start(scan) } : await line.ask(reboot);
    if (action === reboot) await line.approve(await line.requestNow(request));
    await line.pass(15 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_sent',
      nextAt: null,
      evidence: [{ kind: 'unsent', error: { kind: 'unreachable' } }],
    });
    const key = action === scan ? ('operation' as const) : ('approval' as const);
    expect(await line.store.cards.get(`told:${key}:${request.id}`)).toMatchObject({ channel: 'U_ALICE' });
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { not_sent: 1 } });
    open();
    await line.pass(15 * MINUTE);
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.actions()).not.toContain('operation.refused');
  });
});

describe('an approved request of which nothing was sent', () => {
  const approved = async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    block();
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({
      state: 'approved',
      counts: { ready: 1, open: 1 },
    });
    open();
    return request;
  };

  it('is sent when nothing changed', async () => {
    const request = await approved();
    await line.pass(2 * SECOND);
    expect(line.fleet.world.posts).toHaveLength(1);
    expect(await line.requestNow(request)).toMatchObject({ state: 'running', counts: { accepted: 1 } });
  });

  it('is checked against its seal again, and is returned when something changed', async () => {
    const request = await approved();
    line.fleet.change({ lastLoggedInUser: 'dave' });
    await line.pass(2 * SECOND);
    const returned = await line.requestNow(request);
    expect(returned).toMatchObject({
      state: 'waiting',
      decidedBy: null,
      note: {
        kind: 'drifted',
        subject: 'device',
        changes: [{ kind: 'changed', field: 'lastLoggedInUser' }],
      },
      counts: { ready: 1, open: 1 },
    });
    expect(returned.seal).not.toBe(request.seal);
    expect(line.fleet.world.posts).toEqual([]);
    await line.approve(returned);
    await line.settle();
    expect(line.fleet.world.posts).toHaveLength(1);
  });
});

describe('tags of several devices that never left', () => {
  it('are one call later', async () => {
    const request = await line.ask(tag, line.fleet.addDevices(2));
    await line.approve(request);
    block();
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({
      state: 'approved',
      counts: { ready: 3, open: 3 },
    });
    line.fleet.world.edits = [];
    open();
    await line.pass(2 * SECOND);
    expect(line.fleet.world.edits).toEqual(['tagDevices 3']);
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { verified: 3 } });
  });
});
