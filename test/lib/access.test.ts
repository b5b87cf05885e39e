import { describe, expect, it } from 'vitest';
import { checkPermission, decideAccess, highestRole } from '../../src/lib/access.ts';

describe('permissions', () => {
  it.each([
    [null, 'read', false],
    [null, 'propose', false],
    [null, 'approve', false],
    ['viewer', 'read', true],
    ['viewer', 'propose', false],
    ['operator', 'read', true],
    ['operator', 'propose', true],
    ['operator', 'approve', false],
    ['approver', 'propose', true],
    ['approver', 'approve', true],
    ['admin', 'approve', true],
    ['operator', 'audit', false],
    ['approver', 'audit', true],
    ['admin', 'audit', true],
  ] as const)('%s may %s: %s', (role, need, allowed) => {
    expect(checkPermission(role, need).allowed).toBe(allowed);
  });

  it('a refusal names the required role', () => {
    expect(checkPermission('viewer', 'approve')).toEqual({ allowed: false, needed: 'approver' });
  });

  it('the highest of several roles counts', () => {
    expect(highestRole(['viewer', 'admin', 'operator'])).toBe('admin');
    expect(highestRole([])).toBeNull();
  });

  it.each([
    ['operator', 'approver', 'propose', 'allowed'],
    ['operator', 'approver', 'approve', 'unknown'],
    ['operator', 'approver', 'configure', 'refused'],
    ['operator', null, 'approve', 'refused'],
    [null, 'admin', 'read', 'unknown'],
    [null, null, 'read', 'refused'],
    ['admin', null, 'configure', 'allowed'],
  ] as const)('%s, and perhaps %s, may %s: %s', (role, maybe, need, verdict) => {
    expect(decideAccess({ role, maybe }, need)).toBe(verdict);
  });
});
