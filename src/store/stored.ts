/**
 * What comes back from the database is a door like any other: an older or newer program, a person with a
 * database tool or a broken disk may have written it. Each schema takes a row and gives the record.
 */
import { z } from 'zod';
import { instant } from '../clock.ts';
import {
  alertId,
  approvalId,
  channelId,
  deviceId,
  eventId,
  isCardKey,
  messageTs,
  operationId,
  organizationId,
  personId,
  policyId,
  queueEntryId,
  serviceUserId,
} from '../ids.ts';
import type {
  AlertKind,
  AlertRecord,
  ApprovalRecord,
  AuditEntry,
  AuditRecord,
  Before,
  CardKey,
  CardRecord,
  EventCursor,
  OperationRecord,
  TargetRecord,
  WorkKind,
} from './records.ts';
import { order, targetDevice, targetFacts } from './stored-orders.ts';

/** A row that cannot be trusted. Names where it is, never what it holds. */
export class BadRecord extends Error {
  constructor(table: string, id: string | number, problem: string) {
    super(`bad record in table ${table}, id ${id}: ${problem}`);
    this.name = 'BadRecord';
  }
}

/** The record in `row`, or {@link BadRecord}. */
export function readRow<T>(schema: z.ZodType<T>, table: string, id: string | number, row: unknown): T {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new BadRecord(table, id, problems.slice(0, 3).join('; '));
}

export const whole = z.int();
export const at = whole.transform(instant);
export const organization = whole.transform(organizationId);
const device = whole.transform(deviceId);
const policy = whole.transform(policyId);
export const person = z.string().transform(personId);
const operation = z.string().transform(operationId);

/** A column of JSON text. */
export function json<T extends z.ZodType>(schema: T) {
  const text = z.string().transform((given, context): unknown => {
    try {
      return JSON.parse(given);
    } catch {
      context.issues.push({ code: 'custom', message: 'not JSON', input: undefined });
      return z.NEVER;
    }
  });
  return text.pipe(schema);
}

export const approvalRow = z.object({
  organizationId: organization,
  id: z.string().transform(approvalId),
  version: whole,
  state: z.enum(['waiting', 'approved', 'denied', 'expired', 'withdrawn']),
  command: json(order),
  targets: json(z.array(targetFacts)),
  seal: z.string(),
  fingerprint: z.string(),
  requesterId: person,
  requestKey: z.string(),
  reason: z.string().nullable(),
  createdAt: at,
  expiresAt: at,
  decidedBy: person.nullable(),
  decidedAt: at.nullable(),
  approvedBy: person.nullable(),
  approvedAt: at.nullable(),
  note: z.string().nullable(),
  operationId: operation.nullable(),
}) satisfies z.ZodType<ApprovalRecord>;

/** `policy` is younger than some stored records. */
const before = z.object({
  at,
  connected: z.boolean().nullable(),
  lastRefreshTime: at.nullable(),
  lastDisconnectTime: at.nullable(),
  uptime: z.number().nullable(),
  needsReboot: z.boolean().nullable(),
  queueIds: z.array(whole.transform(queueEntryId)),
  missing: z.array(z.string()),
  policy: z
    .object({
      status: z.number().nullable(),
      statusTime: at.nullable(),
      lastEventId: whole.transform(eventId).nullable(),
    })
    .nullable()
    .default(null),
}) satisfies z.ZodType<Before>;

export const targetRow = z.object({
  operationId: operation,
  deviceId: targetDevice,
  displayName: z.string(),
  state: z.enum([
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
  ]),
  before: json(before),
  queueEntryId: whole.transform(queueEntryId).nullable(),
  issuedAt: at,
  acceptedAt: at.nullable(),
  queuedAt: at.nullable(),
  missedAt: at.nullable(),
  answeredAt: at.nullable(),
  endedAt: at.nullable(),
  response: z.string().nullable(),
  evidence: z.string().nullable(),
  deadlineAt: at,
}) satisfies z.ZodType<TargetRecord>;

/** Of a target that ended on a device. */
export const endedRow = z.object({ deviceId: device, endedAt: at });

export const operationRow = z.object({
  organizationId: organization,
  id: operation,
  version: whole,
  approvalId: z.string().transform(approvalId).nullable(),
  command: json(order),
  requesterId: person,
  requestKey: z.string(),
  reason: z.string().nullable(),
  createdAt: at,
}) satisfies z.ZodType<Omit<OperationRecord, 'targets'>>;

/** `requestedAt`: null where nobody had to approve it. */
export const recentRow = operationRow.extend({ requestedAt: at.nullable() });

export const alertKind = z.enum({
  'patch-failed': 'patch-failed',
  'patch-installed': 'patch-installed',
  'patch-removed': 'patch-removed',
  'device-added': 'device-added',
  'device-removed': 'device-removed',
  'policy-failed': 'policy-failed',
  'policy-run': 'policy-run',
  'group-changed': 'group-changed',
  'notification-sent': 'notification-sent',
  'notification-answered': 'notification-answered',
  'user-added': 'user-added',
  'user-removed': 'user-removed',
  'signed-in': 'signed-in',
  'signed-out': 'signed-out',
  'limit-exceeded': 'limit-exceeded',
  'slack-app': 'slack-app',
} satisfies { readonly [K in AlertKind]: K });

export const alertRow = z.object({
  organizationId: organization,
  id: z.string().transform(alertId),
  kind: alertKind,
  eventId: whole.transform(eventId),
  deviceId: device.nullable(),
  deviceName: z.string().nullable(),
  packages: json(z.array(z.object({ name: z.string(), displayName: z.string().nullable() }))),
  reason: z.string().nullable(),
  operatingSystem: z.string().nullable(),
  policyId: policy.nullable(),
  policyName: z.string().nullable(),
  exitCode: whole.nullable(),
  userId: whole.transform(serviceUserId).nullable(),
  happenedAt: at.nullable(),
  createdAt: at,
  acknowledgedBy: person.nullable(),
  acknowledgedAt: at.nullable(),
}) satisfies z.ZodType<AlertRecord>;

export const cardKeyText = z.custom<CardKey>(isCardKey, 'not a card key');

export const cardRow = z.object({
  organizationId: organization,
  key: cardKeyText,
  channel: z.string().transform(channelId),
  fallbackPerson: person.nullable(),
  postedChannel: z.string().transform(channelId).nullable(),
  ts: z.string().transform(messageTs).nullable(),
  wantedRevision: whole,
  shownRevision: whole,
  failure: z.string().nullable(),
}) satisfies z.ZodType<CardRecord>;

export const cursorRow = z.object({
  highestId: whole.transform(eventId),
  floorId: whole.transform(eventId),
  historyBefore: at.nullable(),
  updatedAt: at,
}) satisfies z.ZodType<EventCursor>;

/** The kinds of work that this program knows; during an upgrade another replica may put newer ones. */
const workKind = z.enum({
  card: 'card',
  click: 'click',
  form: 'form',
  act: 'act',
  follow: 'follow',
  expire: 'expire',
  silence: 'silence',
} satisfies { readonly [K in WorkKind]: K });
export const WORK_KINDS: readonly WorkKind[] = workKind.options;

export const workRow = z.object({
  organizationId: organization,
  kind: workKind,
  key: z.string(),
  dueAt: at,
  payload: json(z.unknown()).nullable(),
  attempts: whole,
  leaseToken: z.string(),
});

const actor = z
  .string()
  .transform((text): AuditEntry['actor'] => (text === 'patchbay' ? text : personId(text)));

export const auditRow = z.object({
  at,
  actor,
  action: z.string(),
  subject: z.string(),
  detail: json(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  sequence: whole,
  hash: z.string(),
}) satisfies z.ZodType<AuditRecord>;
