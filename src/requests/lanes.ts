/** Whose turn a call of a request takes: pure. */
import type { Lane } from '../fleet/fleet.ts';
import { isLarge } from '../rollout/plan.ts';
import type { RequestRecord } from '../store/port/request-records.ts';

/** Of the reads before sending: a person waits for a few devices, and nobody for hundreds. */
export function readLaneOf({ rollout }: Pick<RequestRecord, 'rollout'>): Lane {
  return rollout !== null && isLarge(rollout.plan) ? 'background' : 'person';
}

/** Of the one call. */
export function writeLaneOf(request: Pick<RequestRecord, 'rollout'>): Exclude<Lane, 'person'> {
  return readLaneOf(request) === 'person' ? 'write' : 'background';
}
