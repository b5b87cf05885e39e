/** Where a card goes and where it is looked for: its channel, or its person's direct message. */
import type { Instant } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { CardKey, CardRecord } from '../../store/records.ts';
import { type Asked, contentRefused, placeRefuses } from '../faults.ts';
import { simpler } from '../understood.ts';
import type { CardMessage, Place, SlackWeb } from '../web.ts';

export type CardPlaces = {
  /** Posts the card in its channel, or to its person where the channel will not have it. */
  readonly post: (card: CardRecord, message: CardMessage) => Promise<Asked<Place>>;
  /** The card where an earlier attempt may have left it, or null. */
  readonly find: (card: CardRecord, since: Instant) => Promise<Asked<Place | null>>;
};

export function createCardPlaces(web: SlackWeb, log: Log): CardPlaces {
  /** Blocks that Slack does not understand must not cost the message. */
  const postIn = async (channel: ChannelId, message: CardMessage): Promise<Asked<Place>> => {
    const posted = await web.post(channel, message);
    if (posted.kind !== 'refused' || !contentRefused(posted.error)) return posted;
    const less = simpler(message);
    if (less === null) return posted;
    log.error({ event: 'card.content-refused', error: posted.error }, 'posted in a simpler form');
    return postIn(channel, less);
  };

  /** A channel that we cannot read because we are no member cannot hold our card. */
  const findIn = async (channel: ChannelId, key: CardKey, since: Instant): Promise<Asked<Place | null>> => {
    const found = await web.findCard(channel, key, since);
    return found.kind === 'refused' && placeRefuses(found.error) ? { kind: 'ok', value: null } : found;
  };

  return {
    post: async (card, message) => {
      const posted = await postIn(card.channel, message);
      const refused = posted.kind === 'refused' && placeRefuses(posted.error);
      if (!refused || card.fallbackPerson === null) return posted;
      const direct = await web.openDirect(card.fallbackPerson);
      return direct.kind === 'ok' ? postIn(direct.value, message) : direct;
    },
    find: async (card, since) => {
      const inChannel = await findIn(card.channel, card.key, since);
      const decided = inChannel.kind !== 'ok' || inChannel.value !== null;
      if (decided || card.fallbackPerson === null) return inChannel;
      const direct = await web.openDirect(card.fallbackPerson);
      return direct.kind === 'ok' ? findIn(direct.value, card.key, since) : direct;
    },
  };
}
