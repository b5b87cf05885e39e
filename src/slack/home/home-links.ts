/** Links to cards. A message's address never changes, so Slack is asked once for each. */
import type { CardKey } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { SlackWeb } from '../web.ts';

const MOST_KEPT = 1_000;

export type HomeLinks = (keys: readonly CardKey[]) => Promise<ReadonlyMap<CardKey, string>>;

/** Those that stand somewhere; a link that Slack does not give now is left out. */
export function createHomeLinks(store: Pick<Store, 'cards'>, web: Pick<SlackWeb, 'permalink'>): HomeLinks {
  const kept = new Map<string, string>();

  const linkTo = async (key: CardKey): Promise<string | null> => {
    const card = await store.cards.get(key);
    if (card === null || card.postedChannel === null || card.ts === null) return null;
    const place = `${card.postedChannel} ${card.ts}`;
    const known = kept.get(place);
    if (known !== undefined) return known;
    const link = await web.permalink({ channel: card.postedChannel, ts: card.ts });
    if (kept.size >= MOST_KEPT) kept.clear();
    if (link !== null) kept.set(place, link);
    return link;
  };

  return async (keys) => {
    const found = await Promise.all(keys.map(async (key) => [key, await linkTo(key)] as const));
    return new Map(found.filter((one): one is [CardKey, string] => one[1] !== null));
  };
}
