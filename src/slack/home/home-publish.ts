/** Links to cards. A message's permalink never changes, so Slack is asked once for each. */

import { alertId, cardKey, type PersonId, readCardKey } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { CardKey, CardRecord } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import { simplifiedHome } from '../../views/home/home-plain.ts';
import type { HomeTab } from '../../views/home/home-tab.ts';
import { isWindowRefused, type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

const MAX_CACHED_LINKS = 1_000;

export type ReadCardLinks = (keys: readonly CardKey[]) => Promise<ReadonlyMap<CardKey, string>>;

/** Links of the cards that are posted; one that Slack does not give now is left out. */
export function createCardLinkCache(
  store: Pick<Store, 'cards' | 'deliveries'>,
  web: Pick<SlackWeb, 'permalink'>,
): ReadCardLinks {
  const cache = new Map<string, string>();

  const linkTo = async (key: CardKey): Promise<string | null> => {
    const card = (await store.cards.get(key)) ?? (await sharedCard(store, key));
    if (card === null || card.postedChannel === null || card.ts === null) return null;
    const place = `${card.postedChannel} ${card.ts}`;
    const known = cache.get(place);
    if (known !== undefined) return known;
    const link = await web.permalink({ channel: card.postedChannel, ts: card.ts });
    if (cache.size >= MAX_CACHED_LINKS) cache.clear();
    if (link !== null) cache.set(place, link);
    return link;
  };

  return async (keys) => {
    const found = await Promise.all(keys.map(async (key) => [key, await linkTo(key)] as const));
    return new Map(found.filter((one): one is [CardKey, string] => one[1] !== null));
  };
}

/** The card of an alert that was added to the card of an earlier one. */
async function sharedCard(
  store: Pick<Store, 'cards' | 'deliveries'>,
  key: CardKey,
): Promise<CardRecord | null> {
  const { kind, id } = readCardKey(key);
  if (kind !== 'alert') return null;
  for (const { card } of await store.deliveries.of(alertId(id))) {
    const found = card === null ? null : await store.cards.get(cardKey('alert', card));
    if (found !== null) return found;
  }
  return null;
}

/** Publishes a Home; in its simplest form where Slack refuses the full one. */
export type PublishHome = (person: PersonId, tab: HomeTab) => Promise<SlackResult<null>>;

/**
 * Returns the outcome of the last attempt. The same blocks would be refused again, so the second attempt uses the
 * simple form.
 */
export function createPublishHome(web: Pick<SlackWeb, 'publishHome'>, log: Log): PublishHome {
  return async (person, tab) => {
    const ended = await web.publishHome(person, tab);
    if (ended.kind !== 'refused' || !isWindowRefused(ended.error)) return ended;
    log.warn(
      { event: 'home.refused', person, reason: slackErrorText(ended) },
      'Slack refused a Home, publishing it as plain text',
    );
    return web.publishHome(person, simplifiedHome(tab));
  };
}
