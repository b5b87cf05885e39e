import { describe, expect, it } from 'vitest';
import { transition } from '../../../src/requests/decide/state-machine.ts';
import { aRollout } from '../../harness/rollouts.ts';
import { aRequest, BOB, NOW } from '../builders.ts';

const waiting = (devices: number) =>
  aRequest({
    counts: { ready: devices, open: devices },
    rollout: aRollout(devices),
    typedCount: devices >= 25,
  });
const approve = { kind: 'approve', by: BOB, role: 'approver', seal: 'seal-1' } as const;
const refusalOf = (...given: Parameters<typeof transition>) => {
  const result = transition(...given);
  return result.kind === 'refused' ? result.refusal.kind : null;
};

describe('the approval of many devices', () => {
  it.each([
    ['their number was typed', 40, 40, null],
    ['another number was typed', 40, 39, 'count-not-typed'],
    ['no number was typed', 40, undefined, 'count-not-typed'],
    ['there are few', 24, undefined, null],
  ])('where %s', (_what, count, devices, refusal) => {
    expect(refusalOf(waiting(count), { ...approve, devices }, NOW)).toBe(refusal);
  });

  it('looks at the seal first, because the number may be that of the same card', () => {
    expect(refusalOf(waiting(40), { ...approve, seal: 'seal-0', devices: 40 }, NOW)).toBe('stale-card');
  });

  it('is denied without a number', () => {
    expect(refusalOf(waiting(40), { ...approve, kind: 'deny' }, NOW)).toBeNull();
  });
});
