import { describe, expect, it } from 'vitest';
import { EXPIRY_MS, needsApproval } from '../../src/approvals/policy.ts';

describe('the policy', () => {
  it('runs a scan at once', () => {
    expect(needsApproval({ kind: 'scan' })).toBe(false);
  });

  it.each([{ kind: 'reboot' }, { kind: 'patch-all' }, { kind: 'patch', packages: ['openssl'] }] as const)(
    'asks before $kind',
    (command) => {
      expect(needsApproval(command)).toBe(true);
    },
  );

  it('lets a request wait for thirty minutes', () => {
    expect(EXPIRY_MS).toBe(1_800_000);
  });
});
