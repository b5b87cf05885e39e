/** A Slack that keeps messages and can be told how each call ends; the real protocol is tested elsewhere. */
import type { Instant } from '../../src/clock.ts';
import { channelId, messageTs, type PersonId, personId, type UserGroupId } from '../../src/ids.ts';
import type { Asked, SlackFault } from '../../src/slack/faults.ts';
import type { CardMessage, Place, SlackWeb } from '../../src/slack/web.ts';

export type FakeMessage = Place & CardMessage & { readonly at: Instant; edits: number };
/** `lost`: the call did its work, and its answer was lost. */
export type Ending = SlackFault | { readonly kind: 'lost' };

export type FakeWeb = SlackWeb & {
  readonly messages: readonly FakeMessage[];
  readonly posts: () => number;
  /** How the next calls of this method end, in order; afterwards they succeed. */
  readonly next: (
    method: 'post' | 'update' | 'findCard' | 'userGroupMembers',
    ...endings: readonly Ending[]
  ) => void;
  readonly groups: Map<UserGroupId, readonly PersonId[]>;
};

const LOST: SlackFault = { kind: 'uncertain', detail: 'the answer was lost', inFlight: false };

export function createFakeWeb(now: () => Instant): FakeWeb {
  const messages: FakeMessage[] = [];
  const endings = new Map<string, Ending[]>();
  const groups = new Map<UserGroupId, readonly PersonId[]>();
  let posts = 0;

  const ending = async <T>(method: string, work: () => T): Promise<Asked<T>> => {
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
    next: (method, ...list) => void endings.set(method, [...(endings.get(method) ?? []), ...list]),
    identity: async () => ({
      kind: 'ok',
      value: { botUserId: personId('U0BOT'), teamId: 'T1', botId: null },
    }),
    post: (channel, message) => {
      posts += 1;
      return ending('post', () => {
        const place = { channel, ts: messageTs(`${messages.length + 1}.000001`) };
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
    findCard: (channel, key, since) =>
      ending('findCard', () => {
        const found = messages.find(
          (one) => one.channel === channel && one.metadata.event_payload['key'] === key && one.at >= since,
        );
        return found ? { channel: found.channel, ts: found.ts } : null;
      }),
    memberChannels: async () => ({ kind: 'ok', value: [] }),
    privateChannelsWith: async () => ({ kind: 'ok', value: [] }),
    openDirect: async (person) => ({ kind: 'ok', value: channelId(`D${person}`) }),
    userGroupMembers: (group) => ending('userGroupMembers', () => groups.get(group) ?? []),
    timeZone: async () => ({ kind: 'ok', value: null }),
    openView: async () => ({ kind: 'ok', value: 'V1' }),
    pushView: async () => ({ kind: 'ok', value: 'V2' }),
    updateView: async () => ({ kind: 'ok', value: null }),
    redrawView: async () => ({ kind: 'ok', value: 'H2' }),
    publishHome: async () => ({ kind: 'ok', value: null }),
  };
}
