/** Paged reads: channels, and the history of one. Throws what its client throws. */
import type {
  ConversationsHistoryResponse,
  ConversationsInfoResponse,
  ConversationsRepliesResponse,
  WebClient,
} from '@slack/web-api';
import type { Instant } from '../../lib/clock.ts';
import {
  type CardKey,
  type ChannelId,
  channelId,
  isCardKey,
  type MessageTs,
  messageTs,
  type PersonId,
  personId,
} from '../../lib/ids.ts';

export type MemberChannel = { readonly id: ChannelId; readonly name: string; readonly isPrivate: boolean };

/** A part of a channel's history between two times on Slack's clock; `cursor` continues after a page. */
export type HistoryPart = {
  readonly oldest: Instant;
  readonly latest: Instant;
  readonly cursor: string | null;
  /** Only the replies to this message, which no channel's history contains. */
  readonly thread?: MessageTs;
};
export type HistoryPage = {
  readonly cards: readonly FoundCardMessage[];
  /** Cursor of the next page; null where there is none. */
  readonly cursor: string | null;
};
/** A message with the metadata of a card. Any app may have written it. */
export type FoundCardMessage = {
  readonly key: CardKey;
  readonly ts: MessageTs;
  readonly user: PersonId | null;
  readonly botId: string | null;
  /** Somebody replied in its thread, or reacted to it. */
  readonly hasRepliesOrReactions: boolean;
};

/** "No more than 200 results at a time" is recommended (docs.slack.dev/reference/methods/conversations.history). */
const HISTORY_PAGE_SIZE = 200;

/** Of a page: "an integer under 1000" (docs.slack.dev, users.conversations). */
const CHANNELS_PAGE_SIZE = 999;

/**
 * Channels of the bot; with `user` those of that person, and private ones only where both are members
 * (docs.slack.dev/reference/methods/users.conversations, argument `user`).
 */
export async function readMemberChannels(
  reads: WebClient,
  whose: { readonly types: string; readonly user?: PersonId },
): Promise<readonly MemberChannel[]> {
  const found: MemberChannel[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const answer = await reads.users.conversations({
      ...whose,
      exclude_archived: true,
      limit: CHANNELS_PAGE_SIZE,
      ...(cursor === '' ? {} : { cursor }),
    });
    for (const { id, name, is_private: isPrivate = true } of answer.channels ?? [])
      if (id !== undefined) found.push({ id: channelId(id), name: name ?? '', isPrivate });
    const next: string | undefined = answer.response_metadata?.next_cursor;
    cursor = next === '' ? undefined : next;
  }
  return found;
}

export async function readIsExternal(reads: WebClient, channel: ChannelId): Promise<boolean | null> {
  return isExternalChannel((await reads.conversations.info({ channel })).channel);
}

/**
 * True where a flag or a list of teams says that the channel is shared; null where there are no flags
 * (docs.slack.dev/reference/objects/conversation-object).
 */
export function isExternalChannel(found: ConversationsInfoResponse['channel']): boolean | null {
  if (found === undefined) return null;
  const { is_ext_shared, is_pending_ext_shared, connected_team_ids = [] } = found;
  const { pending_shared = [], pending_connected_team_ids = [] } = found;
  const others = [connected_team_ids, pending_shared, pending_connected_team_ids];
  if (is_ext_shared === true || is_pending_ext_shared === true) return true;
  if (others.some(({ length }) => length > 0)) return true;
  return is_ext_shared === undefined ? null : false;
}

/** A page of a channel's history, or of a thread in it, only messages of cards. `oldest` and `latest` are on Slack's clock. */
export async function readCardsInHistory(
  reads: WebClient,
  channel: ChannelId,
  { oldest, latest, cursor, thread }: HistoryPart,
): Promise<HistoryPage> {
  const part = {
    channel,
    oldest: String(Math.max(oldest, 0) / 1_000),
    latest: String(latest / 1_000),
    include_all_metadata: true,
    limit: HISTORY_PAGE_SIZE,
    ...(cursor === null ? {} : { cursor }),
  };
  const answer =
    thread === undefined
      ? await reads.conversations.history(part)
      : await reads.conversations.replies({ ...part, ts: thread });
  const next = answer.response_metadata?.next_cursor ?? '';
  return { cards: (answer.messages ?? []).flatMap(readCardMessage), cursor: next === '' ? null : next };
}

type HistoryMessage = NonNullable<
  ConversationsHistoryResponse['messages'] | ConversationsRepliesResponse['messages']
>[number];

function readCardMessage(message: HistoryMessage): readonly FoundCardMessage[] {
  const payload: Readonly<Record<string, unknown>> | undefined = message.metadata?.event_payload;
  const key = payload?.['key'];
  if (message.ts === undefined || !isCardKey(key)) return [];
  const { user = null, bot_id: botId = null, reply_count: replies = 0, reactions = [] } = message;
  const hasRepliesOrReactions = replies > 0 || reactions.length > 0;
  return [
    {
      key,
      ts: messageTs(message.ts),
      user: user === null ? null : personId(user),
      botId,
      hasRepliesOrReactions,
    },
  ];
}
