/** Slack's Web API as far as the product uses it: transport only. Outcomes are values; nothing here throws. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { AuthTestResponse, ChatPostMessageArguments } from '@slack/web-api';
import type { Instant } from '../clock.ts';
import {
  type CardKey,
  type ChannelId,
  channelId,
  type MessageTs,
  messageTs,
  type PersonId,
  personId,
  type UserGroupId,
} from '../ids.ts';
import type { HomeTab } from '../views/home/home.ts';
import type { Block, RenderedMessage } from '../views/model.ts';
import type { SlackClients } from './clients.ts';
import { type Asked, readFault } from './faults.ts';
import { cardsInHistory, isExternal, memberChannels } from './web-pages.ts';

export type Place = { readonly channel: ChannelId; readonly ts: MessageTs };
export type CardMetadata = {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string>>;
};
export type CardMessage = RenderedMessage & { readonly metadata: CardMetadata };
export type Identity = {
  readonly botUserId: PersonId;
  readonly teamId: string;
  /** Of the Enterprise Grid that the team belongs to; null: none is stated. */
  readonly enterpriseId: string | null;
  /** Installed for all teams of the enterprise at once. */
  readonly isOrgWide: boolean;
  readonly botId: string | null;
  /** Null where Slack does not say: then nothing is checked for it. */
  readonly appId: string | null;
  /** What the token may do now; a reinstalled app may have others with the same token. */
  readonly scopes: readonly string[];
};

/** A window as the builders of `views` make it. */
export type Modal = Omit<ModalView, 'blocks'> & { readonly blocks: readonly Block[] };

export type MemberChannel = { readonly id: ChannelId; readonly name: string; readonly isPrivate: boolean };

/** A part of a channel's history, between two times on Slack's clock; `cursor` goes on where a page ended. */
export type HistoryPart = {
  readonly oldest: Instant;
  readonly latest: Instant;
  readonly cursor: string | null;
};
export type HistoryPage = {
  readonly cards: readonly CardMessageFound[];
  /** Of the next page; null where there is none. */
  readonly cursor: string | null;
};
/** A message with the metadata of a card. Anybody's app may have written it. */
export type CardMessageFound = {
  readonly key: CardKey;
  readonly ts: MessageTs;
  readonly user: PersonId | null;
  readonly botId: string | null;
  /** Somebody replied in its thread, or reacted to it. */
  readonly talkedAbout: boolean;
};

export type SlackWeb = {
  readonly identity: () => Promise<Asked<Identity>>;
  readonly post: (channel: ChannelId, message: CardMessage) => Promise<Asked<Place>>;
  readonly update: (place: Place, message: CardMessage) => Promise<Asked<null>>;
  readonly ephemeral: (
    channel: ChannelId,
    person: PersonId,
    message: RenderedMessage,
    thread?: MessageTs,
  ) => Promise<Asked<null>>;
  /** A message that is no card: said once, not looked for. */
  readonly say: (channel: ChannelId, message: RenderedMessage, thread?: MessageTs) => Promise<Asked<Place>>;
  readonly edit: (place: Place, message: RenderedMessage) => Promise<Asked<null>>;
  readonly permalink: (place: Place) => Promise<string | null>;
  /** Removes a message of ours. */
  readonly remove: (place: Place) => Promise<Asked<null>>;
  /** A page of the channel's history, as far as it holds cards, whoever posted them. */
  readonly cardsInHistory: (channel: ChannelId, part: HistoryPart) => Promise<Asked<HistoryPage>>;
  /** The channels, private ones too, that the bot is a member of. */
  readonly memberChannels: () => Promise<Asked<readonly MemberChannel[]>>;
  /** The private channels that the bot and this person are both members of. */
  readonly privateChannelsWith: (person: PersonId) => Promise<Asked<readonly MemberChannel[]>>;
  /** Whether another organization reads the channel, or is invited to; null where Slack does not say. */
  readonly isExternal: (channel: ChannelId) => Promise<Asked<boolean | null>>;
  readonly openDirect: (person: PersonId) => Promise<Asked<ChannelId>>;
  readonly userGroupMembers: (group: UserGroupId) => Promise<Asked<readonly PersonId[]>>;
  /** By its IANA name; null where Slack has none. */
  readonly timeZone: (person: PersonId) => Promise<Asked<string | null>>;
  /** Opens a window and gives its id. */
  readonly openView: (triggerId: string, view: Modal) => Promise<Asked<string>>;
  /** The same over the window in which the trigger was made. */
  readonly pushView: (triggerId: string, view: Modal) => Promise<Asked<string>>;
  readonly updateView: (viewId: string, view: Modal) => Promise<Asked<null>>;
  /** The same where the window is still as it was at `hash`; gives its new one. */
  readonly redrawView: (viewId: string, view: Modal, hash: string) => Promise<Asked<string>>;
  /** Shows below a message what the links in it are about; by address. */
  readonly unfurl: (place: Place, shown: ReadonlyMap<string, RenderedMessage>) => Promise<Asked<null>>;
  /** Posts a text file in a channel, for whoever is there. */
  readonly sendFile: (
    channel: ChannelId,
    file: { readonly name: string; readonly text: string },
  ) => Promise<Asked<null>>;
  readonly publishHome: (person: PersonId, view: HomeTab) => Promise<Asked<null>>;
};

export function createSlackWeb({ writes, reads }: SlackClients): SlackWeb {
  return {
    identity: () =>
      asked(async () => {
        const answer = await reads.auth.test();
        return readIdentity(answer, await appIdOf(reads, answer.bot_id));
      }),
    post: (channel, message) =>
      asked(async () => {
        const answer = await writes.chat.postMessage({
          channel,
          ...body(message),
        } satisfies ChatPostMessageArguments);
        return placeOf(answer, channel);
      }),
    say: (channel, message, thread) =>
      asked(async () => {
        const answer = await writes.chat.postMessage({ channel, ...words(message), ...inThread(thread) });
        return placeOf(answer, channel);
      }),
    edit: ({ channel, ts }, message) =>
      asked(async () => {
        await writes.chat.update({ channel, ts, ...words(message) });
        return null;
      }),
    update: ({ channel, ts }, message) =>
      asked(async () => {
        await writes.chat.update({ channel, ts, ...body(message) });
        return null;
      }),
    ephemeral: (channel, user, { text, blocks }, thread) =>
      asked(async () => {
        await writes.chat.postEphemeral({
          channel,
          user,
          text,
          blocks: known(blocks),
          ...inThread(thread),
        });
        return null;
      }),
    permalink: async ({ channel, ts }) => {
      const link = await asked(() => reads.chat.getPermalink({ channel, message_ts: ts }));
      return link.kind === 'ok' ? (link.value.permalink ?? null) : null;
    },
    remove: ({ channel, ts }) =>
      asked(async () => {
        await writes.chat.delete({ channel, ts });
        return null;
      }),
    cardsInHistory: (channel, part) => asked(() => cardsInHistory(reads, channel, part)),
    memberChannels: () => asked(() => memberChannels(reads, { types: 'public_channel,private_channel' })),
    privateChannelsWith: (user) => asked(() => memberChannels(reads, { types: 'private_channel', user })),
    isExternal: (channel) => asked(() => isExternal(reads, channel)),
    openDirect: (person) =>
      asked(async () => {
        const answer = await writes.conversations.open({ users: person });
        return channelId(present(answer.channel?.id, 'channel.id'));
      }),
    userGroupMembers: (usergroup) =>
      asked(async () => {
        const answer = await reads.usergroups.users.list({ usergroup });
        return (answer.users ?? []).map(personId);
      }),
    timeZone: (user) => asked(async () => (await reads.users.info({ user })).user?.tz ?? null),
    openView: (trigger_id, view) =>
      asked(async () => {
        const answer = await writes.views.open({ trigger_id, view: modalView(view) });
        return present(answer.view?.id, 'view.id');
      }),
    pushView: (trigger_id, view) =>
      asked(async () => {
        const answer = await writes.views.push({ trigger_id, view: modalView(view) });
        return present(answer.view?.id, 'view.id');
      }),
    updateView: (view_id, view) =>
      asked(async () => {
        await writes.views.update({ view_id, view: modalView(view) });
        return null;
      }),
    unfurl: ({ channel, ts }, shown) =>
      asked(async () => {
        const unfurls = Object.fromEntries(
          [...shown].map(([url, { text, blocks }]) => [url, { fallback: text, blocks: known(blocks) }]),
        );
        await writes.chat.unfurl({ channel, ts, unfurls });
        return null;
      }),
    redrawView: (view_id, view, hash) =>
      asked(async () => {
        const answer = await writes.views.update({ view_id, hash, view: modalView(view) });
        return present(answer.view?.hash, 'view.hash');
      }),
    sendFile: (channel, { name, text }) =>
      asked(async () => {
        const file = Buffer.from(text);
        await writes.filesUploadV2({ channel_id: channel, filename: name, title: name, file });
        return null;
      }),
    publishHome: (user_id, { blocks, ...view }) =>
      asked(async () => {
        await writes.views.publish({ user_id, view: { ...view, blocks: known(blocks) } });
        return null;
      }),
  };
}

async function asked<T>(call: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { kind: 'ok', value: await call() };
  } catch (error) {
    return readFault(error);
  }
}

function body({ metadata, ...message }: CardMessage) {
  return {
    ...words(message),
    metadata: { event_type: metadata.event_type, event_payload: { ...metadata.event_payload } },
  };
}

function words({ text, blocks }: RenderedMessage) {
  return { text, blocks: known(blocks), unfurl_links: false, unfurl_media: false };
}

function inThread(thread: MessageTs | undefined) {
  return thread === undefined ? {} : { thread_ts: thread };
}

function placeOf(answer: { channel?: string; ts?: string }, asked: ChannelId): Place {
  return { channel: channelId(answer.channel ?? asked), ts: messageTs(present(answer.ts, 'ts')) };
}

/** Our builders make only documented blocks; the SDK's union is narrower than what JSON can say. */
function known(blocks: readonly Block[]): KnownBlock[] {
  return blocks.map((block) => block as KnownBlock);
}

/** As Slack takes it. */
export function modalView({ blocks, ...view }: Modal): ModalView {
  return { ...view, blocks: known(blocks) };
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`Slack's answer lacks ${name}`);
  return value;
}

/** `auth.test` does not say which app a token belongs to; its bot does. */
async function appIdOf(reads: SlackClients['reads'], bot: string | undefined): Promise<string | null> {
  if (bot === undefined) return null;
  const answer = await asked(() => reads.bots.info({ bot }));
  return answer.kind === 'ok' ? (answer.value.bot?.app_id ?? null) : null;
}

function readIdentity(answer: AuthTestResponse, appId: string | null): Identity {
  return {
    botUserId: personId(present(answer.user_id, 'user_id')),
    teamId: present(answer.team_id, 'team_id'),
    enterpriseId: answer.enterprise_id ?? null,
    isOrgWide: answer.is_enterprise_install === true,
    botId: answer.bot_id ?? null,
    appId,
    scopes: answer.response_metadata?.scopes ?? [],
  };
}
