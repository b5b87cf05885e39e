/** Posts a card in its channel, or to its person where the channel will not have it; each attempt is a tracked call. */
import type { ChannelId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { CardRecord, ClaimedWork } from '../../store/records.ts';
import { contentRefused, placeRefuses } from '../faults.ts';
import { simpler } from '../understood.ts';
import type { CardMessage, Place, SlackWeb } from '../web.ts';
import type { TrackCall, Tracked } from './tracked-calls.ts';

export type PostCard = (card: CardRecord, work: ClaimedWork, message: CardMessage) => Promise<Tracked<Place>>;

type Web = Pick<SlackWeb, 'post' | 'openDirect'>;

export function createPostCard(web: Web, track: TrackCall, log: Log): PostCard {
  /** Blocks that Slack does not understand must not cost the message. */
  const postIn = async (
    card: CardRecord,
    work: ClaimedWork,
    channel: ChannelId,
    message: CardMessage,
  ): Promise<Tracked<Place>> => {
    const send = () => web.post(channel, message);
    const posted = await track({ card, work, kind: 'post', channel, send });
    if (posted.kind !== 'refused' || !contentRefused(posted.error)) return posted;
    const less = simpler(message);
    if (less === null) return posted;
    log.error(
      { event: 'card.content-refused', error: posted.error },
      'Slack refused the blocks of a card, posting a simpler form',
    );
    return postIn(card, work, channel, less);
  };

  return async (card, work, message) => {
    const posted = await postIn(card, work, card.channel, message);
    const refused = posted.kind === 'refused' && placeRefuses(posted.error);
    if (!refused || card.fallbackPerson === null) return posted;
    const direct = await web.openDirect(card.fallbackPerson);
    return direct.kind === 'ok' ? postIn(card, work, direct.value, message) : direct;
  };
}
