/**
 * Stored records. An older or newer program, a person with a database tool or a broken disk may have written them, so
 * each is a schema, by which it is checked like any other input, and its type follows from that. Every record belongs to
 * one organization. Instants are epoch milliseconds on the clock; leases use a time of their own (`leaseNow`).
 */
import { z } from 'zod';
import {
  type AnyEventKind,
  type EventKind,
  isEventKind,
  type OtherEventName,
} from '../../fleet/model/event-kinds.ts';
import { SECOND } from '../../lib/clock.ts';
import { alertId, type CardKey, isCardKey, messageTs, personId, serviceUserId } from '../../lib/ids.ts';
import {
  channelField,
  deviceField,
  eventField,
  instantField,
  nullableFlag,
  nullableNumber,
  nullableText,
  organizationField,
  personField,
  policyField,
  queueEntryField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';

export type { DeviceFacts, GroupFacts, TargetFacts } from '../../fleet/facts/facts.ts';

/**
 * `ready`: stored but not claimed; nothing was sent. `issuing`: the claim, written before the one POST. `not_sent`:
 * ended before that; nothing left Patchbay, and nothing failed. `not_needed`: so did what there was nothing left to do
 * for. `refused`: certainly not carried out. The others are the product's states, each based on evidence.
 */
export const TARGET_STATES = [
  'ready',
  'issuing',
  'refused',
  'unknown',
  'accepted',
  'queued',
  'answered',
  'verified',
  'not_verified',
  'not_sent',
  'not_needed',
] as const;
export type TargetState = (typeof TARGET_STATES)[number];
/** Ended, and nothing left Patchbay. */
export const UNSENT_STATES = ['not_sent', 'not_needed'] as const satisfies readonly TargetState[];

export function isUnsent(state: TargetState): boolean {
  return UNSENT_STATES.some((unsent) => unsent === state);
}

const policyBaseline = z.object({
  /** Null: the service did not say. */
  status: nullableNumber,
  /** When the service wrote that status. */
  statusTime: instantField.nullable(),
  /** Highest id among the events of this policy on the device; null: there was none. */
  lastEventId: eventField.nullable(),
});
export type PolicyBaseline = Stored<typeof policyBaseline>;

/**
 * What a proof is compared with: the device just before the command, updated as long as the command waits in the
 * queue.
 */
export const baseline = z.object({
  at: instantField,
  connected: nullableFlag,
  lastRefreshTime: instantField.nullable(),
  lastDisconnectTime: instantField.nullable(),
  uptime: nullableNumber,
  needsReboot: nullableFlag,
  /** Ids in the queue before the POST: a new entry of our type after it is ours. */
  queueIds: z.array(queueEntryField),
  /** Missing packages before, by machine name. */
  missing: z.array(z.string()),
  /** The device's status under the command's policy; null for commands without one. */
  policy: policyBaseline.nullable(),
  /** Highest id among the device's events; null: there was none. Absent: they were not read. */
  lastEventId: eventField.nullable().exactOptional(),
  /**
   * Where the device was read some time before the claim: the claim's time by the clock of the service. What the service
   * dates before it is no effect. Absent: the device was read right before the claim.
   */
  from: instantField.exactOptional(),
  /** How far the clock of the service was ahead of ours at the claim. Absent: not known. */
  aheadMs: z.number().exactOptional(),
});
export type Baseline = Stored<typeof baseline>;

export type AlertKind = AnyEventKind;

export const alertKind = z.union([
  z.custom<EventKind>((name) => typeof name === 'string' && isEventKind(name)),
  // Kinds have no dots, names of the log do.
  z.custom<OtherEventName>((name) => typeof name === 'string' && name.includes('.')),
]) satisfies z.ZodType<AlertKind>;

/** One event that a channel is notified of. Unique per organization, event and kind. */
export const alertRecord = z.object({
  organizationId: organizationField,
  id: z.string().transform(alertId),
  kind: alertKind,
  eventId: eventField,
  deviceId: deviceField.nullable(),
  deviceName: nullableText,
  /** Machine names, as an event named them; `version` only where it stated one. */
  packages: z.array(
    z.object({ name: z.string(), displayName: nullableText, version: z.string().optional() }),
  ),
  reason: nullableText,
  operatingSystem: nullableText,
  policyId: policyField.nullable(),
  policyName: nullableText,
  /** Of a policy's run; 0 is success and a value. */
  exitCode: wholeNumber.nullable(),
  /** Of the service's own console. */
  userId: wholeNumber.transform(serviceUserId).nullable(),
  happenedAt: instantField.nullable(),
  createdAt: instantField,
  acknowledgedBy: personField.nullable(),
  acknowledgedAt: instantField.nullable(),
});
export type AlertRecord = Stored<typeof alertRecord>;

export type { CardKey } from '../../lib/ids.ts';
export const cardKeyField = z.custom<CardKey>(isCardKey, 'not a card key');

/** A message that shows a thing and is edited as the thing changes; part of the outbox. */
export const cardRecord = z.object({
  organizationId: organizationField,
  key: cardKeyField,
  /** The channel for which it is meant. */
  channel: channelField,
  /** The person whose direct messages receive it when the bot is not a member of the channel. */
  fallbackPerson: personField.nullable(),
  /** Where it was posted, once known. */
  postedChannel: channelField.nullable(),
  ts: z.string().transform(messageTs).nullable(),
  wantedRevision: wholeNumber,
  shownRevision: wholeNumber,
  /** Slack's error when the card was abandoned, such as `is_archived`. */
  failure: nullableText,
});
export type CardRecord = Stored<typeof cardRecord>;

/** The kinds of work that this program knows; during an upgrade another replica may add newer ones. */
export const WORK_KINDS = ['card', 'click', 'form', 'run', 'follow', 'expire', 'silence'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Work due at a time. One row per kind and key; scheduling it again moves it. */
export const workRecord = z.object({
  organizationId: organizationField,
  kind: z.enum(WORK_KINDS),
  key: z.string(),
  dueAt: instantField,
  payload: z.unknown(),
  /** How often it was claimed before, including failures. */
  attempts: wholeNumber,
});
export type WorkRecord = Readonly<z.output<typeof workRecord>>;

/** How long a dead holder's work stays leased: after that, another one takes it over. */
export const WORK_LEASE_MS = 30 * SECOND;

/** A claimed row; the token fences off a holder whose lease expired. */
export type ClaimedWork = WorkRecord & { readonly token: string };

/** Events that a reading of the log did not reach. */
export const eventGap = z.object({
  /** The highest id below that is known for certain. */
  afterId: eventField,
  happenedFrom: instantField,
  happenedUntil: instantField,
  /** When the log was last read for it. */
  readAt: instantField,
  /** From then on it is looked for no more. */
  endsAt: instantField,
});
export type EventGap = Stored<typeof eventGap>;

export const eventCursor = z.object({
  /** Highest event id that was processed, or the baseline of the first start. */
  highestId: eventField,
  /** Ids up to this one are history: from before the first start, or so old that `seen` has forgotten them. */
  floorId: eventField,
  /** Events created before this are history too. Null when the first start found events: then the ids decide. */
  historyBefore: instantField.nullable(),
  /** The latest time of an event that was processed: a list that begins before it has to show a known event. */
  newestAt: instantField.nullable(),
  /** What readings did not reach; null: nothing. */
  gap: eventGap.nullable(),
  updatedAt: instantField,
});
export type EventCursor = Stored<typeof eventCursor>;

const auditEntry = z.object({
  at: instantField,
  actor: z.string().transform((text) => (text === 'patchbay' ? text : personId(text))),
  /** Such as `approval.requested`, `approval.denied`, `operation.issued`. */
  action: z.string(),
  /** Id of the thing acted on. */
  subject: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEntry = Stored<typeof auditEntry>;
export const auditRecord = auditEntry.extend({
  sequence: wholeNumber,
  /** SHA-256 over the previous hash and this entry. */
  hash: z.string(),
});
export type AuditRecord = Stored<typeof auditRecord>;
