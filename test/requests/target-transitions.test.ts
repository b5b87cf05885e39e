import { describe, expect, it } from 'vitest';
import type { FleetError } from '../../src/fleet/fleet.ts';
import { later } from '../../src/lib/clock.ts';
import {
  afterSending,
  dueSince,
  notSent,
  unsent,
  unsentBecause,
} from '../../src/requests/target-transitions.ts';
import { countIn } from '../../src/rollout/results.ts';
import { totalOf } from '../../src/store/port/request-records.ts';
import { aRequest, aTarget, NOW, SENT } from './builders.ts';
import { anError } from './fleet-builders.ts';

const reboot = { kind: 'reboot' } as const;
const claimed = aTarget({ state: 'issuing', acceptedAt: null });

describe('the evidence for a command that was not carried out', () => {
  it.each<readonly [string, FleetError, object]>([
    [
      'it was refused',
      anError('forbidden', 403),
      { kind: 'refused', error: { kind: 'forbidden', status: 403, detail: '', held: null } },
    ],
    [
      'it was refused in words',
      { ...anError('forbidden', 422), kind: 'invalid', detail: 'no such\ncommand' },
      { kind: 'refused', error: { kind: 'invalid', status: 422, detail: 'no such command', held: null } },
    ],
    [
      'there were too many',
      { ...anError('timeout', 429), kind: 'throttled', retryAfterMs: 1_000 },
      { kind: 'refused', error: { kind: 'throttled', status: 429, detail: '', held: null } },
    ],
    [
      'it could not be expressed',
      { ...anError('missing', null), kind: 'invalid', fault: { kind: 'blank-tag' } },
      { kind: 'unsendable', fault: { kind: 'blank-tag' } },
    ],
  ])('%s', (_what, error, evidence) => {
    expect(afterSending(claimed, reboot, { kind: 'refused', error }, SENT)).toMatchObject({
      state: 'refused',
      endedAt: SENT,
      evidence: [evidence],
    });
  });

  it('an accepted one was not seen in the queue yet', () => {
    expect(afterSending(claimed, reboot, { kind: 'accepted' }, SENT)).toMatchObject({
      state: 'accepted',
      evidence: [{ kind: 'accepted', inQueue: 'not-yet' }],
    });
  });
});

describe('a target of which nothing was sent', () => {
  const error = { ...anError('unreachable', null), held: { kind: 'stopping' } } as const;

  it('is ready again for a time, and says why', () => {
    expect(unsent(claimed, unsentBecause(error), later(SENT, 5_000))).toMatchObject({
      state: 'ready',
      endedAt: null,
      nextAt: later(SENT, 5_000),
      evidence: [
        {
          kind: 'unsent',
          error: { kind: 'unreachable', status: null, detail: '', held: { kind: 'stopping' } },
        },
      ],
    });
  });

  it('has ended where it is not to be sent any more', () => {
    const waiting = { ...claimed, nextAt: SENT };
    expect(notSent(waiting, { kind: 'delayed' }, SENT)).toMatchObject({
      state: 'not_sent',
      endedAt: SENT,
      nextAt: null,
      evidence: [{ kind: 'delayed' }],
    });
  });
});

describe('the counts of targets', () => {
  const counts = { ready: 2, verified: 2, not_verified: 1, open: 2, failed: 1 };

  it('sum to all of them, with open and failed ones counted once', () => {
    expect(totalOf(counts)).toBe(5);
    expect(countIn(counts, ['verified', 'refused', 'not_verified'])).toBe(3);
  });
});

describe('since when a request is due', () => {
  it.each([
    ['asked where nobody has to agree', { expiresAt: null, createdAt: NOW }, 'requested', NOW],
    ['approved', { decidedAt: SENT }, 'approved', SENT],
  ] as const)('is when it was %s', (_what, change, how, since) => {
    expect(dueSince(aRequest(change))).toEqual({ how, since });
  });
});
