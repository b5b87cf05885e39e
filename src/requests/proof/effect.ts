/** What a device shows of a command's effect: types only. */

import type { Device, FleetEvent, Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';

export type Effect =
  | { readonly kind: 'proven' | 'failed'; readonly evidence: Evidence }
  /** Neither; `missing` says what is not there yet. */
  | { readonly kind: 'open'; readonly missing: Evidence };

/** What was read of a device after the command, beside how it was before. */
export type DeviceObservation = {
  readonly target: RequestTarget;
  readonly device: Device;
  /** Null where they were not read. */
  readonly packages: readonly Package[] | null;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

export const proven = (evidence: Evidence): Effect => ({ kind: 'proven', evidence });
export const failed = (evidence: Evidence): Effect => ({ kind: 'failed', evidence });
export const open = (missing: Evidence): Effect => ({ kind: 'open', missing });
