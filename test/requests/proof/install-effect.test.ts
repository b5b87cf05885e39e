import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, eventId } from '../../../src/lib/ids.ts';
import { saysFailed } from '../../../src/store/port/evidence.ts';
import { anEvent, aPackage } from '../fleet-builders.ts';
import {
  answered,
  at,
  deviceObservation,
  evaluated,
  observation,
  patch,
  patchAll,
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
