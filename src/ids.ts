/** Branded ids: a device id cannot be passed where a group id is meant. */
import { randomBytes } from 'node:crypto';

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
export type ApprovalId = Brand<string, 'ApprovalId'>;
export type OperationId = Brand<string, 'OperationId'>;
export type AlertId = Brand<string, 'AlertId'>;
export type PauseId = Brand<string, 'PauseId'>;
/** What stands on an error so that a person and the log can be brought together. */
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
export const approvalId = (id: string) => id as ApprovalId;
export const operationId = (id: string) => id as OperationId;
export const alertId = (id: string) => id as AlertId;
export const pauseId = (id: string) => id as PauseId;

/** Whether it is a conversation between one person and the bot: ids of those begin so (Slack). */
export const isDirect = (channel: ChannelId): boolean => channel.startsWith('D');

/** Letters and digits that are hard to confuse when read aloud (Crockford's base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function random(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

export const newApprovalId = () => approvalId(`a_${random(12)}`);
export const newOperationId = () => operationId(`o_${random(12)}`);
export const newPauseId = () => pauseId(`p_${random(12)}`);
export const newReference = () => random(8) as Reference;

/** Kinds of things that messages show. */
const CARD_KINDS = ['approval', 'operation', 'notice', 'pause', 'silence', 'told'] as const;
export type CardKind = (typeof CARD_KINDS)[number];

/**
 * Names the thing that a message shows: `approval:a_…`, `operation:o_…`, `notice:…`, `silence:…`. What stands in several
 * channels names its channel after an `@`; `told:` says to one person how the thing of another card ended.
 */
export type CardKey = `${CardKind}:${string}`;

export function isCardKey(value: unknown): value is CardKey {
  return typeof value === 'string' && CARD_KINDS.some((kind) => value.startsWith(`${kind}:`));
}

/** What kind of thing the key names, and which one. */
export function readCardKey(key: CardKey): { readonly kind: CardKind; readonly id: string } {
  const kind = CARD_KINDS.find((known) => key.startsWith(`${known}:`));
  if (kind === undefined) throw new Error(`a card key of an unknown kind: ${key}`);
  return { kind, id: key.slice(kind.length + 1) };
}
