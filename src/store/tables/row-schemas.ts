/**
 * Schemas for rows from the database. An older or newer program, a person with a database tool or a broken disk may
 * have written them, so they are checked like any other input. Each schema takes a row and returns the record.
 */
import { z } from 'zod';
import { instant } from '../../lib/clock.ts';
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
} from '../../lib/ids.ts';
import type {
  AlertKind,
  AlertRecord,
  ApprovalRecord,
  AuditEntry,
  AuditRecord,
  Baseline,
  CardKey,
  CardRecord,
  EventCursor,
  OperationRecord,
  TargetRecord,
  WorkKind,
} from '../port/records.ts';
import { actionSchema, targetDeviceColumn, targetFactsSchema } from './action-schemas.ts';

/** A row that can't be trusted. The message names the row, never its contents. */
export class InvalidRecord extends Error {
  constructor(table: string, id: string | number, problem: string) {
    super(`bad record in table ${table}, id ${id}: ${problem}`);
    this.name = 'BadRecord';
  }
}

/** Reads the record in `row`, or throws {@link InvalidRecord}. */
export function readRow<T>(schema: z.ZodType<T>, table: string, id: string | number, row: unknown): T {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new InvalidRecord(table, id, problems.slice(0, 3).join('; '));
}

export const wholeNumber = z.int();
export const instantColumn = wholeNumber.transform(instant);
export const organizationColumn = wholeNumber.transform(organizationId);
const deviceColumn = wholeNumber.transform(deviceId);
const policyColumn = wholeNumber.transform(policyId);
export const personColumn = z.string().transform(personId);
const operationColumn = z.string().transform(operationId);

/** A column of JSON text. */
export function jsonColumn<T extends z.ZodType>(schema: T) {
  const text = z.string().transform((json, context): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      context.issues.push({ code: 'custom', message: 'not JSON', input: undefined });
      return z.NEVER;
    }
  });
  return text.pipe(schema);
}

export const approvalRow = z.object({
  organizationId: organizationColumn,
  id: z.string().transform(approvalId),
  version: wholeNumber,
  state: z.enum(['waiting', 'approved', 'denied', 'expired', 'withdrawn']),
  command: jsonColumn(actionSchema),
  targets: jsonColumn(z.array(targetFactsSchema)),
  seal: z.string(),
  fingerprint: z.string(),
  requesterId: personColumn,
  requestKey: z.string(),
  reason: z.string().nullable(),
  createdAt: instantColumn,
  expiresAt: instantColumn,
  decidedBy: personColumn.nullable(),
  decidedAt: instantColumn.nullable(),
  approvedBy: personColumn.nullable(),
  approvedAt: instantColumn.nullable(),
  note: z.string().nullable(),
  operationId: operationColumn.nullable(),
}) satisfies z.ZodType<ApprovalRecord>;

/** Older stored records lack `policy`. */
const baselineSchema = z.object({
  at: instantColumn,
  connected: z.boolean().nullable(),
  lastRefreshTime: instantColumn.nullable(),
  lastDisconnectTime: instantColumn.nullable(),
  uptime: z.number().nullable(),
  needsReboot: z.boolean().nullable(),
  queueIds: z.array(wholeNumber.transform(queueEntryId)),
  missing: z.array(z.string()),
  policy: z
    .object({
      status: z.number().nullable(),
      statusTime: instantColumn.nullable(),
      lastEventId: wholeNumber.transform(eventId).nullable(),
    })
    .nullable()
    .default(null),
}) satisfies z.ZodType<Baseline>;

export const targetRow = z.object({
  operationId: operationColumn,
  deviceId: targetDeviceColumn,
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
  before: jsonColumn(baselineSchema),
  queueEntryId: wholeNumber.transform(queueEntryId).nullable(),
  issuedAt: instantColumn,
  acceptedAt: instantColumn.nullable(),
  queuedAt: instantColumn.nullable(),
  missedAt: instantColumn.nullable(),
  answeredAt: instantColumn.nullable(),
  endedAt: instantColumn.nullable(),
  response: z.string().nullable(),
  evidence: z.string().nullable(),
  endCause: z.enum(['failed', 'gone']).nullable(),
  deadlineAt: instantColumn,
}) satisfies z.ZodType<TargetRecord>;

/** A target that ended on a device. */
export const endedRow = z.object({ deviceId: deviceColumn, endedAt: instantColumn });

export const operationRow = z.object({
  organizationId: organizationColumn,
  id: operationColumn,
  version: wholeNumber,
  approvalId: z.string().transform(approvalId).nullable(),
  command: jsonColumn(actionSchema),
  requesterId: personColumn,
  requestKey: z.string(),
  reason: z.string().nullable(),
  createdAt: instantColumn,
}) satisfies z.ZodType<Omit<OperationRecord, 'targets'>>;

/** `requestedAt`: null when no approval was needed. */
export const recentRow = operationRow.extend({ requestedAt: instantColumn.nullable() });

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
  organizationId: organizationColumn,
  id: z.string().transform(alertId),
  kind: alertKind,
  eventId: wholeNumber.transform(eventId),
  deviceId: deviceColumn.nullable(),
  deviceName: z.string().nullable(),
  packages: jsonColumn(
    z.array(
      z.object({ name: z.string(), displayName: z.string().nullable(), version: z.string().optional() }),
    ),
  ),
  reason: z.string().nullable(),
  operatingSystem: z.string().nullable(),
  policyId: policyColumn.nullable(),
  policyName: z.string().nullable(),
  exitCode: wholeNumber.nullable(),
  userId: wholeNumber.transform(serviceUserId).nullable(),
  happenedAt: instantColumn.nullable(),
  createdAt: instantColumn,
  acknowledgedBy: personColumn.nullable(),
  acknowledgedAt: instantColumn.nullable(),
}) satisfies z.ZodType<AlertRecord>;

export const cardKeyColumn = z.custom<CardKey>(isCardKey, 'not a card key');

export const cardRow = z.object({
  organizationId: organizationColumn,
  key: cardKeyColumn,
  channel: z.string().transform(channelId),
  fallbackPerson: personColumn.nullable(),
  postedChannel: z.string().transform(channelId).nullable(),
  ts: z.string().transform(messageTs).nullable(),
  wantedRevision: wholeNumber,
  shownRevision: wholeNumber,
  failure: z.string().nullable(),
}) satisfies z.ZodType<CardRecord>;

export const cursorRow = z.object({
  highestId: wholeNumber.transform(eventId),
  floorId: wholeNumber.transform(eventId),
  historyBefore: instantColumn.nullable(),
  updatedAt: instantColumn,
}) satisfies z.ZodType<EventCursor>;

/** The kinds of work that this program knows; during an upgrade another replica may add newer ones. */
const workKind = z.enum({
  card: 'card',
  click: 'click',
  form: 'form',
  act: 'act',
  run: 'run',
  follow: 'follow',
  expire: 'expire',
  silence: 'silence',
} satisfies { readonly [K in WorkKind]: K });
export const WORK_KINDS: readonly WorkKind[] = workKind.options;

export const workRow = z.object({
  organizationId: organizationColumn,
  kind: workKind,
  key: z.string(),
  dueAt: instantColumn,
  payload: jsonColumn(z.unknown()).nullable(),
  attempts: wholeNumber,
  leaseToken: z.string(),
});

const actor = z
  .string()
  .transform((text): AuditEntry['actor'] => (text === 'patchbay' ? text : personId(text)));

export const auditRow = z.object({
  at: instantColumn,
  actor,
  action: z.string(),
  subject: z.string(),
  detail: jsonColumn(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  sequence: wholeNumber,
  hash: z.string(),
}) satisfies z.ZodType<AuditRecord>;
