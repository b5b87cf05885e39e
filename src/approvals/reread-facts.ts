/** Reads the targets of an approval again and compares them with the approved facts. */

import { toDeviceFacts } from '../fleet/facts/device-facts.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import { isEdit } from '../fleet/model/actions.ts';
import { toPolicyFacts } from '../fleet/model/policy-status.ts';
import type { FleetCommand } from '../fleet/model/resources.ts';
import type { Clock, Instant } from '../lib/clock.ts';
import type { GroupId } from '../lib/ids.ts';
import { type ActionRead, readForAction } from '../operations/claim/action-read.ts';
import { type DeviceRead, missingPackagesFor } from '../operations/claim/device-read.ts';
import type { ApprovalRecord, DeviceFacts, TargetFacts } from '../store/port/records.ts';
import { deviceDrift } from './device-drift.ts';
import { editDrift } from './edit-drift.ts';

export type RereadResult = {
  /** What is still there, as far as acting needs it. */
  readonly found: readonly ActionRead[];
  /** Their facts. */
  readonly targets: readonly TargetFacts[];
  /** What changed since the card was drawn. */
  readonly changes: readonly string[];
};

export type RereadOptions = {
  readonly reader: FleetReader;
  readonly clock: Clock;
  readonly groupName: (id: GroupId | null) => Promise<string | null>;
};

/** Reads all of it again. Throws FleetFailure. */
export async function rereadTargets(approval: ApprovalRecord, options: RereadOptions): Promise<RereadResult> {
  const results: RereadResult[] = [];
  for (const sealed of approval.targets) results.push(await rereadTarget(approval, sealed, options));
  return {
    found: results.flatMap(({ found }) => found),
    targets: results.flatMap(({ targets }) => targets),
    // A policy is the same for all devices, so its change is named once.
    changes: [...new Set(results.flatMap(({ changes }) => changes))],
  };
}

async function rereadTarget(
  { command, organizationId }: ApprovalRecord,
  sealed: TargetFacts,
  options: RereadOptions,
): Promise<RereadResult> {
  const { reader, clock } = options;
  const subject = { deviceId: sealed.deviceId, organizationId, command, now: clock.now() };
  const found = await readForAction(reader, subject, 'person');
  if (isEdit(command)) {
    const facts = found.kind === 'edit' ? found.facts : null;
    const changes = editDrift(command, sealed, facts ?? 'gone');
    return {
      ...(found.kind === 'gone' ? { found: [] } : { found: [found] }),
      targets: facts === null ? [] : [facts],
      changes,
    };
  }
  if (found.kind === 'edit' || sealed.deviceId === null)
    throw new Error('a command that edits nothing was read as an edit');
  if (found.kind === 'gone') return { found: [], targets: [], changes: deviceDrift(command, sealed, 'gone') };
  const current = await currentDeviceFacts(found, sealed, options);
  return { found: [found], targets: [current], changes: deviceDrift(command, sealed, current) };
}

async function currentDeviceFacts(
  found: Exclude<ActionRead, { kind: 'edit' }>,
  sealed: DeviceFacts,
  { clock, groupName }: RereadOptions,
): Promise<DeviceFacts> {
  const { groupId } = found.device;
  const name = groupId === sealed.groupId ? sealed.groupName : await groupName(groupId);
  return factsFromRead(found, found.command, { groupName: name, asOf: clock.now() });
}

/** What the service says now; `groupName` belongs to the group that the device is in now. */
export function factsFromRead(
  { device, packages, policy }: DeviceRead,
  command: FleetCommand,
  { groupName, asOf }: { readonly groupName: string | null; readonly asOf: Instant },
): DeviceFacts {
  const missing = missingPackagesFor(command, packages, asOf);
  return toDeviceFacts(device, { groupName, missing, policy: toPolicyFacts(device, command, policy), asOf });
}
