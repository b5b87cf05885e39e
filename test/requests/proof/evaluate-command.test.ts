import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { eventId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { compareVersions } from '../../../src/lib/text.ts';
import { entriesPossiblyOurs } from '../../../src/requests/proof/evaluate-command.ts';
import { saysGone } from '../../../src/store/port/evidence.ts';
import type { Baseline, RequestTarget } from '../../../src/store/port/request-records.ts';
import { aQueueEntry, aResponse } from '../../harness/builders.ts';
import { aFact, aTarget, EARLIER, SENT } from '../builders.ts';
import { anEvent, aPackage } from '../fleet-builders.ts';
import {
  answered,
  at,
  deviceObservation,
  entry,
  evaluated,
  observation,
  patch,
  patchAll,
  policyTest,
  queued,
  reboot,
  rebooted,
  type Scene,
  scan,
  seen,
  unknown,
  waiting,
} from './scenes.ts';

const WAITING = { kind: 'queued', entry: 501, answerLost: false, offline: null } as const;
const NOT_RESTARTED = { kind: 'not-restarted', uptimeDropped: false } as const;

describe('where a command stands in the queue', () => {
  const two = [waiting, entry(502, { of: reboot })];
  const ambiguous = (answerLost: boolean) => ({ kind: 'ambiguous', entries: 2, answerLost }) as const;
  const is = (exitCode: number | null) => [{ kind: 'answered', exitCode } as const, NOT_RESTARTED];
  const responds = (...given: Parameters<typeof aResponse>) => ({
    queue: [entry(501, { of: reboot, response: aResponse(...given) })],
  });
  const noAnswer = { ...answered, response: null };
  const missed = { ...queued, missedAt: SENT };

  it.each<readonly [string, Omit<Scene, 'command'>, Partial<RequestTarget>]>([
    [
      'accepted and not seen yet: still accepted',
      {},
      { state: 'accepted', evidence: [{ kind: 'accepted', inQueue: 'not-seen' }, NOT_RESTARTED] },
    ],
    [
      'a new entry that waits: queued',
      { queue: [waiting] },
      { state: 'queued', queueEntryId: queueEntryId(501), evidence: [WAITING] },
    ],
    [
      'an entry that was there before: not ours',
      { queue: [waiting], before: { queueIds: [queueEntryId(501)] } },
      { state: 'accepted', queueEntryId: null },
    ],
    [
      'offline: waits for the device',
      { queue: [waiting], device: { connected: false } },
      { state: 'queued', evidence: [{ ...WAITING, offline: { since: EARLIER } }], deadlineAt: at(7 * DAY) },
    ],
    [
      'two new entries: not told apart',
      { queue: two },
      { state: 'accepted', queueEntryId: null, evidence: [ambiguous(false)] },
    ],
    [
      'lost answer, one new entry: queued, and says so',
      { target: unknown, queue: [waiting] },
      { state: 'queued', acceptedAt: null, evidence: [{ ...WAITING, answerLost: true }] },
    ],
    [
      'lost answer, two new entries: unknown, and says why',
      { target: unknown, queue: two },
      { state: 'unknown', evidence: [ambiguous(true)] },
    ],
    ['lost answer, no entry: unknown as before', { target: unknown }, { ...unknown, endedAt: null }],
    [
      'an answer: answered, with its exit code',
      { target: queued, ...responds(3) },
      { state: 'answered', response: 'exit code 3', evidence: is(3) },
    ],
    [
      'an empty answer is an answer',
      { target: queued, ...responds() },
      { state: 'answered', response: '', evidence: is(null) },
    ],
    [
      'not listed any more: queued as before, until the next look',
      { target: queued, device: rebooted },
      { state: 'queued', missedAt: at(MINUTE), evidence: [] },
    ],
    [
      'not listed at the deadline: one look more',
      { target: queued, after: 40 * MINUTE },
      { state: 'queued', endedAt: null, missedAt: at(40 * MINUTE) },
    ],
    [
      'not listed at two looks: left, as far as we saw',
      { target: missed },
      { state: 'answered', response: null, evidence: [{ kind: 'left-queue' }, NOT_RESTARTED] },
    ],
    [
      'not listed once, then listed: queued as if nothing was',
      { target: missed, queue: [waiting] },
      { state: 'queued', missedAt: null },
    ],
    [
      'left without an answer, then listed again: queued again',
      { target: noAnswer, queue: [waiting] },
      { state: 'queued', answeredAt: null, evidence: [WAITING] },
    ],
    [
      'left without an answer, then listed with one: its answer counts',
      { target: noAnswer, ...responds(0) },
      { state: 'answered', response: 'exit code 0', answeredAt: SENT },
    ],
    [
      'an answer that is only a time: without words',
      { target: queued, queue: [entry(501, { of: reboot, responseTime: at(1) })] },
      { state: 'answered', response: '', evidence: is(null) },
    ],
    [
      'an answered one that left keeps its answer',
      { target: answered },
      { state: 'answered', response: 'exit code 0', evidence: is(0) },
    ],
    [
      'one whose answer was seen and that an older list shows: never back to queued',
      { target: answered, queue: [waiting] },
      { state: 'answered', response: 'exit code 0' },
    ],
    [
      'a fast device: straight from accepted to answered',
      responds(0),
      { state: 'answered', queueEntryId: queueEntryId(501), queuedAt: at(MINUTE), answeredAt: at(MINUTE) },
    ],
  ])('%s', (_what, scene, expected) => {
    expect(deviceObservation({ command: reboot, ...scene })).toMatchObject(expected);
  });
});

describe('the end of following', () => {
  const late = 30 * MINUTE;
  it.each<readonly [string, Scene, Partial<RequestTarget>]>([
    [
      'never seen in the queue and nothing shows',
      { command: scan, after: late },
      {
        state: 'not_verified',
        evidence: [
          { kind: 'accepted', inQueue: 'not-seen' },
          { kind: 'unconfirmed' },
          { kind: 'not-refreshed', last: EARLIER },
        ],
      },
    ],
    [
      'answered and nothing shows',
      { command: reboot, target: answered, after: late },
      {
        state: 'not_verified',
        evidence: [{ kind: 'answered', exitCode: 0 }, { kind: 'unconfirmed' }, NOT_RESTARTED],
      },
    ],
    [
      'still in the queue of an online device',
      { command: reboot, target: queued, queue: [waiting], after: late },
      { state: 'not_verified', evidence: [{ kind: 'still-queued', offline: null, at: expect.any(Number) }] },
    ],
    [
      'lost and never found',
      { command: reboot, target: unknown, after: late },
      { state: 'unknown', evidence: [{ kind: 'stays-unknown' }] },
    ],
    [
      'lost, with two entries that may be it',
      { command: reboot, target: unknown, queue: [waiting, entry(502, { of: reboot })], after: late },
      { state: 'unknown', evidence: [{ kind: 'ambiguous', entries: 2, answerLost: true }] },
    ],
    [
      'the device is gone from the service',
      { command: reboot, target: queued, device: null },
      { state: 'not_verified', evidence: [{ kind: 'unverifiable', thing: 'device' }] },
    ],
    [
      'the same after a lost answer',
      { command: reboot, target: unknown, device: null },
      { state: 'unknown' },
    ],
  ])('%s', (_what, scene, expected) => {
    const target = deviceObservation(scene);
    expect(target).toMatchObject(expected);
    expect(target.endedAt).toBe(at(scene.after ?? MINUTE));
  });

  it('knows that the device is gone, and not so of a command that was never found', () => {
    for (const target of [queued, unknown]) {
      const { evidence } = deviceObservation({ command: reboot, target, device: null });
      expect(saysGone(evidence)).toBe(true);
    }
    const { evidence } = deviceObservation({ command: reboot, target: unknown, after: late });
    expect(saysGone(evidence)).toBe(false);
  });

  it('comes after a week for an offline device, and says since when it is offline', () => {
    const scene = { command: reboot, target: queued, queue: [waiting], device: { connected: false } };
    expect(deviceObservation({ ...scene, after: 7 * DAY - 1 }).endedAt).toBeNull();
    expect(deviceObservation({ ...scene, after: 7 * DAY })).toMatchObject({
      state: 'not_verified',
      evidence: [{ kind: 'still-queued', offline: { since: EARLIER } }],
    });
  });

  it('does not come to a proof that is there at the last moment', () => {
    expect(deviceObservation(seen(reboot, rebooted, { after: late })).state).toBe('verified');
  });

  it('gives a command that is found at the last moment its full time', () => {
    const scene = { command: reboot, target: unknown, queue: [waiting], device: { connected: false } };
    expect(deviceObservation({ ...scene, after: late })).toMatchObject({
      state: 'queued',
      deadlineAt: at(7 * DAY),
    });
  });

  it.each(['verified', 'not_verified', 'not_sent', 'refused', 'ready', 'issuing'] as const)(
    'nothing moves a %s target',
    (state) => {
      const endedAt = state === 'ready' || state === 'issuing' ? null : SENT;
      const target = { state, endedAt };
      const given = observation({ command: reboot, target, device: rebooted, queue: [waiting] });
      expect(evaluated(given)).toBe(given.target);
    },
  );
});

const { before } = aTarget();
const first = aQueueEntry({ id: queueEntryId(1) });

describe('which queue entries may be ours', () => {
  it('those of the same command, and none of another', () => {
    expect(entriesPossiblyOurs(reboot, before, [first])).toEqual([first]);
    expect(entriesPossiblyOurs({ kind: 'scan' }, before, [first])).toEqual([]);
  });

  it('none that was there before', () => {
    const known = { ...before, queueIds: [queueEntryId(1)] };
    expect(entriesPossiblyOurs(reboot, known, [first, aQueueEntry({ id: queueEntryId(2) })])).toMatchObject([
      { id: 2 },
    ]);
  });

  it('none that a policy made, though it may say the same', () => {
    const policies = [{ ...first, policyId: policyId(99) }, aQueueEntry({ id: queueEntryId(2) })];
    expect(entriesPossiblyOurs(reboot, before, policies)).toMatchObject([{ id: 2 }]);
  });

  it('of a policy, those of that very policy, whether or not they carry its number', () => {
    const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
    const of = (id: number, type: string, carried: number | null) =>
      aQueueEntry({
        id: queueEntryId(id),
        type,
        args: '',
        policyId: carried === null ? null : policyId(carried),
      });
    const queue = [
      of(1, 'policy_12_remediate', null),
      of(2, 'policy_12_remediate', 0),
      of(3, 'policy_12_remediate', 12),
      of(4, 'policy_12_remediate', 13),
      of(5, 'policy_13_remediate', 0),
      of(6, 'policy_12_test', 0),
    ];
    expect(entriesPossiblyOurs(remediate, before, queue).map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

describe('the proof of a reboot', () => {
  const left = (lastDisconnectTime: Instant) => ({ ...rebooted, lastDisconnectTime });
  const uptime = (now: number) => ({ uptime: now, lastRefreshTime: at(MINUTE) });

  it.each<readonly [string, Scene, string]>([
    ['a new disconnect and return', seen(reboot, rebooted), 'verified'],
    ['the same before we ever saw it queued', { command: reboot, device: rebooted }, 'verified'],
    ['a first disconnect ever', seen(reboot, rebooted, { before: { lastDisconnectTime: null } }), 'verified'],
    [
      'a disconnect of before the command, which the service noted late, and return',
      seen(reboot, left(at(-6 * MINUTE))),
      'answered',
    ],
    [
      'a new disconnect by a clock that is a little behind, and return',
      seen(reboot, left(at(-4 * MINUTE)), { before: { aheadMs: -5 * MINUTE } }),
      'verified',
    ],
    ['a new disconnect, not back yet', seen(reboot, { ...rebooted, connected: false }), 'answered'],
    [
      'a new disconnect, nobody says whether it is back',
      seen(reboot, { ...rebooted, connected: null }),
      'answered',
    ],
    ['an uptime that fell with a newer refresh', seen(reboot, uptime(1)), 'verified'],
    ['an uptime that fell, of an old refresh', seen(reboot, { uptime: 1 }), 'answered'],
    ['an uptime that fell, to more than the time since the command', seen(reboot, uptime(7)), 'answered'],
    [
      'an uptime that fell, in seconds, to what may be minutes from before the command',
      seen(reboot, uptime(45)),
      'answered',
    ],
    ['an uptime that grew', seen(reboot, uptime(5001)), 'answered'],
    ['an uptime of zero is an uptime', seen(reboot, uptime(0)), 'verified'],
    ['a cleared flag alone', seen(reboot, { needsReboot: false }), 'answered'],
    [
      'a disconnect and return while the command still waits',
      seen(reboot, rebooted, { target: queued, queue: [waiting] }),
      'queued',
    ],
    [
      'a fallen uptime while the command still waits',
      seen(reboot, uptime(1), { target: queued, queue: [waiting] }),
      'queued',
    ],
    ['a disconnect and return after a lost answer', seen(reboot, rebooted, { target: unknown }), 'unknown'],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation(scene).state).toBe(state);
  });

  it('names the time, and the cleared flag as support', () => {
    const scene = seen(reboot, { ...rebooted, needsReboot: false });
    expect(deviceObservation(scene).evidence).toEqual([
      { kind: 'restarted', left: rebooted.lastDisconnectTime, flagCleared: true },
      { kind: 'answered', exitCode: 0 },
    ]);
  });

  it('says of a fall that proves nothing why it does not', () => {
    const device = { uptime: 7, lastRefreshTime: at(MINUTE) };
    const why = { kind: 'not-restarted', uptimeDropped: true };
    expect(deviceObservation(seen(reboot, device)).evidence).toContainEqual(why);
  });

  it.each<readonly [string, Scene['device']]>([
    ['an unknown disconnect before, and an old one now', { lastDisconnectTime: EARLIER }],
    ['an unknown disconnect before, and one of the very moment', { lastDisconnectTime: SENT }],
    ['an unknown refresh before, and a fallen uptime of an old one', { uptime: 1, lastRefreshTime: EARLIER }],
  ])('is not %s', (_what, device) => {
    const none = { lastDisconnectTime: null, lastRefreshTime: null };
    const scene = seen(reboot, { ...none, ...device }, { before: none });
    expect(deviceObservation(scene).state).toBe('answered');
  });
});

describe('the proof of a scan', () => {
  const newer = { lastRefreshTime: at(1) };
  const none = { lastRefreshTime: null };
  const waits = { target: queued, queue: [entry(501, { of: scan })] };

  it.each<readonly [string, Scene, string]>([
    ['a newer refresh', seen(scan, newer), 'verified'],
    ['a first refresh ever', seen(scan, newer, { before: none }), 'verified'],
    ['the same refresh', seen(scan), 'answered'],
    ['no refresh time any more', seen(scan, none), 'answered'],
    ['an old refresh where none was known', seen(scan, {}, { before: none }), 'answered'],
    ['a newer refresh while the command still waits', seen(scan, newer, waits), 'queued'],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation(scene).state).toBe(state);
  });
});

describe('an effect after a lost answer', () => {
  const installed = [aPackage('curl', { installed: true }), aPackage('openssl', { installed: true })];
  const fallen = { uptime: 1, lastRefreshTime: at(MINUTE) };
  const EFFECTS: readonly (readonly [string, Scene])[] = [
    ['a disconnect and return', { command: reboot, device: rebooted }],
    ['a fallen uptime', { command: reboot, device: fallen }],
    ['a newer refresh', { command: scan, device: { lastRefreshTime: at(1) } }],
    ['installed packages', { command: patch, packages: installed }],
    ['nothing left to install', { command: patchAll, packages: installed }],
  ];

  it.each(EFFECTS)('is shown and proves nothing: %s', (_what, scene) => {
    const target = deviceObservation({ ...scene, target: unknown });
    expect(target).toMatchObject({ state: 'unknown', endedAt: null });
    expect(target.evidence).toEqual([expect.anything(), { kind: 'cause-unknown' }]);
  });

  it.each(EFFECTS)('ends unknown at the deadline: %s', (_what, scene) => {
    const target = deviceObservation({ ...scene, target: unknown, after: 30 * MINUTE });
    expect(target).toMatchObject({ state: 'unknown', endedAt: at(30 * MINUTE) });
    expect(target.evidence).toEqual([expect.anything(), { kind: 'cause-unknown' }]);
  });

  it('proves the command once its entry was seen in the queue', () => {
    const queue = [entry(501, { of: scan, response: aResponse(0) })];
    const scene = { command: scan, target: unknown, queue, device: { lastRefreshTime: at(1) } };
    expect(deviceObservation(scene)).toMatchObject({ state: 'verified', acceptedAt: null });
  });
});

describe('what happens while the command still waits', () => {
  const flapped = { lastDisconnectTime: at(20 * SECOND), lastRefreshTime: at(20 * SECOND), uptime: 1 };
  const refused = { response: aResponse(-1), responseTime: at(55 * SECOND) };

  it.each([
    ['a reboot', reboot],
    ['a scan', scan],
  ] as const)('is no proof of %s', (_what, command) => {
    const queue = [entry(501, { of: command })];
    const waits = deviceObservation({ command, target: queued, queue, device: flapped });
    expect(waits).toMatchObject({ state: 'queued', before: flapped });
    const device = { ...flapped, uptime: 60 };
    const after = deviceObservation({
      ...{ command, target: waits, before: waits.before, device, after: 2 * MINUTE },
      queue: [entry(501, { of: command, ...refused })],
    });
    expect(after).toMatchObject({ state: 'answered', response: 'exit code -1' });
    const again = { ...device, lastRefreshTime: at(3 * MINUTE), lastDisconnectTime: at(3 * MINUTE) };
    const done = deviceObservation({
      ...{ command, target: after, before: after.before, device: again, after: 4 * MINUTE },
    });
    expect(done.state).toBe('verified');
    expect(done.evidence[1]).toEqual({ kind: 'answered', exitCode: -1 });
    expect(done.evidence[0]?.kind).toMatch(/^(restarted|refreshed)$/);
  });

  it('keeps what was known where the service says nothing for a moment', () => {
    const device = { lastDisconnectTime: null, lastRefreshTime: null, uptime: null };
    const target = deviceObservation({ command: reboot, target: queued, queue: [waiting], device });
    const expected = { lastDisconnectTime: EARLIER, lastRefreshTime: EARLIER, uptime: 5000 };
    expect(target.before).toMatchObject(expected);
  });

  it('may be the effect where one of two entries waits, so the comparison stays', () => {
    const queue = [waiting, entry(502, { of: reboot, response: aResponse(0) })];
    const target = deviceObservation({ command: reboot, queue, device: flapped });
    expect(target.before).toMatchObject({ lastDisconnectTime: EARLIER, uptime: 5000 });
  });
});

const base = { command: reboot, target: answered } as const;
const ahead = { aheadMs: 10 * MINUTE };

describe('by a clock that is ten minutes ahead', () => {
  it.each<readonly [string, Scene, string]>([
    [
      'a disconnect of before the command, and return, proves nothing',
      { ...base, device: { ...rebooted, lastDisconnectTime: at(9 * MINUTE) } },
      'answered',
    ],
    [
      'a disconnect of after the command, and return, proves a reboot',
      { ...base, device: { ...rebooted, lastDisconnectTime: at(11 * MINUTE) } },
      'verified',
    ],
    [
      'an uptime that fell before the command proves nothing',
      { ...base, device: { uptime: 3, lastRefreshTime: at(11 * MINUTE) } },
      'answered',
    ],
    [
      'an uptime that fell after the command proves a reboot',
      { ...base, device: { uptime: 1, lastRefreshTime: at(12 * MINUTE) } },
      'verified',
    ],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation({ ...scene, before: ahead }).state).toBe(state);
  });
});

const asked = { name: 'openssl', version: '3.0.2-1.15', severity: null, cves: [], requiresReboot: false };
const install = {
  command: { kind: 'patch', packages: ['openssl'] },
  target: { ...answered, facts: aFact({ packages: [asked] }) },
} as const;
const rows = (...versions: readonly (string | null)[]) => ({
  ...install,
  packages: versions.map((version) => aPackage('openssl', { version, ignored: true, installed: true })),
});
const id = eventId(9);
const applied = (createTime: Instant, last = 8, version: string | null = null) => {
  const patches = [{ name: 'openssl', version, displayName: null }];
  const events = [anEvent({ id, name: 'system.patch.applied', createTime, patches })];
  return { ...install, packages: [aPackage('openssl')], before: { lastEventId: eventId(last) }, events };
};
const refreshed = (ms: number, before: Partial<Baseline> = {}) =>
  ({ command: scan, target: answered, device: { lastRefreshTime: at(ms) }, before }) as const;
const acted = anEvent({ id, name: 'system.policy.action', policyId: policyId(12), createTime: at(DAY) });

describe('the proof of a command is', () => {
  it.each<readonly [string, Scene, 'verified' | 'answered']>([
    ['an installed row of the sealed version', rows(asked.version), 'verified'],
    ['a newer one, beside the old one', rows('1.0', '3.0.10'), 'verified'],
    ['no older one', rows('3.0.2-1.9'), 'answered'],
    ['no older one with a word', rows('1.0-old'), 'answered'],
    ['no row without a version', rows(null), 'answered'],
    ['an event after the command', applied(at(SECOND)), 'verified'],
    ['no event of an older version', applied(at(SECOND), 8, '1.0'), 'answered'],
    ['no event of before', applied(at(SECOND), 9), 'answered'],
    ['no event that lies ahead', applied(at(HOUR)), 'answered'],
    ['no action that lies ahead', { command: policyTest, target: answered, events: [acted] }, 'answered'],
    ['a refresh', refreshed(30 * SECOND), 'verified'],
    ['no refresh that lies ahead', refreshed(2 * HOUR), 'answered'],
    ['a refresh after one that lay ahead', refreshed(SECOND, { lastRefreshTime: at(DAY) }), 'verified'],
    ['a refresh by a clock that is ahead', refreshed(HOUR, { aheadMs: HOUR }), 'verified'],
    [
      'no disconnect that lies ahead',
      { ...base, device: { connected: true, lastDisconnectTime: at(7 * DAY) } },
      'answered',
    ],
    ['no uptime of a day ahead', { ...base, device: { uptime: 3, lastRefreshTime: at(DAY) } }, 'answered'],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation(scene).state).toBe(state);
  });

  it.each([
    ['3.0.2', '3.0.10'],
    ['1.0~rc1', '1.0'],
    ['2.1-beta2', '2.1'],
    ['2.1', '2.1-1'],
  ])('by versions where %s is older than %s', (older, newer) => {
    expect([compareVersions(older, newer) < 0, compareVersions(newer, older) > 0]).toEqual([true, true]);
  });
});
