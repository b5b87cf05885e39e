import { describe, expect, it } from 'vitest';
import { later } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import { fingerprint, seal } from '../../../src/requests/decide/seal.ts';
import { aFact, NOW } from '../builders.ts';

const reboot = { kind: 'reboot' } as const;
const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;
const other = aFact({ deviceId: deviceId(43), hostname: 'web-02' });

describe('the seal', () => {
  const sealed = seal({ action: reboot, targets: [aFact()] });

  it.each([
    ['the hostname', { hostname: 'web-1' }],
    ['the group', { groupId: groupId(10) }],
    ['the connection', { connected: false }],
    ['a connection that is no longer known', { connected: null }],
    ['who logged in', { lastLoggedInUser: 'dave' }],
    ['an empty name of who logged in', { lastLoggedInUser: '' }],
    ['the name that it is shown by', { displayName: 'shop' }],
    ['the system', { osName: 'Debian' }],
    ['the version of the system', { osVersion: '24.04' }],
    ['the family of the system', { osFamily: 'Windows' }],
    ['a reboot that is no longer needed', { needsReboot: false }],
    ['a disconnect', { lastDisconnectTime: NOW }],
    ['the count of patches', { pendingPatches: 4 }],
    ['the missing packages', { missing: ['curl'] }],
    ['a policy', { policy: { name: null, type: null, status: null, digest: null } }],
    [
      'a package that requires a reboot',
      { packages: [{ name: 'curl', version: '8', severity: null, cves: [], requiresReboot: true }] },
    ],
    ['an exclusion from reports', { exception: true as const }],
    ['a deferral', { deferred: true as const }],
    ['the device', { deviceId: deviceId(43) }],
  ])('is broken by %s', (_what, change) => {
    expect(seal({ action: reboot, targets: [aFact(change)] })).not.toBe(sealed);
  });

  it('is broken by another command and by another package', () => {
    const seals = [
      reboot,
      { kind: 'patch-all' } as const,
      { kind: 'patch-each', chosen: null } as const,
      { kind: 'patch-each', chosen: { severities: ['critical'], named: [] } } as const,
      patch,
      { kind: 'patch', packages: ['curl'] } as const,
      { kind: 'policy-test', policyId: policyId(12) } as const,
      { kind: 'policy-remediate', policyId: policyId(12) } as const,
      { kind: 'policy-remediate', policyId: policyId(13) } as const,
    ];
    expect(new Set(seals.map((action) => seal({ action, targets: [aFact()] }))).size).toBe(seals.length);
  });

  it.each([
    ['its name', { name: 'Harden the firewall' }],
    ['a name that is no longer known', { name: null }],
    ['its type', { type: 'patch' }],
    ['how the device stands with it', { status: 1 }],
    ['its configuration', { digest: 'c0ffee' }],
    ['a configuration that is no longer shown', { digest: null }],
  ])('of a policy is broken by %s', (_what, change) => {
    const action = { kind: 'policy-remediate', policyId: policyId(12) } as const;
    const policy = { name: 'Harden SSH', type: 'custom', status: 0, digest: 'decade' };
    const changed = seal({ action, targets: [aFact({ policy: { ...policy, ...change } })] });
    expect(changed).not.toBe(seal({ action, targets: [aFact({ policy })] }));
  });

  it('does not depend on when the facts were read', () => {
    expect(seal({ action: reboot, targets: [aFact({ asOf: later(NOW, 1000) })] })).toBe(sealed);
  });

  it('does not depend on the order of devices and packages', () => {
    const one = seal({ action: patch, targets: [aFact({ missing: ['curl', 'openssl'] }), other] });
    const turned = { kind: 'patch', packages: ['openssl', 'curl'] } as const;
    expect(seal({ action: turned, targets: [other, aFact({ missing: ['openssl', 'curl'] })] })).toBe(one);
  });
});

describe('the fingerprint', () => {
  const print = fingerprint({ action: reboot, targets: [aFact(), other] });

  it('does not depend on the facts or the order', () => {
    const targets = [other, aFact({ hostname: 'renamed', connected: false })];
    expect(fingerprint({ action: reboot, targets })).toBe(print);
  });

  it('depends on the devices and on the command', () => {
    expect(fingerprint({ action: reboot, targets: [other] })).not.toBe(print);
    expect(fingerprint({ action: { kind: 'patch-all' }, targets: [aFact(), other] })).not.toBe(print);
    const prints = [12, 13].map((id) =>
      fingerprint({ action: { kind: 'policy-remediate', policyId: policyId(id) }, targets: [aFact()] }),
    );
    expect(new Set(prints).size).toBe(2);
  });

  it('is never a seal', () => {
    expect(print).not.toBe(seal({ action: reboot, targets: [aFact(), other] }));
  });
});
