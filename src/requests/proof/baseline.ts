/** How a device, and the policy of a command on it, stood before that command could have run: pure. */
import { POLICY_ACTION } from '../../fleet/model/event-names.ts';
import { policyIdOf, policyStatusOf } from '../../fleet/model/policy-status.ts';
import type { Device, FleetCommand, FleetEvent } from '../../fleet/model/resources.ts';
import { type Instant, later } from '../../lib/clock.ts';
import type { DeviceId, PolicyId } from '../../lib/ids.ts';
import type { Baseline, PolicyBaseline } from '../../store/port/records.ts';

type ObservedDevice = { readonly device: Device; readonly events: readonly FleetEvent[] };

/** As the device stands now; null for commands of no policy. */
export function policyBaseline(
  command: FleetCommand,
  { device, events }: ObservedDevice,
): PolicyBaseline | null {
  const id = policyIdOf(command);
  if (id === null) return null;
  const entry = policyStatusOf(device, id);
  const ids = policyActionsIn(events, device.id, id).map((event) => event.id);
  const [lastEventId = null] = ids.toSorted((a, b) => b - a);
  return { status: entry?.status ?? null, statusTime: entry?.createTime ?? null, lastEventId };
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

/**
 * When the device was read before the claim, by the clock of the service: its times are compared with no other. Null: how
 * far the two clocks are apart is not known.
 */
export function claimedThere({ at, from, aheadMs }: Baseline): Instant | null {
  return from ?? (aheadMs === undefined ? null : later(at, aheadMs));
}

/**
 * The time that the service names now, if it is later than before, and than the claim where the device was read earlier;
 * with none before, later than our look then.
 */
export function laterThanBaseline(
  baseline: Baseline,
  before: Instant | null,
  after: Instant | null,
): Instant | null {
  const { from } = baseline;
  const since = before ?? claimedThere(baseline);
  if (after === null || since === null || (from !== undefined && after <= from)) return null;
  return after > since ? after : null;
}
