/** Posts a card in its channel, or as a direct message where the channel refuses it. Each attempt is a tracked call. */
import type { ChannelId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { CardRecord, ClaimedWork } from '../../store/port/records.ts';
import { simplerMessage } from '../web-api/send-with-fallback.ts';
import { isChannelRefused, isContentRefused } from '../web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { TrackCall, TrackedResult } from './tracked-calls.ts';

export type PostCard = (
  card: CardRecord,
  work: ClaimedWork,
  message: CardMessage,
) => Promise<TrackedResult<MessageRef>>;

type PostingWeb = Pick<SlackWeb, 'post' | 'openDirect'>;

export function createPostCard(web: PostingWeb, track: TrackCall, log: Log): PostCard {
  /** A message whose blocks Slack refuses is sent in a simpler form. */
  const postIn = async (
    card: CardRecord,
    work: ClaimedWork,
    channel: ChannelId,
    message: CardMessage,
  ): Promise<TrackedResult<MessageRef>> => {
    const send = () => web.post(channel, message);
    const posted = await track({ card, work, kind: 'post', channel, send });
    if (posted.kind !== 'refused' || !isContentRefused(posted.error)) return posted;
    const less = simplerMessage(message);
    if (less === null) return posted;
    log.error(
      { event: 'card.content-refused', error: posted.error },
      'Slack refused the blocks of a card, posting a simpler form',
    );
    return postIn(card, work, channel, less);
  };

  return async (card, work, message) => {
    const posted = await postIn(card, work, message.thread?.channel ?? card.channel, message);
    const refused = posted.kind === 'refused' && isChannelRefused(posted.error);
    if (!refused || card.fallbackPerson === null || message.thread) return posted;
    const direct = await web.openDirect(card.fallbackPerson);
    return direct.kind === 'ok' ? postIn(card, work, direct.value, message) : direct;
  };
}
