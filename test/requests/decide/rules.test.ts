import { describe, expect, it } from 'vitest';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { APPROVAL_EXPIRY_MS, needsApproval } from '../../../src/requests/decide/rules.ts';

describe('the rules', () => {
  it.each([
    { kind: 'scan' },
    { kind: 'policy-test', policyId: policyId(12) },
    { kind: 'device-edit', change: { customName: 'Front door' } },
    { kind: 'device-edit', change: { customName: null } },
  ] as const)('send a $kind at once', (command) => {
    expect(needsApproval(command)).toBe(false);
  });

  it.each([
    { kind: 'reboot' },
    { kind: 'patch-all' },
    { kind: 'patch-each', chosen: null },
    { kind: 'patch', packages: ['openssl'] },
    { kind: 'policy-remediate', policyId: policyId(12) },
    { kind: 'device-edit', change: { groupId: groupId(1) } },
    { kind: 'device-edit', change: { exception: false } },
    { kind: 'device-edit', change: { tags: [] } },
    { kind: 'device-edit', change: { addresses: [] } },
    { kind: 'device-edit', change: { customName: 'x', retag: { add: ['a'], remove: [] } } },
    { kind: 'group-edit', groupId: groupId(1), change: { notes: '' } },
    { kind: 'device-remove' },
    { kind: 'group-remove', groupId: groupId(1) },
    { kind: 'group-create', group: { name: 'x', parentId: groupId(1), refreshIntervalMinutes: 1440 } },
  ] as const)('require approval for $kind', (command) => {
    expect(needsApproval(command)).toBe(true);
  });

  it('let a request wait for thirty minutes', () => {
    expect(APPROVAL_EXPIRY_MS).toBe(1_800_000);
  });
});
