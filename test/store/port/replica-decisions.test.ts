/** Shares and tokens under random events: together the replicas never exceed the limits. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BUDGET_UNITS,
  LEADER_LEASE_MS,
  type Leadership,
  nextBudgetShare,
  nextLeadership,
  type ReplicaShare,
  SHARE_HOLD_MS,
  SHARE_LEASE_MS,
  takeTokenAt,
} from '../../../src/store/port/replica-records.ts';
import { property } from '../../harness/property.ts';
import { runs } from '../../harness/runs.ts';

/** One replica's own view: its share, and until when. */
type Span = { readonly share: number; readonly from: number; until: number };

const most = (spans: readonly Span[], from: number, to: number): number =>
  spans
    .filter((span) => span.from <= to && span.until > from)
    .reduce((sum, { share }) => Math.max(sum, share), 0);

describe('shares of the budget', () => {
  const step = fc.record({
    after: fc.integer({ min: 0, max: 4_000 }),
    replica: fc.integer({ min: 0, max: 5 }),
    does: fc.constantFrom('beat', 'beat', 'beat', 'beat', 'lose the answer', 'leave', 'start anew'),
  });
  property([fc.array(step, { minLength: 1, maxLength: 80 })], { numRuns: runs(500) })(
    'never exceed the whole within a window, however replicas come, fall silent and go',
    (steps) => {
      let now = 0;
      const rows = new Map<string, ReplicaShare>();
      const spans = new Map<string, Span[]>();
      const lives = [0, 0, 0, 0, 0, 0];
      for (const { after, replica, does } of steps) {
        now += after;
        if (does === 'start anew') lives[replica] = (lives[replica] ?? 0) + 1;
        const id = `${replica}-${lives[replica]}`;
        const own = spans.get(id) ?? [];
        spans.set(id, own);
        const last = own.findLast(({ until }) => until > now);
        if (does === 'leave') {
          if (last !== undefined) last.until = now;
          const row = rows.get(id);
          if (row !== undefined) rows.set(id, { ...row, until: now });
        } else if (does !== 'start anew') {
          const others = [...rows.values()].filter((row) => row.id !== id);
          const { claim, share } = nextBudgetShare(others, most(own, now - SHARE_HOLD_MS, now), now);
          rows.set(id, { id, claim, until: now + SHARE_LEASE_MS });
          if (does === 'beat') {
            if (last !== undefined) last.until = now;
            own.push({ share, from: now, until: now + SHARE_LEASE_MS });
          }
          for (const [key, row] of rows) if (row.until + SHARE_HOLD_MS <= now) rows.delete(key);
        }
        const used = [...spans.values()].reduce(
          (sum, list) => sum + most(list, now - SHARE_HOLD_MS + 1, now),
          0,
        );
        expect(used).toBeLessThanOrEqual(BUDGET_UNITS);
      }
    },
  );

  it('give a single replica half of the whole at once, and a joining one something at once', () => {
    const first = nextBudgetShare([], 0, 0);
    expect(first).toEqual({ claim: 500, share: 500 });
    const second = nextBudgetShare([{ id: 'a', claim: first.claim, until: SHARE_LEASE_MS }], 0, 1);
    expect(second.share).toBe(250);
  });

  it('lower a share at once, and free it only when its use no longer counts', () => {
    const other: ReplicaShare = { id: 'b', claim: 333, until: SHARE_LEASE_MS };
    expect(nextBudgetShare([other], 500, 0)).toEqual({ claim: 500, share: 333 });
    expect(nextBudgetShare([other], 333, 6_000)).toEqual({ claim: 333, share: 333 });
  });
});

describe('shared tokens', () => {
  const limit = { capacity: 5, windowMs: 1_000, reserve: 0 };
  property([fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 })])(
    'are never more than the capacity in any window, and wait no longer than they must',
    (gaps) => {
      let now = 0;
      let state: readonly number[] = [];
      const all: number[] = [];
      for (const gap of gaps) {
        now += gap;
        const next = takeTokenAt(state, limit, now);
        if (next.kind === 'taken') {
          state = next.taken;
          all.push(now);
        } else expect(takeTokenAt(state, limit, now + next.ms).kind).toBe('taken');
      }
      for (const at of all)
        expect(all.filter((one) => one >= at && one < at + limit.windowMs).length).toBeLessThanOrEqual(5);
    },
  );

  it('leave for people those that background work must not take', () => {
    const taken = [0, 0, 0];
    expect(takeTokenAt(taken, { capacity: 5, windowMs: 1_000, reserve: 2 }, 10)).toEqual({
      kind: 'wait',
      ms: 990,
    });
    expect(takeTokenAt(taken, { capacity: 5, windowMs: 1_000, reserve: 0 }, 10).kind).toBe('taken');
  });
});

describe('the leadership', () => {
  const held: Leadership = { holder: 'a', token: 3, until: 1_000 };
  it('stays with its holder as long as that one sends heartbeats', () => {
    expect(nextLeadership(held, 'b', 999)).toEqual(held);
    expect(nextLeadership(held, 'a', 999)).toEqual({ holder: 'a', token: 3, until: 999 + LEADER_LEASE_MS });
  });
  it('goes to the first heartbeat after it expired, with a new token', () => {
    expect(nextLeadership(held, 'b', 1_000)).toEqual({
      holder: 'b',
      token: 4,
      until: 1_000 + LEADER_LEASE_MS,
    });
    expect(nextLeadership({ ...held, holder: null }, 'b', 0)).toMatchObject({ holder: 'b', token: 4 });
  });
});
