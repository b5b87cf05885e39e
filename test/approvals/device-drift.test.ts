import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceDrift } from '../../src/approvals/device-drift.ts';
import { seal } from '../../src/approvals/seal.ts';
import type { FleetCommand } from '../../src/fleet/model/resources.ts';
import { instant, later, MINUTE } from '../../src/lib/clock.ts';
import { groupId, policyId } from '../../src/lib/ids.ts';
import { timePlaceholder } from '../../src/operations/evidence-text.ts';
import type { DeviceFacts } from '../../src/store/port/records.ts';
import { aFact, NOW } from './builders.ts';

const reboot = { kind: 'reboot' } as const;
const patchAll = { kind: 'patch-all' } as const;
const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
const policy = { name: 'Harden SSH', type: 'custom', status: 0, digest: 'decade' };
const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;

type Row = readonly [
  string,
  FleetCommand,
  Partial<DeviceFacts>,
  Partial<DeviceFacts> | 'gone',
  readonly string[],
];
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
  ['it no longer needs a reboot', reboot, {}, { needsReboot: false }, ['web-01 no longer requires a reboot']],
  ['nobody says any more whether it needs a reboot', reboot, {}, { needsReboot: null }, []],
  ['it needs a reboot now', reboot, { needsReboot: false }, {}, []],
  [
    'it went away and came back',
    reboot,
    { lastDisconnectTime: NOW },
    { lastDisconnectTime: later(NOW, MINUTE) },
    [`web-01 disconnected ${timePlaceholder(later(NOW, MINUTE))} and is back online`],
  ],
  [
    'it went away for the first time, and came back',
    reboot,
    {},
    { lastDisconnectTime: later(NOW, 1) },
    [`web-01 disconnected ${timePlaceholder(later(NOW, 1))} and is back online`],
  ],
  ['an earlier disconnect became known', reboot, {}, { lastDisconnectTime: NOW }, []],
  [
    'it went away and is away',
    reboot,
    { lastDisconnectTime: NOW },
    { lastDisconnectTime: later(NOW, MINUTE), connected: false },
    ['web-01 is now offline (was online)'],
  ],
  ['it was given a name', reboot, {}, { displayName: 'shop' }, ['web-01 is now named “shop”']],
  ['it has another system', patch, {}, { osName: 'Debian' }, ['web-01 now runs “Debian” (was “Ubuntu”)']],
  [
    'its system has another version',
    patch,
    { osVersion: '22.04' },
    { osVersion: '24.04' },
    ['web-01 now runs “Ubuntu 24.04” (was “Ubuntu 22.04”)'],
  ],
  ['the version of its system was not kept', patch, { osVersion: null }, { osVersion: '24.04' }, []],
  ['its system is not named for a moment', patch, {}, { osName: null, osFamily: null }, []],
  ['it is gone', reboot, {}, 'gone', ['web-01 no longer exists in the management service']],
  [
    'it was renamed',
    reboot,
    {},
    { hostname: 'db-01', displayName: 'db-01' },
    ['the hostname of web-01 is now “db-01” (was “web-01”)'],
  ],
  [
    'it moved',
    reboot,
    {},
    { groupId: groupId(10), groupName: 'Databases' },
    ['web-01 moved from group “Servers” to group “Databases”'],
  ],
  [
    'it moved to a group that cannot be named',
    reboot,
    {},
    { groupId: groupId(10), groupName: null },
    ['web-01 moved from group “Servers” to group #10'],
  ],
  ['it went offline', reboot, {}, { connected: false }, ['web-01 is now offline (was online)']],
  ['it came online', reboot, { connected: false }, {}, ['web-01 is now online (was offline)']],
  [
    'its connection is no longer known',
    reboot,
    {},
    { connected: null },
    ['it is no longer known whether web-01 is online (was online)'],
  ],
  ['somebody else logged in', reboot, {}, { lastLoggedInUser: 'dave' }, ['someone else logged in to web-01']],
  [
    'somebody logged in',
    reboot,
    { lastLoggedInUser: null },
    { lastLoggedInUser: 'dave' },
    ['someone logged in to web-01'],
  ],
  [
    'who logged in is no longer said',
    reboot,
    {},
    { lastLoggedInUser: null },
    ['the management service no longer reports who last logged in to web-01'],
  ],
  [
    'another package is missing',
    patchAll,
    { missing: ['curl'] },
    { missing: ['curl', 'openssl'] },
    ['web-01 is now also missing the package openssl'],
  ],
  [
    'a wanted package is installed already',
    patch,
    { missing: ['curl', 'openssl'] },
    { missing: ['curl'] },
    ['web-01 is no longer missing the requested package openssl'],
  ],
  ['nothing changed about the policy', remediate, { policy }, { policy }, []],
  [
    'the device is up to date with the policy already',
    remediate,
    { policy },
    { policy: { ...policy, status: 1 } },
    ['web-01 now is up to date for Harden SSH (policy 12)'],
  ],
  [
    'the device needs what it did not need',
    remediate,
    { policy: { ...policy, status: 1 } },
    { policy },
    ['web-01 now needs remediation for Harden SSH (policy 12)'],
  ],
  ['the remediation is pending only', remediate, { policy }, { policy: { ...policy, status: 2 } }, []],
  [
    'nobody says any more how the device stands',
    remediate,
    { policy },
    { policy: { ...policy, status: null } },
    ['the management service no longer reports the result of Harden SSH (policy 12) for web-01'],
  ],
  [
    'the policy has another name',
    remediate,
    { policy },
    { policy: { ...policy, name: 'Wipe disks' } },
    ['policy 12 is now named “Wipe disks” (was “Harden SSH”)'],
  ],
  ['the policy is not named for a moment', remediate, { policy }, { policy: { ...policy, name: null } }, []],
  [
    'the policy would run something else',
    remediate,
    { policy },
    { policy: { ...policy, digest: 'c0ffee' } },
    ['the configuration or schedule of Harden SSH (policy 12) changed'],
  ],
  [
    'what the policy would run is no longer shown',
    remediate,
    { policy },
    { policy: { ...policy, digest: null } },
    ['the management service no longer shows the configuration of Harden SSH (policy 12)'],
  ],
  [
    'facts of an older record say nothing of the configuration',
    remediate,
    { policy: { ...policy, digest: null } },
    { policy },
    [],
  ],
  ['facts of an older record hold no policy', remediate, {}, { policy }, []],
  [
    'several things changed',
    reboot,
    {},
    { connected: false, hostname: 'x' },
    ['the hostname of web-01 is now “x” (was “web-01”)', 'web-01 is now offline (was online)'],
  ],
];

describe('drift', () => {
  it.each(ROWS)('%s', (_what, command, before, after, expected) => {
    const fresh = after === 'gone' ? after : aFact(after);
    expect(deviceDrift(command, aFact(before), fresh)).toEqual(expected);
  });

  it('counts what it does not list', () => {
    const missing = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const [text] = deviceDrift(patchAll, aFact(), aFact({ missing }));
    expect(text).toMatch(/packages p0, p1, p10, p11, p2 and 7 more$/);
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
          const changes = deviceDrift(command, before, after);
          const same = seal({ command, targets: [before] }) === seal({ command, targets: [after] });
          if (changes.length > 0) expect(same).toBe(false);
        }),
      );
    },
  );

  it('never grows long, whatever the service says', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), fc.string({ maxLength: 5000 }), (name, user) => {
        const sealed = aFact({ displayName: name });
        const changes = deviceDrift(reboot, sealed, aFact({ hostname: user, lastLoggedInUser: user }));
        for (const change of changes) expect(change.length).toBeLessThan(500);
      }),
    );
  });
});
