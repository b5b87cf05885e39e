import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { later } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import { fingerprint, seal } from '../../../src/requests/decide/seal.ts';
import { somePackages } from '../../harness/records.ts';
import { aFact, NOW } from '../builders.ts';

const reboot = { kind: 'reboot' } as const;
const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;
const other = aFact({ deviceId: deviceId(43), hostname: 'web-02' });

describe('the seal', () => {
  const sealed = seal({ action: reboot, targets: [aFact()] });

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
      { kind: 'device-edit', change: { groupId: groupId(9) } } as const,
      { kind: 'device-edit', change: { groupId: groupId(10) } } as const,
    ];
    expect(new Set(seals.map((action) => seal({ action, targets: [aFact()] }))).size).toBe(seals.length);
  });

  it('does not depend on when the facts were read', () => {
    expect(seal({ action: reboot, targets: [aFact({ asOf: later(NOW, 1000) })] })).toBe(sealed);
  });

  it('does not depend on the order of devices and packages', () => {
    const one = seal({
      action: patch,
      targets: [aFact({ packages: somePackages('curl', 'openssl') }), other],
    });
    const turned = { kind: 'patch', packages: ['openssl', 'curl'] } as const;
    expect(
      seal({ action: turned, targets: [other, aFact({ packages: somePackages('openssl', 'curl') })] }),
    ).toBe(one);
    const [retag, again] = [
      ['a', 'b'],
      ['b', 'a', 'b'],
    ].map((add) =>
      seal({ action: { kind: 'device-edit', change: { retag: { add, remove: [] } } }, targets: [aFact()] }),
    );
    expect(retag).toBe(again);
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
    const actions = [12, 13].flatMap((id): readonly FleetAction[] => [
      { kind: 'policy-remediate', policyId: policyId(id) },
      { kind: 'device-edit', change: { groupId: groupId(id) } },
      { kind: 'group-edit', groupId: groupId(id), change: { notes: 'x' } },
    ]);
    const prints = actions.map((action) => fingerprint({ action, targets: [aFact()] }));
    expect(new Set(prints).size).toBe(actions.length);
  });

  it('is never a seal', () => {
    expect(print).not.toBe(seal({ action: reboot, targets: [aFact(), other] }));
  });
});
