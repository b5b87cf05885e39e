/** Waits until a card is posted, so that a private answer can link to it. */
import type { CardKey, CardRecord } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { MessageRef } from '../web-api/slack-web.ts';

export type PostResult =
  | { readonly kind: 'posted'; readonly message: MessageRef }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'delayed' };

export type PostWaiters = {
  readonly resolve: (key: CardKey, end: PostResult) => void;
  readonly whenPosted: (key: CardKey, withinMs: number) => Promise<PostResult>;
};

export function createPostWaiters(store: Pick<Store, 'cards'>): PostWaiters {
  const waiting = new Map<CardKey, Set<(end: PostResult) => void>>();
  return {
    resolve: (key, end) => {
      for (const resolve of waiting.get(key) ?? []) resolve(end);
      waiting.delete(key);
    },
    async whenPosted(key, withinMs) {
      const { promise, resolve } = Promise.withResolvers<PostResult>();
      const others = waiting.get(key) ?? new Set();
      waiting.set(key, others.add(resolve));
      const timer = setTimeout(() => resolve({ kind: 'delayed' }), withinMs);
      try {
        const end = postResultOf(await store.cards.get(key));
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

function postResultOf(card: CardRecord | null): PostResult | null {
  if (card === null) return null;
  if (card.failure !== null) return { kind: 'refused', error: card.failure };
  if (card.ts === null || card.postedChannel === null) return null;
  return { kind: 'posted', message: { channel: card.postedChannel, ts: card.ts } };
}
