/** Many ids in a short text, for a button or a window. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPermission, decideAccess, highestRole } from '../../src/lib/access.ts';
import {
  cardKey,
  channelId,
  isCardKey,
  packedIds,
  packIds,
  readCardKey,
  requestCardKey,
  requestId,
  unpackIds,
} from '../../src/lib/ids.ts';
import { property } from '../harness/property.ts';

const TEAM = channelId('C0TEAM');

describe('the key of a card', () => {
  it.each([
    ['approval', 'a_1', null, 'approval:a_1'],
    ['operation', 'o_1', null, 'operation:o_1'],
    ['alert', 'patch-failed-2', null, 'notice:patch-failed-2'],
    ['alert', 'patch-failed-2', TEAM, 'notice:patch-failed-2@C0TEAM'],
    ['pause', 'p_1', null, 'pause:p_1'],
    ['silence', '3', TEAM, 'silence:3@C0TEAM'],
    ['told', 'approval:a_1', null, 'told:approval:a_1'],
    ['returned', 'a_1.3', channelId('U0PERSON'), 'returned:a_1.3@U0PERSON'],
  ] as const)(
    'of the kind %s for %s in %s is %s, as it always was, and reads back',
    (kind, id, channel, key) => {
      expect(cardKey(kind, id, channel)).toBe(key);
      expect(readCardKey(key)).toEqual({ kind, id, channel });
    },
  );

  it('of a request tells whether somebody had to agree, as it always did', () => {
    const id = requestId('r_1');
    expect(requestCardKey({ id, expiresAt: null })).toBe('operation:r_1');
    expect(requestCardKey({ id, expiresAt: 0 })).toBe('approval:r_1');
  });

  it.each(['', 'approval', 'approvals:a_1', 'alert:1', 'constructor:1', 7, null])('is not %j', (value) => {
    expect(isCardKey(value)).toBe(false);
  });
});

describe('packed ids', () => {
  const ids = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength: 1 });
  property([ids])('come back, each once, lowest first', (all) => {
    expect(unpackIds(packIds(all))).toEqual([...new Set(all)].toSorted((a, b) => a - b));
  });

  it('take two signs each where a thousand stand among a million', () => {
    const ids = Array.from({ length: 1_000 }, (_, at) => 5_000_000 + at * 1_000);
    expect(packIds(ids).length).toBeLessThan(2_010);
  });

  it.each(['', '!', 'A', 'BA', 'Bg', 'é', '#1, #2'])('%j is none', (text) => {
    expect(unpackIds(text)).toBeNull();
    expect(packedIds.safeParse(text).success).toBe(false);
  });

  property([fc.string({ unit: fc.constantFrom(...'ABCghz0_-') })])(
    'whatever the text says, they are whole numbers above zero, each once',
    (text) => {
      const ids = unpackIds(text);
      if (ids === null) return;
      expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );
});

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
