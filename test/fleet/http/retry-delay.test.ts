import { describe, expect, it } from 'vitest';
import type { FailedCall } from '../../../src/fleet/http/call-outcome.ts';
import { retryDelay } from '../../../src/fleet/http/calls.ts';
import { type FailureCause, fleetError } from '../../../src/fleet/http/errors.ts';

function failed(cause: FailureCause, more: Partial<FailedCall> = {}): FailedCall {
  const error = fleetError({ method: 'GET', path: '/servers' }, null, cause, '');
  return { kind: 'failed', error, sent: true, retryable: true, retryAfterMs: null, ...more };
}
const first = { attempts: 1, leftMs: 20_000, random: 0.5 };

describe('a read that failed', () => {
  it('is retried after a random part of a growing wait', () => {
    const broken = failed({ kind: 'broken' });
    expect(retryDelay(broken, first)).toBe(250);
    expect(retryDelay(broken, { ...first, attempts: 2 })).toBe(500);
    expect(retryDelay(broken, { ...first, random: 0 })).toBe(0);
  });

  it('is given up after three attempts', () => {
    expect(retryDelay(failed({ kind: 'broken' }), { ...first, attempts: 3 })).toBeNull();
  });

  it('is given up when a retry cannot help', () => {
    expect(retryDelay(failed({ kind: 'unauthorized' }, { retryable: false }), first)).toBeNull();
  });

  it('is given up when the wait does not fit into the deadline', () => {
    expect(retryDelay(failed({ kind: 'broken' }), { ...first, leftMs: 250 })).toBeNull();
    expect(retryDelay(failed({ kind: 'unreachable' }), { ...first, leftMs: 0, random: 0 })).toBeNull();
    expect(retryDelay(failed({ kind: 'broken' }, { retryAfterMs: 30_000 }), first)).toBeNull();
    expect(retryDelay(failed({ kind: 'throttled', retryAfterMs: 60_000 }), first)).toBeNull();
  });

  it('waits as long as the service asked', () => {
    expect(retryDelay(failed({ kind: 'broken' }, { retryAfterMs: 3_000 }), first)).toBe(3_000);
  });

  it('leaves the wait of a throttled read to the pause of all calls', () => {
    expect(retryDelay(failed({ kind: 'throttled', retryAfterMs: 3_000 }), first)).toBe(0);
  });
});
