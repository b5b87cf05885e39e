import { describe, expect, it } from 'vitest';
import type { Device, DevicePolicyStatus, FleetEvent } from '../../../src/fleet/model/resources.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, eventId, policyId } from '../../../src/lib/ids.ts';
import { saysFailed } from '../../../src/store/port/evidence.ts';
import type { Baseline, PolicyBaseline } from '../../../src/store/port/request-records.ts';
import { aPolicyStatus, aResponse } from '../../harness/builders.ts';
import { EARLIER, SENT } from '../builders.ts';
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
  remediate,
  type Scene,
  unknown,
} from './scenes.ts';

describe('the proof of an installation', () => {
  const both = [aPackage('curl', { installed: true }), aPackage('openssl', { installed: true })];
  const one = [aPackage('curl', { installed: true }), aPackage('openssl')];
  const mention = (name: string) => ({ name, version: null, displayName: null });
  const told = { patches: [mention('openssl')], failure: 'disk full' };
  const failed = anEvent({ id: eventId(9), createTime: at(SECOND), ...told });
  const base = { command: patch, target: answered };
  const applied = { ...failed, name: 'system.patch.applied' };

  const fails = (over: object) => ({ ...base, packages: one, events: [{ ...failed, ...over }] });
  const beside = (...packages: readonly ReturnType<typeof aPackage>[]) => ({
    ...base,
    packages: [...both, ...packages],
  });

  it.each<readonly [string, Scene, string]>([
    ['every package is installed', { ...base, packages: both }, 'verified'],
    ['one is not', { ...base, packages: one }, 'answered'],
    ['one is not listed', { ...base, packages: [aPackage('curl', { installed: true })] }, 'answered'],
    ['a newer version is missing beside the old one', beside(aPackage('curl')), 'answered'],
    [
      'the version that was asked for was ignored meanwhile, beside the old one',
      beside(aPackage('curl', { ignored: true })),
      'answered',
    ],
    [
      'the version that was asked for was deferred meanwhile, beside the old one',
      beside(aPackage('curl', { deferredUntil: at(HOUR) })),
      'answered',
    ],
    [
      'everything that was asked for was ignored meanwhile',
      { ...base, packages: [aPackage('curl', { ignored: true }), aPackage('openssl', { ignored: true })] },
      'answered',
    ],
    [
      'a report of before the command, by a clock that is ahead',
      { ...base, before: { aheadMs: 10 * MINUTE }, packages: one, events: [applied] },
      'answered',
    ],
    [
      'a report by a clock that is behind',
      {
        ...base,
        before: { aheadMs: -10 * MINUTE },
        packages: one,
        events: [{ ...applied, createTime: at(-9 * MINUTE) }],
      },
      'verified',
    ],
    ['the packages were not read', { ...base, packages: null }, 'answered'],
    ['a patch event names the rest', { ...base, packages: one, events: [applied] }, 'verified'],
    ['it failed', { ...base, packages: one, events: [failed] }, 'not_verified'],
    ['a failure without a package, which may be that of another', fails({ patches: [] }), 'answered'],
    ['a failure whose one word is the package', fails({ patches: [], failure: 'openssl' }), 'not_verified'],
    ['a failure whose one word is another package', fails({ patches: [], failure: 'KB999999' }), 'answered'],
    ...['0x80070643', 'Timeout', 'ERROR_INSTALL_FAILURE'].map(
      (failure) =>
        [
          `a failure whose one word is the error ${failure}`,
          fails({ patches: [], failure }),
          'answered',
        ] as const,
    ),
    ['a failure of another package', fails({ patches: [mention('x')] }), 'answered'],
    ['a failure of what is installed', { ...base, packages: both, events: [failed] }, 'verified'],
    ['a failure before the command', fails({ createTime: at(-1) }), 'answered'],
    ['a failure at an unknown time', fails({ createTime: null }), 'answered'],
    ['a failure on another device', fails({ deviceId: deviceId(1) }), 'answered'],
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
      { ...beside(aPackage('zlib')), command: patchAll, before: { missing: ['curl'] } },
      'verified',
    ],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation(scene).state).toBe(state);
  });

  it('quotes the agent, cut, and counts what is installed', () => {
    const events = [{ ...failed, failure: `E: ${'y'.repeat(900)}` }];
    expect(deviceObservation({ ...base, packages: one, events }).evidence).toEqual([
      {
        kind: 'install-failed',
        packages: ['openssl'],
        words: `E: ${'y'.repeat(296)}…`,
        installed: 1,
        total: 2,
      },
    ]);
  });

  it('tells of a failure that names no package, without concluding from it', () => {
    const events = [{ ...failed, patches: [] }];
    expect(deviceObservation({ ...base, packages: one, events }).evidence).toEqual([
      { kind: 'answered', exitCode: 0 },
      { kind: 'not-installed', packages: ['openssl'], nameless: { words: 'disk full' } },
    ]);
  });

  it('takes no event for a proof where the two clocks cannot be compared', () => {
    const given = observation({ ...base, packages: one, events: [applied] });
    const { aheadMs: _, ...before } = given.target.before;
    expect(evaluated({ ...given, target: { ...given.target, before } }).state).toBe('answered');
  });

  it('takes the newest of several failures, by id', () => {
    const newest = { ...failed, id: eventId(10), failure: 'no space' };
    const events = [failed, newest, { ...failed, id: eventId(8) }];
    expect(deviceObservation({ ...base, packages: one, events }).evidence).toMatchObject([
      { kind: 'install-failed', words: 'no space' },
    ]);
  });

  it('says what is not installed yet', () => {
    expect(deviceObservation({ ...base, packages: one }).evidence).toEqual([
      { kind: 'answered', exitCode: 0 },
      { kind: 'not-installed', packages: ['openssl'], nameless: null },
    ]);
  });

  it('is known to have failed only where a failure was reported', () => {
    const scene = { ...base, packages: one };
    expect(saysFailed(deviceObservation({ ...scene, events: [failed] }).evidence)).toBe(true);
    const late = deviceObservation({ ...scene, events: [], after: 30 * MINUTE });
    expect([late.state, saysFailed(late.evidence)]).toEqual(['not_verified', false]);
  });

  it('names all packages once where all of them failed', () => {
    const events = [{ ...failed, patches: [mention('curl'), mention('openssl')] }];
    const packages = [aPackage('curl'), aPackage('openssl')];
    const scene = { command: patchAll, target: answered, before: { missing: ['curl', 'openssl'] } };
    expect(deviceObservation({ ...scene, packages, events }).evidence).toEqual([
      { kind: 'install-failed', packages: ['curl', 'openssl'], words: 'disk full', installed: 0, total: 2 },
    ]);
  });

  it('names what is installed, or what patch events say is', () => {
    expect(deviceObservation({ ...base, packages: both }).evidence).toEqual([
      { kind: 'installed', packages: ['curl', 'openssl'] },
      { kind: 'answered', exitCode: 0 },
    ]);
    expect(deviceObservation({ ...base, packages: one, events: [applied] }).evidence).toEqual([
      { kind: 'reported-installed', packages: ['openssl'] },
      { kind: 'answered', exitCode: 0 },
    ]);
  });
});

const POLICY = policyId(12);
const NAMED = { id: POLICY, name: 'Harden SSH' };
const UNNAMED = { id: POLICY, name: null };
const RAN = at(30 * SECOND);

function action(change: Partial<FleetEvent> = {}): FleetEvent {
  const head = { id: eventId(90), name: 'system.policy.action', policyId: POLICY, createTime: RAN };
  return anEvent({ ...head, exitCode: 0, text: 'token=hunter2', ...change });
}

function stands(change: Partial<DevicePolicyStatus> = {}): Partial<Device> {
  return { policyStatuses: [aPolicyStatus({ createTime: EARLIER, ...change })] };
}

function stood(change: Partial<PolicyBaseline> = {}): Partial<Baseline> {
  return { policy: { status: 0, statusTime: EARLIER, lastEventId: eventId(80), ...change } };
}

/** Everything but the command: each row is evaluated for both. */
type World = Omit<Scene, 'command'>;
type Row = readonly [what: string, world: World, test: string, remediation: string];

const offline = { ...stands(), connected: false } as const;
/** What the device shows of the policy. */
const now = (...given: Parameters<typeof stands>) => ({ device: stands(...given) });
const did = (change: Partial<FleetEvent> = {}) => ({ events: [action(change)] });
const ROWS: readonly Row[] = [
  ['nothing yet', now(), 'accepted', 'accepted'],
  ['an action with exit code 0', did(), 'verified', 'verified'],
  ['an action with another exit code', did({ exitCode: 1 }), 'verified', 'not_verified'],
  ['an action with a negative exit code', did({ exitCode: -1 }), 'verified', 'not_verified'],
  ['an action without an exit code', did({ exitCode: null }), 'verified', 'accepted'],
  ['an action at the moment of sending', did({ createTime: SENT }), 'verified', 'verified'],
  [
    'a failure and a success, in any order',
    { events: [action({ exitCode: 1, id: eventId(91) }), action()] },
    'verified',
    'verified',
  ],
  ['an action before the command', did({ createTime: at(-1) }), 'accepted', 'accepted'],
  ['a failure before the command', did({ createTime: at(-1), exitCode: 1 }), 'accepted', 'accepted'],
  [
    'an action that was there before, dated later by another clock',
    did({ id: eventId(80) }),
    'accepted',
    'accepted',
  ],
  ['an action at no stated time', did({ createTime: null }), 'accepted', 'accepted'],
  ['an action of another policy', did({ policyId: policyId(13) }), 'accepted', 'accepted'],
  ['an action of no policy', did({ policyId: null }), 'accepted', 'accepted'],
  ['an action on another device', did({ deviceId: deviceId(43) }), 'accepted', 'accepted'],
  ['an event of another name', did({ name: 'system.patch.applied' }), 'accepted', 'accepted'],
  ['a first action ever', { before: stood({ lastEventId: null }), ...did() }, 'verified', 'verified'],
  ['a new standing: up to date', now({ status: 1, createTime: RAN }), 'verified', 'verified'],
  ['a new standing: needs it still', now({ createTime: RAN }), 'verified', 'accepted'],
  ['a new standing: pending', now({ status: 2, createTime: RAN }), 'verified', 'accepted'],
  ['up to date, dated as before', now({ status: 1 }), 'accepted', 'verified'],
  [
    'up to date after pending, undated',
    { before: stood({ status: 2 }), ...now({ status: 1, createTime: null }) },
    'accepted',
    'verified',
  ],
  ['up to date as before', { before: stood({ status: 1 }), ...now({ status: 1 }) }, 'accepted', 'accepted'],
  [
    'up to date as before, judged anew',
    { before: stood({ status: 1 }), ...now({ status: 1, createTime: RAN }) },
    'verified',
    'verified',
  ],
  [
    'up to date, and nobody said how it was',
    {
      before: stood({ status: null, statusTime: null }),
      ...now({ status: 1 }),
    },
    'accepted',
    'accepted',
  ],
  [
    'a standing with another policy',
    now({ policyId: policyId(13), status: 1, createTime: RAN }),
    'accepted',
    'accepted',
  ],
  [
    'a failure, though the device is up to date',
    { ...now({ status: 1 }), ...did({ exitCode: 1 }) },
    'verified',
    'not_verified',
  ],
  ['an action after a lost answer', { target: unknown, ...did() }, 'unknown', 'unknown'],
  ['a failure after a lost answer', { target: unknown, ...did({ exitCode: 1 }) }, 'unknown', 'unknown'],
  ['up to date after a lost answer', { target: unknown, ...now({ status: 1 }) }, 'unknown', 'unknown'],
  ['nothing in time', { ...now(), after: 30 * MINUTE }, 'not_verified', 'not_verified'],
  ['nothing in time, the answer lost', { target: unknown, after: 30 * MINUTE }, 'unknown', 'unknown'],
  ['nothing for days from an offline device', { device: offline, after: 2 * DAY }, 'accepted', 'accepted'],
  ['nothing for a week from it', { device: offline, after: 7 * DAY }, 'not_verified', 'not_verified'],
  ['a device that is gone', { device: null, ...did() }, 'not_verified', 'not_verified'],
];

describe('a command of a policy is judged by', () => {
  it.each(ROWS)('%s', (_what, world, tested, remediated) => {
    const scene = { before: stood(), ...world };
    expect(deviceObservation({ command: policyTest, ...scene }).state).toBe(tested);
    expect(deviceObservation({ command: remediate, ...scene }).state).toBe(remediated);
  });
});

describe('what is said of', () => {
  const told = (scene: Scene) => deviceObservation({ before: stood(), device: stands(), ...scene }).evidence;

  it('a test that found something to remediate: its exit code, and no failure', () => {
    expect(told({ command: policyTest, events: [action({ exitCode: 2 })] })).toEqual([
      { kind: 'policy-tested', policy: NAMED, exitCode: 2 },
    ]);
  });

  it('a test by its newest action', () => {
    const events = [action({ exitCode: 2 }), action({ id: eventId(91) })];
    expect(told({ command: policyTest, events })).toMatchObject([{ kind: 'policy-tested', exitCode: 0 }]);
  });

  it.each([0, 1, 2, 7, null])('a test by the new standing %s', (status) => {
    expect(told({ command: policyTest, device: stands({ status, createTime: RAN }) })).toEqual([
      { kind: 'policy-result', policy: NAMED, at: RAN, status },
    ]);
  });

  it('a remediation that went well', () => {
    expect(told({ command: remediate, events: [action()] })).toEqual([
      { kind: 'policy-ran', policy: NAMED, exitCode: 0 },
    ]);
    expect(told({ command: remediate, device: stands({ status: 1 }) })).toEqual([
      { kind: 'policy-met', policy: NAMED },
    ]);
  });

  it('a failed remediation: its exit code, and nothing that a script printed', () => {
    expect(told({ command: remediate, events: [action({ exitCode: 1 })] })).toEqual([
      { kind: 'policy-failed', policy: NAMED, exitCode: 1 },
    ]);
  });

  it('a failed remediation, and no failed test: the exit code of a test is its result', () => {
    const scene = { before: stood(), device: stands() };
    const events = [action({ exitCode: 1 })];
    const failedOf = (command: Scene['command']) =>
      saysFailed(deviceObservation({ ...scene, command, events }).evidence);
    expect([failedOf(remediate), failedOf(policyTest)]).toEqual([true, false]);
  });

  it('an answer in the queue', () => {
    const queue = [entry(501, { of: remediate, response: aResponse(2), responseTime: RAN })];
    const target = deviceObservation({ command: remediate, before: stood(), target: queued, queue });
    expect(target).toMatchObject({ state: 'answered', response: 'exit code 2' });
    expect(target.evidence).toEqual([
      { kind: 'answered', exitCode: 2 },
      { kind: 'policy-unproven', policy: UNNAMED, run: null },
    ]);
  });

  it('a remediation without evidence yet, not mentioning a queue where it need not be', () => {
    expect(told({ command: remediate, device: {} })).toEqual([
      { kind: 'accepted', inQueue: 'unasked' },
      { kind: 'policy-unproven', policy: UNNAMED, run: null },
    ]);
    const expected = { kind: 'policy-unproven', policy: NAMED, run: { exitCode: null } };
    expect(told({ command: remediate, events: [action({ exitCode: null })] })).toContainEqual(expected);
  });
});

describe('what a policy does by itself while the command waits', () => {
  it.each([
    ['a test', policyTest],
    ['a remediation', remediate],
  ] as const)('is no proof of %s', (_what, command) => {
    const waiting = entry(501, { of: command });
    const own = { events: [action()], device: stands({ status: 1, createTime: RAN }) };
    const sent = { command, target: queued, before: stood(), queue: [waiting] };
    const waits = deviceObservation({ ...sent, ...own });
    const before = { policy: { status: 1, statusTime: RAN, lastEventId: 90 } };
    expect(waits).toMatchObject({ state: 'queued', before });
    const answeredEntry = { ...waiting, response: aResponse(), responseTime: at(2 * MINUTE) };
    const later = { command, target: waits, before: waits.before, queue: [answeredEntry], after: 3 * MINUTE };
    expect(deviceObservation({ ...later, ...own }).state).toBe('answered');
    const events = [...own.events, action({ id: eventId(91), createTime: at(2 * MINUTE) })];
    expect(deviceObservation({ ...later, ...own, events }).state).toBe('verified');
  });

  it('leaves what was known where the service says nothing for a moment', () => {
    const queue = [entry(501, { of: remediate })];
    const target = deviceObservation({ command: remediate, target: queued, before: stood(), queue });
    expect(target.before).toMatchObject(stood());
  });
});
