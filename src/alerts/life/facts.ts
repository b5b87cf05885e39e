/** What an event says of members: which it opens or repeats, and which it ends. Pure. */
import {
  DEVICE_REMOVED,
  isProblemKind,
  namedPatches,
  PATCH_APPLIED,
  POLICY_ACTION,
} from '../../fleet/model/event-kinds.ts';
import type { FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { type DeviceId, deviceId, type OrganizationId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { AlertEnding, AlertEvent, AlertMember } from '../../store/port/alert-records.ts';

type Named = Pick<FleetEvent, 'deviceId' | 'deviceName'>;

/** Equal for the failures of one subject on one device; a machine that registers again has another id. */
function memberId(kind: string, { deviceId, deviceName }: Named, subject: string | number): string {
  return `${kind}:${deviceId ?? deviceName ?? ''}:${subject}`;
}

const ofPatch = (on: Named, name: string) => memberId('patch-failed', on, fold(name));
const ofPolicy = (on: Named, policyId: number) => memberId('policy-failed', on, policyId);

/** Ends all members of the device. */
export const deviceEnding = (device: DeviceId): string => `device:${device}`;

/** Null: it is the end of one member. */
export function deviceOfEnding(of: string): DeviceId | null {
  const [, device] = /^device:(\d+)$/.exec(of) ?? [];
  return device === undefined ? null : deviceId(Number(device));
}

/** The members of an event as they would begin with it: one for each package that failed, or the event itself. */
export function membersOf(event: AlertEvent, organizationId: OrganizationId): readonly AlertMember[] {
  const isProblem = isProblemKind(event.kind);
  const begun = (id: string, packages: AlertMember['packages']): AlertMember => ({
    ...factsOf(event),
    organizationId,
    id,
    packages,
    alert: event.id,
    state: isProblem ? 'open' : 'noted',
    firstAt: event.at,
    failures: 1,
    failedAt: event.at,
    failedEvent: event.eventId,
    fixedAt: null,
    fixedEvent: null,
    closedAt: null,
    closedEvent: null,
  });
  if (!isProblem) return [begun(event.id, event.packages)];
  if (event.kind === 'policy-failed' && event.policyId !== null)
    return [begun(ofPolicy(event, event.policyId), event.packages)];
  const named = new Map(event.packages.map((one) => [ofPatch(event, one.name), one]));
  if (event.kind !== 'patch-failed' || named.size === 0) return [begun(memberId(event.kind, event, ''), [])];
  return [...named].map(([id, one]) => begun(id, [one]));
}

function factsOf(event: AlertEvent) {
  const { kind, deviceId, deviceName, reason, operatingSystem, policyId, policyName, exitCode, userId } =
    event;
  return { kind, deviceId, deviceName, reason, operatingSystem, policyId, policyName, exitCode, userId };
}

/**
 * What an event proves or ends. A package is proven by the service's own report of its installation, a policy by a run
 * that ended with exit code 0 (no code is no answer). Nothing else that looks like a fix is one. `readAt`: by the
 * service's clock.
 */
export function endingsOf(event: FleetEvent, readAt: Instant): readonly AlertEnding[] {
  const { deviceId, policyId, name } = event;
  if (deviceId === null) return [];
  const mark = { at: event.createTime ?? readAt, event: event.id };
  switch (name) {
    case PATCH_APPLIED:
      return namedPatches(event.patches).map((patch) => ({ ...mark, of: ofPatch(event, patch.name) }));
    case POLICY_ACTION:
      return policyId === null || event.exitCode !== 0 ? [] : [{ ...mark, of: ofPolicy(event, policyId) }];
    case DEVICE_REMOVED:
      return [{ ...mark, of: deviceEnding(deviceId) }];
    default:
      return [];
  }
}
