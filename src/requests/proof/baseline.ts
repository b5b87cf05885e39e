/** How a device, and the policy of a command on it, stood before that command could have run: pure. */
import type { FleetCommand } from '../../fleet/model/actions.ts';
import { POLICY_ACTION } from '../../fleet/model/event-kinds.ts';
import { policyIdOf, policyStatusOf } from '../../fleet/model/policy-status.ts';
import type { Device, FleetEvent, Package } from '../../fleet/model/resources.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, EventId, PolicyId } from '../../lib/ids.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { Baseline, PolicyBaseline, RequestTarget } from '../../store/port/request-records.ts';

type ObservedDevice = { readonly device: Device; readonly events: readonly FleetEvent[] };

/** As the device stands now; null for commands of no policy. */
export function policyBaseline(
  command: FleetCommand,
  { device, events }: ObservedDevice,
): PolicyBaseline | null {
  const id = policyIdOf(command);
  if (id === null) return null;
  const entry = policyStatusOf(device, id);
  const lastEventId = newestId(policyActionsIn(events, device.id, id));
  return { status: entry?.status ?? null, statusTime: entry?.createTime ?? null, lastEventId };
}

/** Null: there is none. */
export function newestId(events: readonly FleetEvent[]): EventId | null {
  return events.map(({ id }) => id).toSorted((a, b) => b - a)[0] ?? null;
}

/** The same as far as the service says it now; what it does not say for a moment stays as it was. */
export function movedPolicyBaseline(
  before: PolicyBaseline | null,
  command: FleetCommand,
  observed: ObservedDevice,
): PolicyBaseline | null {
  const now = policyBaseline(command, observed);
  if (now === null || before === null) return now;
  return {
    status: now.status ?? before.status,
    statusTime: now.statusTime ?? before.statusTime,
    lastEventId: now.lastEventId ?? before.lastEventId,
  };
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
export function policyActionsIn(
  events: readonly FleetEvent[],
  deviceId: DeviceId,
  id: PolicyId,
): readonly FleetEvent[] {
  return events.filter(
    (event) => event.name === POLICY_ACTION && event.deviceId === deviceId && event.policyId === id,
  );
}

/** By the clock of the service: its times are compared with no other. Null: how far the clocks are apart is unknown. */
export function claimedThere({ at, from, aheadMs }: Baseline): Instant | null {
  return from ?? (aheadMs === undefined ? null : later(at, aheadMs));
}

/** What a time of the service is compared with. */
export type Compared = Pick<DeviceObservation, 'target' | 'now'>;

/** Two answers are read one after the other, and clocks drift. */
const AHEAD_TOLERANCE_MS = 5 * MINUTE;

/** Unknown where it lies ahead of the service's own present: it would be later than everything, and prove anything. */
function knownTime({ target, now }: Compared, at: Instant | null): Instant | null {
  const { aheadMs = 0 } = target.before;
  return at !== null && at <= later(now, aheadMs + AHEAD_TOLERANCE_MS) ? at : null;
}

/**
 * The time that the service names now, if it is later than before, and than the claim where the device was read earlier;
 * with none before, later than our look then.
 */
export function laterThanBaseline(
  seen: Compared,
  before: Instant | null,
  after: Instant | null,
): Instant | null {
  const { from } = seen.target.before;
  const since = knownTime(seen, before) ?? claimedThere(seen.target.before);
  const at = knownTime(seen, after);
  if (at === null || since === null || (from !== undefined && at <= from)) return null;
  return at > since ? at : null;
}

/**
 * The events after the command, newest first; where the clocks cannot be compared, by the ids alone.
 * Assumption (§2.8): ids grow with time, so an event that was there before is no later one, whatever the two clocks say.
 */
export function eventsAfter(seen: Compared, events: readonly FleetEvent[], last: EventId | null) {
  const since = claimedThere(seen.target.before);
  const isSince = (at: Instant | null) => (since === null ? last !== null : at !== null && at >= since);
  return events
    .filter(({ id, createTime }) => (last === null || id > last) && isSince(knownTime(seen, createTime)))
    .toSorted((a, b) => b.id - a.id);
}

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
