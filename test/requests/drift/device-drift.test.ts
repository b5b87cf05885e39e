import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetCommand } from '../../../src/fleet/model/resources.ts';
import { instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { seal } from '../../../src/requests/decide/seal.ts';
import type { DriftList } from '../../../src/requests/drift/device-drift.ts';
import { driftOf } from '../../../src/requests/kinds/kinds.ts';
import type { DeviceFacts } from '../../../src/store/port/records.ts';
import { aFact, NOW } from '../builders.ts';

const reboot = { kind: 'reboot' } as const;
const patchAll = { kind: 'patch-all' } as const;
const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
const POLICY = { id: policyId(12), name: 'Harden SSH' };
const policy = { name: 'Harden SSH', type: 'custom', status: 0, digest: 'decade' };
const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;

type Row = readonly [string, FleetCommand, Partial<DeviceFacts>, Partial<DeviceFacts>, DriftList];
const ROWS: readonly Row[] = [
  ['nothing changed', reboot, {}, {}, []],
  [
    'only what does not matter to a reboot changed',
    reboot,
    {},
    { pendingPatches: 9, asOf: later(NOW, 9) },
    [],
  ],
  [
    'only what does not matter to an installation changed',
    patch,
    { lastDisconnectTime: NOW },
    { lastDisconnectTime: later(NOW, 9), needsReboot: false, pendingPatches: 9 },
    [],
  ],
  [
    'it no longer needs a reboot',
    reboot,
    {},
    { needsReboot: false },
    [{ kind: 'reboot-done', name: 'web-01' }],
  ],
  ['nobody says any more whether it needs a reboot', reboot, {}, { needsReboot: null }, []],
  ['it needs a reboot now', reboot, { needsReboot: false }, {}, []],
  [
    'it went away and came back',
    reboot,
    { lastDisconnectTime: NOW },
    { lastDisconnectTime: later(NOW, MINUTE) },
    [{ kind: 'restarted', name: 'web-01', left: later(NOW, MINUTE) }],
  ],
  [
    'it went away for the first time, and came back',
    reboot,
    {},
    { lastDisconnectTime: later(NOW, 1) },
    [{ kind: 'restarted', name: 'web-01', left: later(NOW, 1) }],
  ],
  ['an earlier disconnect became known', reboot, {}, { lastDisconnectTime: NOW }, []],
  [
    'it went away and is away',
    reboot,
    { lastDisconnectTime: NOW },
    { lastDisconnectTime: later(NOW, MINUTE), connected: false },
    [{ kind: 'connection', name: 'web-01', was: true, now: false }],
  ],
  [
    'it was given a name',
    reboot,
    {},
    { displayName: 'shop' },
    [{ kind: 'renamed', name: 'web-01', now: 'shop' }],
  ],
  [
    'it has another system',
    patch,
    {},
    { osName: 'Debian' },
    [{ kind: 'system', name: 'web-01', was: 'Ubuntu', now: 'Debian' }],
  ],
  [
    'its system has another version',
    patch,
    { osVersion: '22.04' },
    { osVersion: '24.04' },
    [{ kind: 'system', name: 'web-01', was: 'Ubuntu 22.04', now: 'Ubuntu 24.04' }],
  ],
  ['the version of its system was not kept', patch, { osVersion: null }, { osVersion: '24.04' }, []],
  ['its system is not named for a moment', patch, {}, { osName: null, osFamily: null }, []],
  [
    'it was renamed',
    reboot,
    {},
    { hostname: 'db-01', displayName: 'db-01' },
    [{ kind: 'hostname', name: 'web-01', was: 'web-01', now: 'db-01' }],
  ],
  [
    'it moved',
    reboot,
    {},
    { groupId: groupId(10), groupName: 'Databases' },
    [
      {
        kind: 'group',
        name: 'web-01',
        was: { id: groupId(9), name: 'Servers' },
        now: { id: groupId(10), name: 'Databases' },
      },
    ],
  ],
  [
    'it moved to a group that cannot be named',
    reboot,
    {},
    { groupId: groupId(10), groupName: null },
    [
      {
        kind: 'group',
        name: 'web-01',
        was: { id: groupId(9), name: 'Servers' },
        now: { id: groupId(10), name: null },
      },
    ],
  ],
  [
    'it went offline',
    reboot,
    {},
    { connected: false },
    [{ kind: 'connection', name: 'web-01', was: true, now: false }],
  ],
  [
    'it came online',
    reboot,
    { connected: false },
    {},
    [{ kind: 'connection', name: 'web-01', was: false, now: true }],
  ],
  [
    'its connection is no longer known',
    reboot,
    {},
    { connected: null },
    [{ kind: 'connection', name: 'web-01', was: true, now: null }],
  ],
  [
    'somebody else logged in',
    reboot,
    {},
    { lastLoggedInUser: 'dave' },
    [{ kind: 'login', name: 'web-01', who: 'someone-else' }],
  ],
  [
    'somebody logged in',
    reboot,
    { lastLoggedInUser: null },
    { lastLoggedInUser: 'dave' },
    [{ kind: 'login', name: 'web-01', who: 'someone' }],
  ],
  [
    'who logged in is no longer said',
    reboot,
    {},
    { lastLoggedInUser: null },
    [{ kind: 'login', name: 'web-01', who: 'nobody' }],
  ],
  [
    'another package is missing',
    patchAll,
    { missing: ['curl'] },
    { missing: ['curl', 'openssl'] },
    [{ kind: 'more-missing', name: 'web-01', packages: ['openssl'], requested: false }],
  ],
  [
    'a wanted package is installed already',
    patch,
    { missing: ['curl', 'openssl'] },
    { missing: ['curl'] },
    [{ kind: 'fewer-missing', name: 'web-01', packages: ['openssl'], requested: true }],
  ],
  ['nothing changed about the rules', remediate, { policy }, { policy }, []],
  [
    'the device is up to date with the rules already',
    remediate,
    { policy },
    { policy: { ...policy, status: 1 } },
    [{ kind: 'policy-status', name: 'web-01', policy: POLICY, status: 1 }],
  ],
  [
    'the device needs what it did not need',
    remediate,
    { policy: { ...policy, status: 1 } },
    { policy },
    [{ kind: 'policy-status', name: 'web-01', policy: POLICY, status: 0 }],
  ],
  ['the remediation is pending only', remediate, { policy }, { policy: { ...policy, status: 2 } }, []],
  [
    'nobody says any more how the device stands',
    remediate,
    { policy },
    { policy: { ...policy, status: null } },
    [{ kind: 'policy-status', name: 'web-01', policy: POLICY, status: null }],
  ],
  [
    'the rules has another name',
    remediate,
    { policy },
    { policy: { ...policy, name: 'Wipe disks' } },
    [{ kind: 'policy-renamed', policy: { ...POLICY, name: 'Wipe disks' }, was: 'Harden SSH' }],
  ],
  ['the rules is not named for a moment', remediate, { policy }, { policy: { ...policy, name: null } }, []],
  [
    'the rules would run something else',
    remediate,
    { policy },
    { policy: { ...policy, digest: 'c0ffee' } },
    [{ kind: 'policy-changed', policy: POLICY, shown: true }],
  ],
  [
    'what the rules would run is no longer shown',
    remediate,
    { policy },
    { policy: { ...policy, digest: null } },
    [{ kind: 'policy-changed', policy: POLICY, shown: false }],
  ],
  [
    'what the rules would run was never shown',
    remediate,
    { policy: { ...policy, digest: null } },
    { policy: { ...policy, digest: null } },
    [{ kind: 'policy-changed', policy: POLICY, shown: false }],
  ],
  [
    'several things changed',
    reboot,
    {},
    { connected: false, hostname: 'x' },
    [
      { kind: 'hostname', name: 'web-01', was: 'web-01', now: 'x' },
      { kind: 'connection', name: 'web-01', was: true, now: false },
    ],
  ],
];

describe('drift', () => {
  it.each(ROWS)('%s', (_what, command, before, after, expected) => {
    expect(driftOf(command, aFact(before), aFact(after))).toEqual(expected);
  });

  it('names every package, in order and once', () => {
    const missing = ['zlib', 'curl', 'zlib', 'bash'];
    expect(driftOf(patchAll, aFact(), aFact({ missing }))).toEqual([
      { kind: 'more-missing', name: 'web-01', packages: ['bash', 'curl', 'zlib'], requested: false },
    ]);
  });

  const fact = fc
    .record({
      hostname: fc.string(),
      groupId: fc.option(fc.integer({ min: 1, max: 3 }).map(groupId)),
      connected: fc.option(fc.boolean()),
      lastLoggedInUser: fc.option(fc.string({ maxLength: 2 })),
      displayName: fc.string({ maxLength: 2 }),
      osName: fc.option(fc.constantFrom('Ubuntu', 'Debian')),
      osVersion: fc.option(fc.constantFrom('22.04', '24.04')),
      needsReboot: fc.option(fc.boolean()),
      lastDisconnectTime: fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }).map(instant)),
      missing: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
      policy: fc.option(
        fc.record({
          name: fc.option(fc.constantFrom('a', 'b')),
          type: fc.option(fc.constantFrom('custom', 'patch')),
          status: fc.option(fc.integer({ min: 0, max: 3 })),
          digest: fc.option(fc.constantFrom('a', 'b')),
        }),
      ),
    })
    .map(aFact);

  it.each([reboot, patchAll, remediate])(
    'says nothing that does not break the seal of a $kind',
    (command) => {
      fc.assert(
        fc.property(fact, fact, (before, after) => {
          const changes = driftOf(command, before, after);
          const same =
            seal({ action: command, targets: [before] }) === seal({ action: command, targets: [after] });
          if (changes.length > 0) expect(same).toBe(false);
        }),
      );
    },
  );

  it('never says who logged in', () => {
    const [before, after] = [aFact({ lastLoggedInUser: 'carol' }), aFact({ lastLoggedInUser: 'dave' })];
    expect(JSON.stringify(driftOf(reboot, before, after))).not.toMatch(/carol|dave/);
  });
});
