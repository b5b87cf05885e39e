/**
 * Schemas for rows from the database. An older or newer program, a person with a database tool or a broken disk may
 * have written them, so they are checked like any other input. Each schema takes a row and returns the record.
 */

import { z } from 'zod';
import type { EventKind, OtherEventName } from '../../fleet/model/event-kinds.ts';
import { instant } from '../../lib/clock.ts';
import {
  alertId,
  channelId,
  deviceId,
  eventId,
  isCardKey,
  messageTs,
  organizationId,
  personId,
  policyId,
  serviceUserId,
} from '../../lib/ids.ts';
import {
  type AlertKind,
  type AlertRecord,
  type AuditEntry,
  type AuditRecord,
  type CardKey,
  type CardRecord,
  type EventCursor,
  WORK_KINDS,
} from '../port/records.ts';

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

const eventKind = z.enum({
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
} satisfies { readonly [K in EventKind]: K });

export const alertKind = z.union([
  eventKind,
  // Kinds have no dots, names of the log do.
  z.custom<OtherEventName>((name) => typeof name === 'string' && name.includes('.')),
]) satisfies z.ZodType<AlertKind>;

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

export const workRow = z.object({
  organizationId: organizationColumn,
  kind: z.enum(WORK_KINDS),
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
