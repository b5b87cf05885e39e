/** Waiting until a card stands somewhere, so that a private answer can link to it. */
import type { CardKey, CardRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { Place } from '../web.ts';

export type CardEnd =
  | { readonly kind: 'posted'; readonly place: Place }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'delayed' };

export type CardWaits = {
  readonly settle: (key: CardKey, end: CardEnd) => void;
  readonly whenPosted: (key: CardKey, withinMs: number) => Promise<CardEnd>;
};

export function createCardWaits(store: Pick<Store, 'cards'>): CardWaits {
  const waiting = new Map<CardKey, Set<(end: CardEnd) => void>>();
  return {
    settle: (key, end) => {
      for (const resolve of waiting.get(key) ?? []) resolve(end);
      waiting.delete(key);
    },
    async whenPosted(key, withinMs) {
      const { promise, resolve } = Promise.withResolvers<CardEnd>();
      const others = waiting.get(key) ?? new Set();
      waiting.set(key, others.add(resolve));
      const timer = setTimeout(() => resolve({ kind: 'delayed' }), withinMs);
      try {
        const end = endOf(await store.cards.get(key));
        if (end !== null) resolve(end);
        return await promise;
      } finally {
        clearTimeout(timer);
        others.delete(resolve);
        if (others.size === 0) waiting.delete(key);
      }
    },
  };
}

function endOf(card: CardRecord | null): CardEnd | null {
  if (card === null) return null;
  if (card.failure !== null) return { kind: 'refused', error: card.failure };
  if (card.ts === null || card.postedChannel === null) return null;
  return { kind: 'posted', place: { channel: card.postedChannel, ts: card.ts } };
}
