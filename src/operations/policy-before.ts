/** How a device stood with the policy of a command before that command could have run: pure. */
import { POLICY_ACTION } from '../fleet/event-names.ts';
import type { Device, FleetCommand, FleetEvent } from '../fleet/model.ts';
import { policyOf, standing } from '../fleet/standing.ts';
import type { DeviceId, PolicyId } from '../ids.ts';
import type { PolicyBefore } from '../store/records.ts';

type Shown = { readonly device: Device; readonly events: readonly FleetEvent[] };

/** As the device stands now; null for commands of no policy. */
export function policyBefore(command: FleetCommand, { device, events }: Shown): PolicyBefore | null {
  const id = policyOf(command);
  if (id === null) return null;
  const entry = standing(device, id);
  const ids = actionsOf(events, device.id, id).map((event) => event.id);
  const [lastEventId = null] = ids.toSorted((a, b) => b - a);
  return { status: entry?.status ?? null, statusTime: entry?.createTime ?? null, lastEventId };
}

/** The same as far as the service says it now; what it does not say for a moment stays as it was. */
export function policyMoved(
  before: PolicyBefore | null,
  command: FleetCommand,
  shown: Shown,
): PolicyBefore | null {
  const now = policyBefore(command, shown);
  if (now === null || before === null) return now;
  return {
    status: now.status ?? before.status,
    statusTime: now.statusTime ?? before.statusTime,
    lastEventId: now.lastEventId ?? before.lastEventId,
  };
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
export function actionsOf(
  events: readonly FleetEvent[],
  deviceId: DeviceId,
  id: PolicyId,
): readonly FleetEvent[] {
  return events.filter(
    (event) => event.name === POLICY_ACTION && event.deviceId === deviceId && event.policyId === id,
  );
}
