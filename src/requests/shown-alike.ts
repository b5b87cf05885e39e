/** Whether a move of a target is worth an edit of its card. Pure. */
import type { RequestTarget } from '../store/port/request-records.ts';

/** Whether a card shows no difference: what a proof is compared with, and when it is looked at next, is on none. */
export function isShownAlike(before: RequestTarget, after: RequestTarget): boolean {
  const { before: baseline, missedAt, nextAt } = before;
  return JSON.stringify({ ...after, before: baseline, missedAt, nextAt }) === JSON.stringify(before);
}
