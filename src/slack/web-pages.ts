/** What Slack gives in pages: channels, and the history of one. Throws what its client throws. */
import type { WebClient } from '@slack/web-api';
import { type Instant, later, MINUTE } from '../clock.ts';
import { type ChannelId, channelId, messageTs, type PersonId } from '../ids.ts';
import type { MemberChannel, Place } from './web.ts';

/** Slack's own time and the clock may differ; a card is looked for from a little before its first attempt. */
const LOOK_BACK_MS = 5 * MINUTE;
/** Pages of 200 messages that a look-up reads at most (limit: docs.slack.dev conversations.history, 999). */
const LOOK_UP_PAGES = 10;
const LOOK_UP_PAGE_SIZE = 200;

/** Of a page: "an integer under 1000" (docs.slack.dev, users.conversations). */
const CHANNELS_PAGE = 999;

/**
 * Of the bot; with `user` those of that person, and of the private ones only what both are members of
 * (docs.slack.dev/reference/methods/users.conversations, argument `user`).
 */
export async function memberChannels(
  reads: WebClient,
  whose: { readonly types: string; readonly user?: PersonId },
): Promise<readonly MemberChannel[]> {
  const found: MemberChannel[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const answer = await reads.users.conversations({
      ...whose,
      exclude_archived: true,
      limit: CHANNELS_PAGE,
      ...(cursor === '' ? {} : { cursor }),
    });
    for (const { id, name, is_private: isPrivate = true } of answer.channels ?? [])
      if (id !== undefined) found.push({ id: channelId(id), name: name ?? '', isPrivate });
    const next: string | undefined = answer.response_metadata?.next_cursor;
    cursor = next === '' ? undefined : next;
  }
  return found;
}

/** Reads the history newest first until the card or the first attempt is reached. */
export async function findCard(
  reads: WebClient,
  channel: ChannelId,
  key: string,
  since: Instant,
): Promise<Place | null> {
  const oldest = String(Math.max(later(since, -LOOK_BACK_MS), 0) / 1_000);
  let cursor: string | undefined;
  for (let page = 0; page < LOOK_UP_PAGES; page += 1) {
    const answer = await reads.conversations.history({
      channel,
      oldest,
      include_all_metadata: true,
      limit: LOOK_UP_PAGE_SIZE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const message of answer.messages ?? []) {
      const payload: Readonly<Record<string, unknown>> | undefined = message.metadata?.event_payload;
      if (payload?.['key'] === key && message.ts !== undefined) return { channel, ts: messageTs(message.ts) };
    }
    cursor = answer.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') return null;
  }
  throw new Error('the channel has more messages since the first attempt than a look-up reads');
}
