/** A fake Slack that stores messages and can be told how each call ends; the real protocol is tested elsewhere. */
import type { Instant } from '../../../src/lib/clock.ts';
import {
  channelId,
  isCardKey,
  messageTs,
  type PersonId,
  personId,
  type UserGroupId,
} from '../../../src/lib/ids.ts';
import type { FoundCardMessage } from '../../../src/slack/web-api/paged-reads.ts';
import type { SlackError, SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../../../src/slack/web-api/slack-web.ts';

export const IDENTITY = {
  botUserId: personId('U0BOT'),
  teamId: 'T1',
  enterpriseId: null,
  isOrgWide: false,
  botId: null,
  appId: null,
  scopes: [],
};

export type FakeSlackMessage = MessageRef &
  CardMessage & {
    readonly at: Instant;
    edits: number;
    /** The bot id of another app, if it is not ours. */
    readonly botId?: string;
    readonly talkedAbout?: boolean;
  };
/** `lost`: the call took effect, and its answer was lost. */
export type CallEnding = SlackError | { readonly kind: 'lost' };

export type LateCall = {
  readonly received: Promise<void>;
  /** Takes effect; the caller has stopped waiting and already has its error. */
  readonly carryOut: () => void;
  /** Takes effect and answers the caller, who has waited. */
  readonly answer: () => void;
};

export type FakeSlackWeb = SlackWeb & {
  /** Existing messages; a test may add those of others. */
  readonly messages: FakeSlackMessage[];
  readonly posts: () => number;
  /** How many history pages were read. */
  readonly readings: () => number;
  /** How the next calls of this method end, in order; afterwards they succeed. */
  readonly next: (
    method: 'post' | 'update' | 'remove' | 'history' | 'userGroupMembers',
    ...endings: readonly CallEnding[]
  ) => void;
  /** The next call of this method is received, but takes effect and is answered only when the test says so. */
  readonly late: (method: 'post' | 'update') => LateCall;
  readonly groups: Map<UserGroupId, readonly PersonId[]>;
};

const HISTORY_PAGE = 100;

function cardIn({
  ts,
  metadata,
  botId,
  talkedAbout: hasRepliesOrReactions = false,
}: FakeSlackMessage): readonly FoundCardMessage[] {
  const key = metadata.event_payload['key'];
  const user = botId === undefined ? personId('U0BOT') : personId('U0OTHER');
  return isCardKey(key) ? [{ key, ts, user, botId: botId ?? null, hasRepliesOrReactions }] : [];
}

const LOST: SlackError = { kind: 'uncertain', detail: 'the answer was lost', inFlight: false };

type LateCallHolder = LateCall & { readonly take: <T>(work: () => T) => Promise<SlackResult<T>> };

const CALLER_GAVE_UP: SlackError = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true };

/** A call that nobody answers is given up at once, unless a test waits for its `received`. */
function createLateOne(): LateCallHolder {
  const received = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<'answer' | 'gave up'>();
  let carry = false;
  let isWaitedFor = false;
  let carryOut = (): void => {
    carry = true;
  };
  return {
    get received() {
      isWaitedFor = true;
      return received.promise;
    },
    carryOut: () => carryOut(),
    answer: () => answered.resolve('answer'),
    async take(work) {
      carryOut = () => void work();
      if (carry) work();
      received.resolve();
      if (!isWaitedFor) return CALLER_GAVE_UP;
      const how = await answered.promise;
      return how === 'answer' ? { kind: 'ok', value: work() } : CALLER_GAVE_UP;
    },
  };
}

export function createFakeSlackWeb(now: () => Instant): FakeSlackWeb {
  const messages: FakeSlackMessage[] = [];
  const endings = new Map<string, CallEnding[]>();
  const groups = new Map<UserGroupId, readonly PersonId[]>();
  let posts = 0;
  let readings = 0;
  let made = 0;

  const lateOnes = new Map<string, LateCallHolder[]>();
  const ending = async <T>(method: string, work: () => T): Promise<SlackResult<T>> => {
    const lateOne = lateOnes.get(method)?.shift();
    if (lateOne !== undefined) return lateOne.take(work);
    const end = endings.get(method)?.shift();
    if (end === undefined) return { kind: 'ok', value: work() };
    if (end.kind !== 'lost') return end;
    work();
    return LOST;
  };

  return {
    messages,
    groups,
    posts: () => posts,
    readings: () => readings,
    late: (method) => {
      const one = createLateOne();
      lateOnes.set(method, [...(lateOnes.get(method) ?? []), one]);
      return one;
    },
    next: (method, ...list) => void endings.set(method, [...(endings.get(method) ?? []), ...list]),
    identity: async () => ({
      kind: 'ok',
      value: IDENTITY,
    }),
    post: (channel, message) => {
      posts += 1;
      return ending('post', () => {
        made += 1;
        const place = { channel, ts: messageTs(`${made}.000001`) };
        messages.push({ ...message, ...place, at: now(), edits: 0 });
        return place;
      });
    },
    update: ({ channel, ts }, message) =>
      ending('update', () => {
        const index = messages.findIndex((one) => one.channel === channel && one.ts === ts);
        const old = messages[index];
        if (old) messages[index] = { ...old, ...message, edits: old.edits + 1 };
        return null;
      }),
    ephemeral: async () => ({ kind: 'ok', value: null }),
    say: async (channel) => ({ kind: 'ok', value: { channel, ts: messageTs('9.000001') } }),
    edit: async () => ({ kind: 'ok', value: null }),
    sendFile: async () => ({ kind: 'ok', value: null }),
    unfurl: async () => ({ kind: 'ok', value: null }),
    permalink: async ({ channel, ts }) => `https://slack.example/${channel}/${ts}`,
    remove: ({ channel, ts }) =>
      ending('remove', () => {
        const index = messages.findIndex((one) => one.channel === channel && one.ts === ts);
        if (index >= 0) messages.splice(index, 1);
        return null;
      }),
    cardsInHistory: (channel, { oldest, latest, cursor, thread }) => {
      readings += 1;
      return ending('history', () => {
        const from = Number(cursor ?? 0);
        const found = messages
          .filter((one) => one.channel === channel && one.at >= oldest && one.at <= latest)
          .filter((one) => one.thread?.ts === thread)
          .toReversed();
        const page = found.slice(from, from + HISTORY_PAGE);
        return {
          cards: page.flatMap(cardIn),
          cursor: from + HISTORY_PAGE < found.length ? `${from + HISTORY_PAGE}` : null,
        };
      });
    },
    memberChannels: async () => ({ kind: 'ok', value: [] }),
    privateChannelsWith: async () => ({ kind: 'ok', value: [] }),
    isExternal: async () => ({ kind: 'ok', value: false }),
    openDirect: async (person) => ({ kind: 'ok', value: channelId(`D${person}`) }),
    userGroupMembers: (group) => ending('userGroupMembers', () => groups.get(group) ?? []),
    timeZone: async () => ({ kind: 'ok', value: null }),
    isActive: async () => ({ kind: 'ok', value: true }),
    showView: async () => ({ kind: 'ok', value: { id: 'V1', hash: 'hash-1' } }),
    publishHome: async () => ({ kind: 'ok', value: null }),
  };
}
