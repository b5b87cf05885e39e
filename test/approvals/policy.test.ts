import { describe, expect, it } from 'vitest';
import { EXPIRY_MS, needsApproval } from '../../src/approvals/policy.ts';
import { policyId } from '../../src/ids.ts';

describe('the policy', () => {
  it.each([{ kind: 'scan' }, { kind: 'policy-test', policyId: policyId(12) }] as const)(
    'runs a $kind at once',
    (command) => {
      expect(needsApproval(command)).toBe(false);
    },
  );

  it.each([
    { kind: 'reboot' },
    { kind: 'patch-all' },
    { kind: 'patch', packages: ['openssl'] },
    { kind: 'policy-remediate', policyId: policyId(12) },
  ] as const)('asks before $kind', (command) => {
    expect(needsApproval(command)).toBe(true);
  });

  it('lets a request wait for thirty minutes', () => {
    expect(EXPIRY_MS).toBe(1_800_000);
  });
});
