import { describe, expect, it } from 'vitest';
import { createManualClock, HOUR, later, MINUTE, SECOND, yieldToEventLoop } from '../../../src/lib/clock.ts';
import { groupId, organizationId, personId, policyId } from '../../../src/lib/ids.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createRecordResults } from '../../../src/requests/run/claim-and-send.ts';
import { endEach } from '../../../src/requests/run/ledger.ts';
import { isReadDue, MAX_PAGES_IN_WAVE } from '../../../src/requests/run/wave-readings.ts';
import type { TargetMove } from '../../../src/store/port/request-records.ts';
import { aPolicy } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { aRequest, aTarget } from '../builders.ts';
import { anError, aPackage } from '../fleet-builders.ts';
import {
  BOB,
  createRequestsSetup,
  pauseSwitchOf,
  type RequestsSetup,
  reboot,
  START,
  scan,
} from '../requests-setup.ts';

const line = madePerTest(createRequestsSetup);

const down = anError('unreachable', null);

describe('what was approved is what runs', () => {
  it.each([
    [
      'went offline',
      () => line.fleet.change({ connected: false }),
      { field: 'connected', was: true, now: false },
    ],
    [
      'moved',
      () => line.fleet.change({ groupId: groupId(10) }),
      { field: 'groupId', was: 'Servers (#9)', now: 'Servers (#10)' },
    ],
    [
      'has somebody else on it',
      () => line.fleet.change({ lastLoggedInUser: 'dave' }),
      { field: 'lastLoggedInUser', was: null, now: null },
    ],
  ])('a device that %s goes back to the approver, and nothing is sent', async (_what, change, drift) => {
    const before = await line.approved({ kind: 'reboot' }, change);
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', decidedBy: null, startedAt: null, approvedBy: BOB });
    expect(after.note).toMatchObject({ kind: 'drifted', subject: 'device', changes: [drift], more: 0 });
    expect(after.seal).not.toBe(before.seal);
    expect(line.world.posts).toEqual([]);
  });

  it('the old card cannot approve the new facts, the new card can', async () => {
    const before = await line.approved({ kind: 'reboot' }, () => line.fleet.change({ connected: false }));
    expect(await line.approve(before)).toEqual({ kind: 'refused', refusal: { kind: 'stale-card' } });
    expect(await line.approve(await line.requestNow(before))).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.world.posts).toEqual([reboot]);
  });

  it('a returned request has thirty minutes of its own', async () => {
    const request = await line.ask(reboot);
    line.fleet.change({ connected: false });
    await line.pass(29 * MINUTE);
    await line.approve(request);
    await line.pass(29 * MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting' });
    await line.pass(MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'expired' });
  });

  it('a package that is no longer missing goes back for a patch', async () => {
    const request = await line.ask({ kind: 'patch', packages: ['curl', 'openssl'] });
    line.fleet.install('curl');
    await line.approve(request);
    await line.settle();
    const after = await line.requestNow(request);
    expect(after.note).toMatchObject({ changes: [{ field: 'packages', added: [], removed: ['curl'] }] });
    const facts = { packages: [{ name: 'openssl' }] };
    expect(await line.targetFor(after)).toMatchObject({ state: 'ready', facts });
  });

  it('a policy that would run something else goes back for a remediation', async () => {
    const policy = aPolicy({ id: policyId(12), type: 'custom', digest: 'decade' });
    line.fleet.change({ policies: [policy] });
    const before = await line.ask({ kind: 'policy-remediate', policyId: policy.id });
    line.fleet.change({ policies: [{ ...policy, digest: 'c0ffee' }] });
    await line.approve(before);
    await line.settle();
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', decidedBy: null, startedAt: null });
    const changes = [{ field: 'policy.digest', name: 'Apply All Patches (#12)' }];
    expect(after.note).toMatchObject({ subject: 'device-or-policy', changes });
    expect(after.seal).not.toBe(before.seal);
    expect(line.world.posts).toEqual([]);
  });

  it('another missing package matters for a full patch and not for a named one', async () => {
    const [all, one] = [
      await line.ask({ kind: 'patch-all' }),
      await line.ask({ kind: 'patch', packages: ['curl'] }),
    ];
    line.world.packages = [...line.world.packages, aPackage('zlib')];
    await line.approve(all);
    await line.approve(one);
    await line.settle();
    expect(await line.requestNow(all)).toMatchObject({ state: 'waiting' });
    expect(line.world.posts).toEqual([{ kind: 'patch', packages: ['curl'] }]);
  });

  it.each([
    ['is gone', () => Object.assign(line.world, { device: null })],
    ['belongs to another organization', () => line.fleet.change({ organizationId: organizationId(1) })],
  ])('a device that %s leaves nothing to ask', async (_what, change) => {
    const after = await line.requestNow(await line.approved({ kind: 'reboot' }, change));
    expect(after).toMatchObject({ state: 'ended', decidedBy: BOB, note: null, startedAt: null });
    const expected = { channel: after.requesterId };
    expect(await line.store.cards.get(`told:approval:${after.id}`)).toMatchObject(expected);
    const evidence = [{ kind: 'gone', thing: 'device' }];
    expect(await line.targetsOf(after.id)).toMatchObject([{ state: 'not_sent', evidence }]);
    expect(line.world.posts).toEqual([]);
  });

  it('a returned request ends unsent when another one waits for the same', async () => {
    const first = await line.ask(reboot);
    await line.approve(first);
    line.fleet.change({ connected: false });
    const second = await line.ask(reboot);
    await line.settle();
    expect(await line.requestNow(second)).toMatchObject({ state: 'waiting' });
    const after = await line.requestNow(first);
    expect(after).toMatchObject({ state: 'ended', decidedBy: BOB });
    const evidence = [{ kind: 'drifted', changes: [{ field: 'connected' }] }, { kind: 'request-waiting' }];
    expect(await line.targetsOf(after.id)).toMatchObject([{ state: 'not_sent', evidence }]);
  });
});

describe('a service that cannot be read before sending', () => {
  it('is tried again, and the command is sent once when it returns', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    line.world.readError = down;
    await line.pass(MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'approved', startedAt: null });
    const evidence = [{ kind: 'not-read-yet', error: { kind: 'unreachable' } }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'ready', evidence });
    line.world.readError = null;
    await line.pass(MINUTE);
    expect(line.world.posts).toEqual([reboot]);
    expect((await line.targetFor(request)).evidence).not.toMatchObject([{ kind: 'not-read-yet' }]);
  });

  it('ends the request when it is too late, and says that nothing was sent', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    line.world.readError = down;
    await line.pass(15 * MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended' });
    const evidence = [{ kind: 'unread', error: { kind: 'unreachable' } }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', evidence });
    line.world.readError = null;
    await line.pass(MINUTE);
    expect(line.world.posts).toEqual([]);
  });

  it('is called no sooner than it allows', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    const error = { ...anError('timeout', 429), kind: 'throttled', retryAfterMs: 90 * SECOND } as const;
    line.world.readError = error;
    await line.settle();
    const { length } = line.world.reads;
    await line.pass(89 * SECOND);
    expect(line.world.reads).toHaveLength(length);
    await line.pass(SECOND);
    expect(line.world.reads.length).toBeGreaterThan(length);
  });
});

describe('a request that runs', () => {
  it('stores the baseline, and ends with its last target', async () => {
    line.fleet.enqueue({ kind: 'scan' });
    const request = await line.approved({ kind: 'reboot' });
    expect(await line.requestNow(request)).toMatchObject({
      state: 'running',
      startedAt: line.clock.now(),
      endedAt: null,
      counts: { accepted: 1, open: 1 },
    });
    const expected = { before: { connected: true, uptime: 5000, queueIds: [501] } };
    expect(await line.targetFor(request)).toMatchObject(expected);
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(MINUTE);
    const ended = await line.requestNow(request);
    expect(ended).toMatchObject({ state: 'ended', counts: { verified: 1 } });
    expect(ended.counts).not.toHaveProperty('open');
    expect(ended.endedAt).toBe((await line.targetFor(request)).endedAt);
  });

  it('has no start when nothing was claimed', async () => {
    const id = await line.start({ kind: 'scan' });
    line.world.readError = down;
    await line.pass(15 * MINUTE);
    const request = await line.requestNow({ id });
    expect(request).toMatchObject({ state: 'ended', startedAt: null, counts: { not_sent: 1 } });
  });

  it('says once on its card that the service cannot be read, however often it is tried', async () => {
    const id = await line.start({ kind: 'scan' });
    line.world.readError = down;
    await line.pass(MINUTE);
    expect(line.world.reads.length).toBeGreaterThan(3);
    expect(await line.store.cards.get(`operation:${id}`)).toMatchObject({ wantedRevision: 2 });
  });

  it('says so also on the card of what was approved', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    line.world.readError = down;
    const revision = async () => (await line.store.cards.get(`approval:${request.id}`))?.wantedRevision ?? 0;
    const before = await revision();
    await line.pass(MINUTE);
    expect(line.world.reads.length).toBeGreaterThan(3);
    expect(await revision()).toBe(before + 1);
  });
});

it('the targets of a large request end 500 at a time, so that nothing else waits for all of them', async () => {
  const written: (readonly TargetMove[])[] = [];
  const recordMoves = async (_: unknown, moves: readonly TargetMove[]) => {
    written.push(moves);
    return moves.map(({ next }) => next);
  };
  const ready = Array.from({ length: 1001 }, (_, position) => aTarget({ position, state: 'ready' }));
  const ends = ready.map((target) => ({ target, why: { kind: 'delayed' } as const }));
  await endEach({ recordMoves, clock: createManualClock(START) }, aRequest(), ends);
  expect(written.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(written.flat().map(({ next }) => next.position)).toEqual(ready.map(({ position }) => position));
  for (const { next } of written.flat()) expect(next).toMatchObject({ state: 'not_sent', endedAt: START });
});

const last = { readAt: START, from: 0, keptTo: 5_000 };
/** 700 devices a minute to a fleet of 20 pages, which are read in two minutes at the slowest. */
const dueAfter = (minutes: number, change: Partial<Parameters<typeof isReadDue>[1]> = {}) =>
  isReadDue(last, {
    ...{ now: later(START, minutes * MINUTE), position: 700 * minutes, to: 10_000, pages: 20 },
    ...change,
  });

describe('the pages of a wave are read again', () => {
  it.each([
    ['not at once', dueAfter(0), false],
    ['not while enough devices are kept', dueAfter(5), false],
    ['before the last one that is kept is sent', dueAfter(5.2), true],
    ['once none is kept', dueAfter(8), true],
    ['before they are ten minutes old, at a slow pace', dueAfter(8.5, { position: 100 }), true],
    ['not long before that', dueAfter(7.5, { position: 100 }), false],
    ['once they are ten minutes old, where nothing was sent', dueAfter(10, { position: 0 }), true],
    ['not where nothing was sent, and they are not old', dueAfter(8, { position: 0 }), false],
    ['not for fewer devices than pages', dueAfter(5.2, { to: 5_020 }), false],
    ['for more devices than pages', dueAfter(5.2, { to: 5_021 }), true],
    ['with as many pages as are read in time', dueAfter(5.2, { pages: MAX_PAGES_IN_WAVE }), true],
    ['not with more', dueAfter(5.2, { pages: MAX_PAGES_IN_WAVE + 1 }), false],
  ])('%s', (_when, isDue, expected) => {
    expect(isDue).toBe(expected);
  });
});

describe('the log of what was sent', () => {
  let line: RequestsSetup;

  it('an edit that was claimed and is not sent is no line of the log', async () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
    const steps: string[] = [];
    line = await createRequestsSetup({
      log: createLog({ level: 'info', destination }),
      onFailpoint: async (name) => {
        steps.push(name);
        if (name === 'target.claimed') await line.clock.advance(HOUR);
      },
    });
    const id = await line.start({ kind: 'device-edit', change: { customName: 'front' } });
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent' });
    expect(lines.filter(({ event }) => event === 'operation.sent')).toEqual([]);
    expect(steps).toEqual(['request.recorded', 'target.claimed']);
  });

  it.each([
    ['accept', 'accepted'],
    ['lost-after', 'unknown'],
  ] as const)('each command that was sent is one line of the log: %s', async (fate, outcome) => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
    line = await createRequestsSetup({ log: createLog({ level: 'info', destination }) });
    line.world.fate = fate;
    const request = await line.approved({ kind: 'reboot' });
    expect(lines.filter(({ event }) => event === 'operation.sent')).toMatchObject([
      { request: request.id, command: 'reboot', device: 42, outcome, ms: expect.any(Number) },
    ]);
    expect(JSON.stringify(lines)).not.toContain('web-01');
  });
});

describe('the record of a result', () => {
  /** A ledger that fails until `at` of the clock, and the times of its tries. */
  function failingUntil(at: number) {
    const clock = createManualClock(START);
    const tries: number[] = [];
    const recordResults = createRecordResults({
      clock,
      recordMoves: async (_, moves) => {
        tries.push(clock.now() - START);
        if (clock.now() - START < at) throw new Error('connection terminated');
        return moves.map(({ next }) => next);
      },
    });
    const recorded = recordResults(aRequest(), [aTarget()]);
    return { clock, tries, recorded };
  }
  const pass = async (clock: ReturnType<typeof createManualClock>) => {
    for (let quarters = 0; quarters < 60; quarters += 1) {
      await yieldToEventLoop();
      await clock.advance(SECOND / 4);
    }
    await yieldToEventLoop();
  };

  it('is tried again until the database answers', async () => {
    const { clock, tries, recorded } = failingUntil(7 * SECOND);
    await pass(clock);
    await recorded;
    expect(tries).toEqual([0, 0, 250, 750, 1750, 3750, 7750]);
  });

  it('is given up after some seconds, with the error', async () => {
    const { clock, tries, recorded } = failingUntil(MINUTE);
    const ended = expect(recorded).rejects.toThrow('connection terminated');
    await pass(clock);
    await ended;
    expect(tries).toEqual([0, 0, 250, 750, 1750, 3750, 7750, 11750]);
  });
});

describe('the next run', () => {
  let line: RequestsSetup;

  describe('a command that never left, after the clock was set back by two hours', () => {
    it('is claimed once, and its request is not due again at once', async () => {
      line = await createRequestsSetup();
      await line.clock.advance(2 * HOUR);
      line.world.fate = 'unsent';
      const id = await line.start(scan);
      await line.settle();
      line.world.fate = 'accept';
      const clock = createManualClock(later(START, MINUTE));
      const process = line.replica({ clock });
      const { work } = line.store;
      let runs = 0;
      for (; runs < 5; runs += 1) {
        const [run] = await work.claim({ now: clock.now(), leaseMs: MINUTE, limit: 1, kinds: ['run'] });
        if (run === undefined) break;
        const result = await process.run(run);
        if (result.kind === 'done') await work.finish(run);
        else await work.postpone(run, result.dueAt);
      }
      clock.stop();
      expect(runs).toBe(1);
      expect(line.world.posts).toEqual([scan]);
      expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
    });
  });

  describe('devices that may be sent to now', () => {
    it('do not wait for the first one, whose limits require it', async () => {
      let isStopping = false;
      line = await createRequestsSetup({ isStopping: () => isStopping });
      const devices = line.fleet.addDevices(19);
      const [first] = devices;
      const { world } = line.fleet;
      line.fleet.hold((send) => async (device, command) => {
        const error = world.unsentError;
        if (device === first) return { kind: 'unsent', error, retryAfterMs: 5 * MINUTE };
        isStopping ||= world.posts.length === 3;
        return send(device, command);
      });
      await line.start(scan, devices);
      await line.settle();
      expect(world.posts.length).toBeLessThan(devices.length - 1);
      isStopping = false;
      await line.pass(SECOND);
      expect(world.postedTo.toSorted((a, b) => a - b)).toEqual(devices.slice(1));
    });
  });
});

const CAROL = personId('U_CAROL');
const PAUSED = [{ kind: 'paused', since: START, endedAt: null, reason: 'an incident' }];

const pause = madePerTest(() => {
  return pauseSwitchOf(line);
});

describe('a command that the client withheld at the last moment', () => {
  const withheld = () => line.fleet.hold(() => async () => ({ kind: 'withheld' }));

  it('ends unsent, with the pause as evidence', async () => {
    line.fleet.hold(() => async () => {
      await pause.begin(CAROL, 'an incident');
      return { kind: 'withheld' };
    });
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: PAUSED });
  });

  it('is ready again when nothing is paused, says why, and is sent later', async () => {
    withheld();
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'ready',
      endedAt: null,
      nextAt: later(START, 2 * SECOND),
      evidence: [{ kind: 'pause-unread' }],
    });
    line.fleet.hold(() => async () => ({ kind: 'accepted' }));
    await line.pass(2 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
  });

  it('ends unsent when that lasts until it is too late', async () => {
    withheld();
    const id = await line.start(scan);
    await line.pass(15 * MINUTE);
    const evidence = [{ kind: 'pause-unread' }];
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence });
  });
});
