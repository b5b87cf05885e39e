/** Requests and their targets as their tables hold them; see `row-schemas.ts`. */
import { z } from 'zod';
import { deviceId } from '../../lib/ids.ts';
import { deviceField, instantField } from '../../lib/record-fields.ts';
import { rolloutSchema } from '../../rollout/progress.ts';
import { requestRecord, requestTarget } from '../port/request-records.ts';
import { jsonColumn } from './row-schemas.ts';

/** The rollout of a request, as its own column holds it. */
export const rolloutColumn = jsonColumn(rolloutSchema);

const { action, note, counts } = requestRecord.shape;
export const requestRow = requestRecord.extend({
  action: jsonColumn(action),
  note: jsonColumn(note.unwrap()).nullable(),
  rollout: rolloutColumn.nullable(),
  typedCount: z.literal([0, 1]).transform((typed) => typed === 1),
  counts: jsonColumn(counts),
});

/** Replaces null in the key of a target, where nothing may be null: the service numbers devices from 1. */
export const NO_DEVICE = deviceId(0);

const { facts, before, evidence } = requestTarget.shape;
export const requestTargetRow = requestTarget.extend({
  deviceId: deviceField.transform((id) => (id === NO_DEVICE ? null : id)),
  facts: jsonColumn(facts),
  before: jsonColumn(before),
  evidence: jsonColumn(evidence),
});

/** A target that ended on a device. */
export const endedTargetRow = z.object({ deviceId: deviceField, endedAt: instantField });
