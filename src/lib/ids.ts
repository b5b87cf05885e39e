/** Branded ids: a device id cannot be passed where a group id is meant. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';

declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Ids given by the management service (§2): positive integers. */
export type OrganizationId = Brand<number, 'OrganizationId'>;
export type DeviceId = Brand<number, 'DeviceId'>;
export type GroupId = Brand<number, 'GroupId'>;
export type PolicyId = Brand<number, 'PolicyId'>;
export type EventId = Brand<number, 'EventId'>;
/** A user of the service's own console. */
export type ServiceUserId = Brand<number, 'ServiceUserId'>;
export type QueueEntryId = Brand<number, 'QueueEntryId'>;

/** Ids given by Slack. */
export type PersonId = Brand<string, 'PersonId'>;
export type UserGroupId = Brand<string, 'UserGroupId'>;
export type ChannelId = Brand<string, 'ChannelId'>;
export type MessageTs = Brand<string, 'MessageTs'>;

/** Ids made here. */
export type RequestId = Brand<string, 'RequestId'>;
export type AlertId = Brand<string, 'AlertId'>;
export type PauseId = Brand<string, 'PauseId'>;
export type WindowId = Brand<string, 'WindowId'>;
export type TroubleId = Brand<string, 'TroubleId'>;
/** Shown with an error, so that a person's report can be matched with the log. */
export type Reference = Brand<string, 'Reference'>;

export const organizationId = (id: number) => id as OrganizationId;
export const deviceId = (id: number) => id as DeviceId;
export const groupId = (id: number) => id as GroupId;
export const policyId = (id: number) => id as PolicyId;
export const eventId = (id: number) => id as EventId;
export const serviceUserId = (id: number) => id as ServiceUserId;
export const queueEntryId = (id: number) => id as QueueEntryId;
export const personId = (id: string) => id as PersonId;
export const userGroupId = (id: string) => id as UserGroupId;
export const channelId = (id: string) => id as ChannelId;
export const messageTs = (ts: string) => ts as MessageTs;
export const requestId = (id: string) => id as RequestId;
export const alertId = (id: string) => id as AlertId;
export const pauseId = (id: string) => id as PauseId;
export const troubleId = (id: string) => id as TroubleId;
export const windowId = (id: string) => id as WindowId;

/** Whether the channel is a direct message between one person and the bot: those ids start with D (Slack). */
export const isDirectMessage = (channel: ChannelId): boolean => channel.startsWith('D');

/** Whether the channel is given as a person's id, which stands for their direct messages with the bot. */
export const isPersonAddress = (channel: ChannelId): boolean => /^[UW]/.test(channel);

/** Letters and digits that are hard to confuse when read aloud (Crockford's base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

export const newRequestId = () => requestId(`r_${randomText(12)}`);
export const newPauseId = () => pauseId(`p_${randomText(12)}`);
/** Whoever knows one may submit its window, so it cannot be guessed: 160 bits. */
export const newWindowId = () => windowId(`w_${randomText(32)}`);
export const newTroubleId = () => troubleId(`t_${randomText(12)}`);
export const newReference = () => randomText(8) as Reference;

/** Kinds of things that messages show. */
const CARD_KINDS = [
  'approval',
  'operation',
  'alert',
  'pause',
  'silence',
  'silent',
  'told',
  'returned',
  'trouble',
  'line',
  'nudge',
] as const;
export type CardKind = (typeof CARD_KINDS)[number];

/** Keys are stored, also in messages, so keys of alerts keep their first prefix. */
const keyPrefix = (kind: CardKind) => (kind === 'alert' ? 'notice' : kind);

/**
 * Names the thing that a message shows, such as `approval:a_…`. An active silence is `silent:…`, an ended one
 * `silence:…`. A thing with cards in several channels appends the channel after an `@`. A card of kind `told`
 * notifies one person how the thing on another card ended: its id is that card's key. A card of kind `returned`
 * notifies one person, named after the `@`, that an approved request was returned to its approvers:
 * `returned:a_….VERSION@U…`, or that its rollout stands still since then: `returned:a_….held.TIME@U…`. One of kind `line` is a line in the thread of a
 * rollout's card, and names all that it says; one of kind `nudge` a mention in the thread of a request that waits.
 */
export type CardKey = `${ReturnType<typeof keyPrefix>}:${string}`;

export type CardKeyParts = {
  readonly kind: CardKind;
  readonly id: string;
  /** Null: the thing has one card. */
  readonly channel: ChannelId | null;
};

/** The key of a card; `channel` only for things with cards in several channels. */
export function cardKey(kind: CardKind, id: string | number, channel: ChannelId | null = null): CardKey {
  const key: CardKey = `${keyPrefix(kind)}:${id}`;
  return channel === null ? key : `${key}@${channel}`;
}

/** The card of an alert: a later generation is posted instead of the one before. `home`: the channel that needs no mark. */
export function alertCardKey(
  { alert, generation, channel }: AlertCard & { readonly channel: ChannelId },
  home: ChannelId | null,
): CardKey {
  const id = generation === 0 ? alert : `${alert}.${generation}`;
  return cardKey('alert', id, channel === home ? null : channel);
}

type AlertCard = { readonly alert: AlertId; readonly generation: number };

/** Ids of alerts end with the number of an event after a dash. */
export function readAlertCardId(id: string): AlertCard {
  const [, alert = id, generation = '0'] = /^(.*)\.(\d+)$/.exec(id) ?? [];
  return { alert: alertId(alert), generation: Number(generation) };
}

/** The card of a request, by whether somebody has to agree. */
export function requestCardKey({
  id,
  expiresAt,
}: {
  readonly id: RequestId;
  readonly expiresAt: number | null;
}): CardKey {
  return cardKey(expiresAt === null ? 'operation' : 'approval', id);
}

export function isCardKey(value: unknown): value is CardKey {
  return typeof value === 'string' && kindOfCardKey(value) !== undefined;
}

/** The parts of a card key. Throws for an unknown kind. */
export function readCardKey(key: CardKey): CardKeyParts {
  const kind = kindOfCardKey(key);
  if (kind === undefined) throw new Error(`a card key of an unknown kind: ${key}`);
  const rest = key.slice(key.indexOf(':') + 1);
  if (kind === 'told') return { kind, id: rest, channel: null };
  const [id = rest, channel] = rest.split('@', 2);
  return { kind, id, channel: channel === undefined ? null : channelId(channel) };
}

function kindOfCardKey(key: string): CardKind | undefined {
  return CARD_KINDS.find((kind) => key.startsWith(`${keyPrefix(kind)}:`));
}

/**
 * Many ids as a short text: their differences, lowest first, in as few signs as each takes. A thousand devices fit into a
 * button or the metadata of a window, whose limits are Slack's (2,000 and 3,000 characters).
 */
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Of the 64 signs the upper half says that the number goes on. */
const BASE = 32;

/** Each id once. */
export function packIds(ids: Iterable<number>): string {
  let before = 0;
  let text = '';
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    let rest = id - before;
    before = id;
    while (rest >= BASE) {
      text += SIGNS[BASE + (rest % BASE)];
      rest = Math.floor(rest / BASE);
    }
    text += SIGNS[rest];
  }
  return text;
}

/** The ids, lowest first; null for a text that {@link packIds} does not write. */
export function unpackIds(text: string): readonly number[] | null {
  const ids: number[] = [];
  let id = 0;
  let difference = 0;
  let factor = 1;
  for (const sign of text) {
    const digit = SIGNS.indexOf(sign);
    if (digit < 0) return null;
    difference += (digit % BASE) * factor;
    factor *= BASE;
    if (digit >= BASE) continue;
    id += difference;
    if (difference === 0 || !Number.isSafeInteger(id)) return null;
    ids.push(id);
    difference = 0;
    factor = 1;
  }
  return ids.length === 0 || factor > 1 ? null : ids;
}

export const packedIds = z.string().refine((text) => unpackIds(text) !== null);
