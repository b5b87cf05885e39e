/** Requests, their targets and their counts as they come back from the database; see `row-schemas.ts`. */
import { z } from 'zod';
import { operationId, requestId } from '../../lib/ids.ts';
import { evidenceSchema, noteSchema } from '../port/evidence.ts';
import type { RequestRecord, RequestState, RequestTarget, TargetCounts } from '../port/request-records.ts';
import { actionSchema, targetFactsSchema } from './action-schemas.ts';
import {
  endedRow,
  instantColumn,
  jsonColumn,
  organizationColumn,
  personColumn,
  targetRow,
  wholeNumber,
} from './row-schemas.ts';

const requestColumn = z.string().transform(requestId);

const requestState = z.enum({
  waiting: 'waiting',
  denied: 'denied',
  expired: 'expired',
  withdrawn: 'withdrawn',
  approved: 'approved',
  running: 'running',
  ended: 'ended',
} satisfies { readonly [K in RequestState]: K });

const countsSchema = z.partialRecord(
  z.union([targetRow.shape.state, z.literal(['open', 'failed'])]),
  wholeNumber.min(1),
) satisfies z.ZodType<TargetCounts>;

export const requestRow = z.object({
  organizationId: organizationColumn,
  id: requestColumn,
  version: wholeNumber,
  state: requestState,
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
  counts: jsonColumn(countsSchema),
}) satisfies z.ZodType<RequestRecord>;

export const requestTargetRow = targetRow.omit({ operationId: true, endCause: true }).extend({
  requestId: requestColumn,
  position: wholeNumber,
  facts: jsonColumn(targetFactsSchema).nullable(),
  evidence: jsonColumn(z.array(evidenceSchema)),
  nextAt: instantColumn.nullable(),
}) satisfies z.ZodType<RequestTarget>;

/** Of a target that ended on a device. */
export const endedTargetRow = endedRow;
