/** Requests, their targets and their counts as they come back from the database; see `row-schemas.ts`. */
import { z } from 'zod';
import { deviceId, eventId, operationId, queueEntryId, requestId } from '../../lib/ids.ts';
import type { Rollout } from '../../rollout/progress.ts';
import { evidenceSchema, noteSchema } from '../port/evidence.ts';
import { type Baseline, TARGET_STATES } from '../port/records.ts';
import {
  REQUEST_STATES,
  type RequestRecord,
  type RequestTarget,
  type TargetCounts,
} from '../port/request-records.ts';
import { actionSchema, targetDeviceColumn, targetFactsSchema } from './action-schemas.ts';
import { instantColumn, jsonColumn, organizationColumn, personColumn, wholeNumber } from './row-schemas.ts';

const requestColumn = z.string().transform(requestId);

const targetState = z.enum(TARGET_STATES);

const countsSchema = z.partialRecord(
  z.union([targetState, z.literal(['open', 'failed'])]),
  wholeNumber.min(1),
) satisfies z.ZodType<TargetCounts>;

const brakeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('devices'), devices: wholeNumber.min(1) }),
  z.object({ kind: z.literal('share'), percent: z.number().positive().max(100) }),
]);

const holdSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('paused'),
    by: personColumn.nullable(),
    at: instantColumn,
    since: instantColumn.exactOptional(),
  }),
  z.object({
    kind: z.literal('braked'),
    bad: wholeNumber,
    ended: wholeNumber,
    at: instantColumn,
    drifted: z.literal(true).exactOptional(),
  }),
  z.object({ kind: z.literal('unanswered'), sends: wholeNumber, at: instantColumn }),
  z.object({ kind: z.literal('gate'), at: instantColumn }),
  z.object({ kind: z.literal('stopped'), by: personColumn.nullable(), at: instantColumn }),
]);

const topCountsSchema = z.object({
  top: z.array(z.object({ name: z.string().nullable(), devices: wholeNumber })),
  more: wholeNumber,
});

/** Stored records may lack `deferred` and `rebootFor`, which were added later. */
const summarySchema = z.object({
  frozenAt: instantColumn,
  offline: wholeNumber,
  loggedIn: wholeNumber,
  deferred: wholeNumber.default(0),
  rebootPending: wholeNumber,
  excluded: wholeNumber,
  servers: wholeNumber,
  groups: topCountsSchema,
  systems: topCountsSchema,
  packages: topCountsSchema,
  rebootFor: topCountsSchema.default({ top: [], more: 0 }),
  packagesRead: z
    .object({ looked: wholeNumber, fromList: wholeNumber, oldest: instantColumn })
    .exactOptional(),
});

/** Stored records may lack `unanswered`, which was added later. */
const rolloutSchema = z.object({
  plan: z.object({
    waves: z.array(wholeNumber.min(1)).min(1),
    waitMs: wholeNumber,
    brake: brakeSchema,
    gate: z.enum(['auto', 'manual']),
    offline: z.enum(['queue', 'skip']),
  }),
  wave: wholeNumber,
  waveFrom: instantColumn,
  hold: holdSchema.nullable(),
  forgiven: wholeNumber,
  unanswered: wholeNumber.default(0),
  summary: summarySchema,
  typedCount: z.boolean(),
}) satisfies z.ZodType<Rollout>;

/** The rollout of a request, as its own column holds it. */
export const rolloutColumn = jsonColumn(rolloutSchema);

export const requestRow = z.object({
  organizationId: organizationColumn,
  id: requestColumn,
  version: wholeNumber,
  state: z.enum(REQUEST_STATES),
  action: jsonColumn(actionSchema),
  seal: z.string().nullable(),
  fingerprint: z.string().nullable(),
  requesterId: personColumn,
  requestKey: z.string(),
  reason: z.string().nullable(),
  createdAt: instantColumn,
  expiresAt: instantColumn.nullable(),
  decidedBy: personColumn.nullable(),
  decidedAt: instantColumn.nullable(),
  approvedBy: personColumn.nullable(),
  approvedAt: instantColumn.nullable(),
  note: jsonColumn(noteSchema).nullable(),
  startedAt: instantColumn.nullable(),
  endedAt: instantColumn.nullable(),
  operationId: z.string().transform(operationId).nullable(),
  rollout: rolloutColumn.nullable(),
  counts: jsonColumn(countsSchema),
}) satisfies z.ZodType<RequestRecord>;

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
  from: instantColumn.exactOptional(),
}) satisfies z.ZodType<Baseline>;

export const requestTargetRow = z.object({
  requestId: requestColumn,
  position: wholeNumber,
  deviceId: targetDeviceColumn,
  displayName: z.string(),
  state: targetState,
  before: jsonColumn(baselineSchema),
  queueEntryId: wholeNumber.transform(queueEntryId).nullable(),
  issuedAt: instantColumn,
  acceptedAt: instantColumn.nullable(),
  queuedAt: instantColumn.nullable(),
  missedAt: instantColumn.nullable(),
  answeredAt: instantColumn.nullable(),
  endedAt: instantColumn.nullable(),
  response: z.string().nullable(),
  facts: jsonColumn(targetFactsSchema).nullable(),
  evidence: jsonColumn(z.array(evidenceSchema)),
  nextAt: instantColumn.nullable(),
  deadlineAt: instantColumn,
}) satisfies z.ZodType<RequestTarget>;

/** A target that ended on a device. */
export const endedTargetRow = z.object({ deviceId: wholeNumber.transform(deviceId), endedAt: instantColumn });
