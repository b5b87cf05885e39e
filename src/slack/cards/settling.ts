/**
 * Calls that we gave up waiting for and that Slack may still carry out: for a minute of wall time nothing is done that
 * their late effect would double or undo. Kept in memory: the calls of a process that ended ended with it.
 */
import { MINUTE, wallNow } from '../../clock.ts';
import type { CardKey } from '../../store/records.ts';

const SETTLES_MS = MINUTE;

export type Settling = {
  readonly begin: (card: CardKey) => void;
  /** Whether a late effect must still be reckoned with. */
  readonly isOpen: (card: CardKey) => boolean;
  /** True once, for a card whose call has settled by now. */
  readonly hasEnded: (card: CardKey) => boolean;
  readonly isKnown: (card: CardKey) => boolean;
};

export function createSettling(wall: () => number = wallNow): Settling {
  const until = new Map<CardKey, number>();
  return {
    begin: (card) => void until.set(card, wall() + SETTLES_MS),
    isOpen: (card) => {
      const open = wall() < (until.get(card) ?? 0);
      if (!open) until.delete(card);
      return open;
    },
    isKnown: (card) => until.has(card),
    hasEnded: (card) => {
      const end = until.get(card);
      if (end === undefined || wall() < end) return false;
      until.delete(card);
      return true;
    },
  };
}
