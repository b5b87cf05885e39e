/** How often the card of an alert is drawn. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPostedAnew, nextDrawing } from '../../../src/alerts/life/pace.ts';
import { HOUR, type Instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { DrawnCount } from '../../../src/store/port/alert-records.ts';
import { START } from '../../harness/builders.ts';

const POLL_MS = 15 * SECOND;

/** Draws as the outbox does: at the time that was scheduled last, what is open then. */
function scene(first: number) {
  let card: DrawnCount = { open: first, drawnOpen: first, drawnAt: START, dueAt: START };
  let [open, members, now] = [first, first, START];
  let pending: Instant | null = null;
  const drawn: { readonly at: Instant; readonly open: number }[] = [{ at: START, open: first }];
  const drawDue = () => {
    if (pending === null || pending > now) return;
    drawn.push({ at: pending, open });
    pending = null;
  };
  return {
    drawn,
    last: () => drawn.at(-1) ?? { at: START, open: first },
    waits: () => pending !== null,
    now: () => now,
    advance(ms: number) {
      now = later(now, ms);
      drawDue();
    },
    change(to: number, all = members) {
      members = all;
      drawDue();
      open = to;
      card = nextDrawing(card, { members, open }, now);
      pending = pending === null || card.dueAt < pending ? card.dueAt : pending;
      drawDue();
    },
  };
}

function fixedWithin(hours: number, count = 10_000): number {
  const card = scene(count);
  const polls = (hours * HOUR) / POLL_MS;
  for (let poll = 1; poll <= polls; poll += 1) {
    card.advance(POLL_MS);
    card.change(Math.round(count * (1 - poll / polls)));
  }
  card.advance(HOUR);
  expect(card.last().open).toBe(0);
  return card.drawn.length;
}

function failedWithin(hours: number, count = 10_000): number {
  const card = scene(1);
  const polls = (hours * HOUR) / POLL_MS;
  for (let poll = 1; poll <= polls; poll += 1) {
    card.advance(POLL_MS);
    const failed = Math.max(Math.round((count * poll) / polls), 1);
    card.change(failed, failed);
  }
  card.advance(HOUR);
  expect(card.last().open).toBe(count);
  return card.drawn.length;
}

describe('the pace of a card', () => {
  it.each([1 / 6, 1, 8])('draws 10,000 fixes within %s hours in at most 60 calls', (hours) => {
    expect(fixedWithin(hours)).toBeLessThanOrEqual(60);
  });

  it.each([1 / 60, 1, 8])('draws 10,000 failures within %s hours in at most 60 calls', (hours) => {
    expect(failedWithin(hours)).toBeLessThanOrEqual(60);
  });

  it('draws every change of a small alert, and the first and the last of a large one, at once', () => {
    const small = scene(20);
    for (const open of [19, 18, 17]) small.change(open);
    expect(small.drawn.map(({ open }) => open)).toEqual([20, 19, 18, 17]);
    const large = scene(500);
    large.change(499);
    expect(large.last().open).toBe(500);
    large.change(0);
    large.change(1);
    expect(large.drawn.map(({ open }) => open)).toEqual([500, 0, 1]);
  });

  it('is never more than 20 minutes behind, and forgets no change', () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 10 * MINUTE }),
      by: fc.integer({ min: -400, max: 200 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const card = scene(1_000);
        let [open, members] = [1_000, 1_000];
        let behindSince: Instant | null = null;
        for (const { ms, by } of steps) {
          for (let left = ms; left > 0; left -= POLL_MS) card.advance(Math.min(left, POLL_MS));
          open = Math.max(open + by, 0);
          members = Math.max(members, open);
          card.change(open, members);
          const isBehind = card.last().open !== open;
          behindSince = isBehind ? (behindSince ?? card.now()) : null;
          if (isBehind) expect(card.waits()).toBe(true);
          if (behindSince !== null && card.last().at > behindSince) behindSince = card.last().at;
          expect(card.now() - (behindSince ?? card.now())).toBeLessThanOrEqual(20 * MINUTE);
        }
        card.advance(20 * MINUTE);
        expect(card.last().open).toBe(open);
      }),
      { numRuns: 500 },
    );
  });

  it('shows a decrease within one poll once a twentieth of all is fixed', () => {
    const card = scene(1_000);
    card.change(951);
    card.advance(POLL_MS);
    card.change(950);
    card.advance(POLL_MS);
    expect(card.last().open).toBe(950);
  });

  it('posts what is new on a card of half a day as a new card', () => {
    expect(isPostedAnew({ startedAt: START }, later(START, 12 * HOUR))).toBe(false);
    expect(isPostedAnew({ startedAt: START }, later(START, 12 * HOUR + 1))).toBe(true);
  });
});
