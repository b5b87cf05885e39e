import { describe, expect, it } from 'vitest';
import { DAY, type Instant, later, MINUTE, SECOND } from '../../src/clock.ts';
import type { Device, FleetCommand, FleetEvent, Package, QueueEntry } from '../../src/fleet/model.ts';
import { deviceId, eventId, policyId, queueEntryId } from '../../src/ids.ts';
import { judge, type Sight } from '../../src/operations/proof.ts';
import type { Before, TargetRecord } from '../../src/store/records.ts';
import { aTarget, EARLIER, SENT } from './builders.ts';
import { aDevice, anEvent, aPackage } from './simulated-fleet.ts';

const TYPES = {
  scan: 'GetOS',
  reboot: 'Reboot',
  'patch-all': 'InstallAllUpdates',
  patch: 'InstallUpdate',
} as const;

function entry(id: number, change: Partial<QueueEntry> & { readonly of: FleetCommand }): QueueEntry {
  const { of, ...more } = change;
  const args = of.kind === 'patch' ? of.packages.join(' ') : '';
  const head = { id: queueEntryId(id), type: TYPES[of.kind], args, policyId: policyId(0), execTime: null };
  return { ...head, response: null, responseTime: null, ...more };
}

type Scene = {
  readonly command: FleetCommand;
  readonly target?: Partial<TargetRecord>;
  readonly before?: Partial<Before>;
  readonly device?: Partial<Device> | null;
  readonly queue?: readonly QueueEntry[];
  readonly packages?: readonly Package[] | null;
  readonly events?: readonly FleetEvent[];
  readonly after?: number;
};

const AT = (ms: number): Instant => later(SENT, ms);

function sight({ command, device = {}, after = MINUTE, ...scene }: Scene): Sight {
  const unchanged = { lastRefreshTime: EARLIER, lastDisconnectTime: EARLIER };
  return {
    command,
    target: aTarget(scene.target, scene.before),
    queue: scene.queue ?? [],
    device: device === null ? null : aDevice({ ...unchanged, ...device }),
    packages: scene.packages ?? null,
    events: scene.events ?? [],
    now: AT(after),
  };
}

/** The target after one look, and that a second look at the same world finds nothing new. */
function seen(scene: Scene): TargetRecord {
  const first = sight(scene);
  const verdict = judge(first);
  const target = verdict.kind === 'move' ? verdict.next : first.target;
  expect(judge({ ...first, target })).toEqual({ kind: 'same' });
  return target;
}

const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;
const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;
const patchAll = { kind: 'patch-all' } as const;
const queued = { state: 'queued', queueEntryId: queueEntryId(501), queuedAt: SENT } as const;
const answered = { ...queued, state: 'answered', answeredAt: SENT, response: 'ok' } as const;
const unknown = { state: 'unknown', acceptedAt: null, evidence: 'The answer was lost.' } as const;
const rebooted = { lastDisconnectTime: AT(20 * SECOND), connected: true };
const waiting = entry(501, { of: reboot });

describe('where a command stands in the queue', () => {
  it.each<readonly [string, Scene, Partial<TargetRecord>]>([
    [
      'accepted and not seen yet: still accepted',
      { command: reboot },
      { state: 'accepted', evidence: expect.stringContaining('not seen in the device’s queue') },
    ],
    [
      'a new entry that waits: queued',
      { command: reboot, queue: [waiting] },
      {
        state: 'queued',
        queueEntryId: queueEntryId(501),
        evidence: 'It is in the device’s queue (entry 501).',
      },
    ],
    [
      'an entry that was there before: not ours',
      { command: reboot, queue: [waiting], before: { queueIds: [queueEntryId(501)] } },
      { state: 'accepted', queueEntryId: null },
    ],
    [
      'offline: waits for the device',
      { command: reboot, queue: [waiting], device: { connected: false } },
      {
        state: 'queued',
        evidence:
          'It is in the device’s queue (entry 501); the device is offline since 2026-06-05 03:00 UTC, and it will run when the device returns.',
        deadlineAt: AT(7 * DAY),
      },
    ],
    [
      'two new entries: not told apart',
      { command: reboot, queue: [waiting, entry(502, { of: reboot })] },
      {
        state: 'accepted',
        queueEntryId: null,
        evidence: 'The device’s queue has 2 new entries of this command; which one is ours cannot be told.',
      },
    ],
    [
      'lost answer, one new entry: queued, and says so',
      { command: reboot, target: unknown, queue: [waiting] },
      {
        state: 'queued',
        acceptedAt: null,
        evidence: 'The answer to the command was lost, but it is in the device’s queue (entry 501).',
      },
    ],
    [
      'lost answer, two new entries: unknown, and says why',
      { command: reboot, target: unknown, queue: [waiting, entry(502, { of: reboot })] },
      { state: 'unknown', evidence: expect.stringContaining('cannot be told') },
    ],
    [
      'lost answer, no entry: unknown as before',
      { command: reboot, target: unknown },
      { ...unknown, endedAt: null },
    ],
    [
      'an answer: answered, with its words cut',
      { command: reboot, target: queued, queue: [entry(501, { of: reboot, response: 'x'.repeat(500) })] },
      { state: 'answered', response: `${'x'.repeat(299)}…` },
    ],
    [
      'an empty answer is an answer',
      { command: reboot, target: queued, queue: [entry(501, { of: reboot, response: '' })] },
      { state: 'answered', response: '', evidence: expect.stringContaining('answered without words') },
    ],
    [
      'left the queue: answered as far as we saw',
      { command: reboot, target: queued },
      { state: 'answered', response: null, evidence: expect.stringContaining('no answer was seen') },
    ],
    [
      'an answered one that left keeps its answer',
      { command: reboot, target: answered },
      { state: 'answered', response: 'ok', evidence: expect.stringContaining('answered: “ok”') },
    ],
    [
      'a fast device: straight from accepted to answered',
      { command: reboot, queue: [entry(501, { of: reboot, response: 'ok' })] },
      { state: 'answered', queueEntryId: queueEntryId(501), queuedAt: AT(MINUTE), answeredAt: AT(MINUTE) },
    ],
  ])('%s', (_what, scene, expected) => {
    expect(seen(scene)).toMatchObject(expected);
  });
});

describe('the proof of a reboot', () => {
  it.each<readonly [string, Scene, string]>([
    ['a new disconnect and return', { command: reboot, target: answered, device: rebooted }, 'verified'],
    ['the same before we ever saw it queued', { command: reboot, device: rebooted }, 'verified'],
    [
      'a first disconnect ever',
      { command: reboot, target: answered, before: { lastDisconnectTime: null }, device: rebooted },
      'verified',
    ],
    [
      'a new disconnect, not back yet',
      { command: reboot, target: answered, device: { ...rebooted, connected: false } },
      'answered',
    ],
    [
      'a new disconnect, nobody says whether it is back',
      { command: reboot, target: answered, device: { ...rebooted, connected: null } },
      'answered',
    ],
    [
      'an uptime that fell with a newer refresh',
      { command: reboot, target: answered, device: { uptime: 3, lastRefreshTime: AT(MINUTE) } },
      'verified',
    ],
    [
      'an uptime that fell, of an old refresh',
      { command: reboot, target: answered, device: { uptime: 3 } },
      'answered',
    ],
    [
      'an uptime that grew',
      { command: reboot, target: answered, device: { uptime: 5001, lastRefreshTime: AT(MINUTE) } },
      'answered',
    ],
    [
      'an uptime of zero is an uptime',
      { command: reboot, target: answered, device: { uptime: 0, lastRefreshTime: AT(MINUTE) } },
      'verified',
    ],
    [
      'a cleared flag alone',
      { command: reboot, target: answered, device: { needsReboot: false } },
      'answered',
    ],
    [
      'a disconnect and return while the command still waits',
      { command: reboot, target: queued, queue: [waiting], device: rebooted },
      'queued',
    ],
    [
      'a fallen uptime while the command still waits',
      {
        command: reboot,
        target: queued,
        queue: [waiting],
        device: { uptime: 3, lastRefreshTime: AT(MINUTE) },
      },
      'queued',
    ],
    [
      'a disconnect and return after a lost answer',
      { command: reboot, target: unknown, device: rebooted },
      'unknown',
    ],
  ])('%s', (_what, scene, state) => {
    expect(seen(scene).state).toBe(state);
  });

  it('names the time, and the cleared flag as support', () => {
    const scene = { command: reboot, target: answered, device: { ...rebooted, needsReboot: false } };
    expect(seen(scene).evidence).toBe(
      'The device disconnected at 2026-06-05 04:00 UTC and is connected again; it no longer needs a reboot.',
    );
  });

  it('after a lost answer needs the uptime, and says that nobody confirmed the command', () => {
    const device = { uptime: 3, lastRefreshTime: AT(MINUTE), needsReboot: true };
    expect(seen({ command: reboot, target: unknown, device })).toMatchObject({
      state: 'verified',
      evidence: 'The service never confirmed the command. The uptime of the device fell.',
    });
  });
});

describe('the proof of a scan', () => {
  it.each<readonly [string, Scene, string]>([
    ['a newer refresh', { command: scan, target: answered, device: { lastRefreshTime: AT(1) } }, 'verified'],
    [
      'a first refresh ever',
      {
        command: scan,
        target: answered,
        before: { lastRefreshTime: null },
        device: { lastRefreshTime: AT(1) },
      },
      'verified',
    ],
    ['the same refresh', { command: scan, target: answered }, 'answered'],
    [
      'no refresh time any more',
      { command: scan, target: answered, device: { lastRefreshTime: null } },
      'answered',
    ],
    [
      'a newer refresh while the command still waits',
      {
        command: scan,
        target: queued,
        queue: [entry(501, { of: scan })],
        device: { lastRefreshTime: AT(1) },
      },
      'queued',
    ],
  ])('%s', (_what, scene, state) => {
    expect(seen(scene).state).toBe(state);
  });
});

describe('the proof of an installation', () => {
  const both = [aPackage('curl', { installed: true }), aPackage('openssl', { installed: true })];
  const one = [aPackage('curl', { installed: true }), aPackage('openssl')];
  const mention = (name: string) => ({ name, version: null, displayName: null });
  const failed = anEvent({
    id: eventId(9),
    createTime: AT(SECOND),
    patches: [mention('openssl')],
    failure: 'disk full',
  });
  const base = { command: patch, target: answered };
  const applied = { ...failed, name: 'system.patch.applied' };

  it.each<readonly [string, Scene, string]>([
    ['every package is installed', { ...base, packages: both }, 'verified'],
    ['one is not', { ...base, packages: one }, 'answered'],
    ['one is not listed', { ...base, packages: [aPackage('curl', { installed: true })] }, 'answered'],
    [
      'a newer version is missing beside the old one',
      { ...base, packages: [...both, aPackage('curl')] },
      'answered',
    ],
    ['the packages were not read', { ...base, packages: null }, 'answered'],
    ['a patch event names the rest', { ...base, packages: one, events: [applied] }, 'verified'],
    ['it failed', { ...base, packages: one, events: [failed] }, 'not_verified'],
    [
      'a failure without a package',
      { ...base, packages: one, events: [{ ...failed, patches: [] }] },
      'not_verified',
    ],
    [
      'a failure of another package',
      { ...base, packages: one, events: [{ ...failed, patches: [mention('x')] }] },
      'answered',
    ],
    ['a failure of what is installed', { ...base, packages: both, events: [failed] }, 'verified'],
    [
      'a failure before the command',
      { ...base, packages: one, events: [{ ...failed, createTime: AT(-1) }] },
      'answered',
    ],
    [
      'a failure at an unknown time',
      { ...base, packages: one, events: [{ ...failed, createTime: null }] },
      'answered',
    ],
    [
      'a failure on another device',
      { ...base, packages: one, events: [{ ...failed, deviceId: deviceId(1) }] },
      'answered',
    ],
    [
      'a failure after a lost answer, which may belong to another installation',
      { command: patch, target: unknown, packages: one, events: [failed] },
      'unknown',
    ],
    [
      'all that was missing is installed',
      { command: patchAll, target: answered, before: { missing: ['curl', 'openssl'] }, packages: both },
      'verified',
    ],
    [
      'what came up later does not count',
      {
        command: patchAll,
        target: answered,
        before: { missing: ['curl'] },
        packages: [...both, aPackage('zlib')],
      },
      'verified',
    ],
  ])('%s', (_what, scene, state) => {
    expect(seen(scene).state).toBe(state);
  });

  it('quotes the agent, cut, and counts what is installed', () => {
    const events = [{ ...failed, failure: `E: ${'y'.repeat(900)}` }];
    expect(seen({ ...base, packages: one, events }).evidence).toBe(
      `The service reported that openssl failed to install: “E: ${'y'.repeat(296)}…”. 1 of 2 packages are installed.`,
    );
  });

  it('takes the newest of several failures, by id', () => {
    const events = [
      failed,
      { ...failed, id: eventId(10), failure: 'no space' },
      { ...failed, id: eventId(8) },
    ];
    expect(seen({ ...base, packages: one, events }).evidence).toContain('no space');
  });

  it('says what is not installed yet', () => {
    expect(seen({ ...base, packages: one }).evidence).toBe(
      'The device answered: “ok”. Not installed yet: openssl.',
    );
  });
});

describe('the end of following', () => {
  const late = 30 * MINUTE;
  it.each<readonly [string, Scene, Partial<TargetRecord>]>([
    [
      'never seen in the queue and nothing shows',
      { command: scan, after: late },
      {
        state: 'not_verified',
        evidence:
          'The service accepted the command; it is not seen in the device’s queue. Nothing proves its effect. Its refresh time is still 2026-06-05 03:00 UTC.',
      },
    ],
    [
      'answered and nothing shows',
      { command: reboot, target: answered, after: late },
      {
        state: 'not_verified',
        evidence:
          'The device answered: “ok”. Nothing proves its effect. No disconnect and return was seen, and its uptime did not fall.',
      },
    ],
    [
      'still in the queue of an online device',
      { command: reboot, target: queued, queue: [waiting], after: late },
      {
        state: 'not_verified',
        evidence:
          'Still in the device’s queue when we stopped looking. A queued command cannot be cancelled, so it may still run.',
      },
    ],
    [
      'lost and never found',
      { command: reboot, target: unknown, after: late },
      {
        state: 'unknown',
        evidence: expect.stringMatching(/^It is not known whether .* It was not sent again\.$/),
      },
    ],
    [
      'the device is gone from the service',
      { command: reboot, target: queued, device: null },
      { state: 'not_verified', evidence: expect.stringContaining('does not know the device any more') },
    ],
    [
      'the same after a lost answer',
      { command: reboot, target: unknown, device: null },
      { state: 'unknown' },
    ],
  ])('%s', (_what, scene, expected) => {
    const target = seen(scene);
    expect(target).toMatchObject(expected);
    expect(target.endedAt).toBe(AT(scene.after ?? MINUTE));
  });

  it('comes after a week for an offline device, and says since when it is offline', () => {
    const scene = { command: reboot, target: queued, queue: [waiting], device: { connected: false } };
    expect(seen({ ...scene, after: 7 * DAY - 1 }).endedAt).toBeNull();
    expect(seen({ ...scene, after: 7 * DAY })).toMatchObject({
      state: 'not_verified',
      evidence: expect.stringContaining('the device is offline since 2026-06-05 03:00 UTC'),
    });
  });

  it('does not come to a proof that is there at the last moment', () => {
    expect(seen({ command: reboot, target: answered, device: rebooted, after: late }).state).toBe('verified');
  });

  it('gives a command that is found at the last moment its full time', () => {
    const scene = { command: reboot, target: unknown, queue: [waiting], device: { connected: false } };
    expect(seen({ ...scene, after: late })).toMatchObject({ state: 'queued', deadlineAt: AT(7 * DAY) });
  });

  it.each(['verified', 'not_verified', 'refused', 'ready', 'issuing'] as const)(
    'nothing moves a %s target',
    (state) => {
      const endedAt = state === 'ready' || state === 'issuing' ? null : SENT;
      expect(
        judge(sight({ command: reboot, target: { state, endedAt }, device: rebooted, queue: [waiting] })),
      ).toEqual({
        kind: 'same',
      });
    },
  );
});
