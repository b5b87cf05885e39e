/** The devices of an approval as the service shows them now, beside what was approved. */
import type { Clock } from '../clock.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { GroupId } from '../ids.ts';
import { type Found, survey } from '../operations/survey.ts';
import type { ApprovalRecord, DeviceFacts } from '../store/records.ts';
import { drift } from './drift.ts';
import { factsOf } from './facts.ts';

export type Reread = {
  /** The devices that are still there, with their queues and packages. */
  readonly found: readonly Found[];
  /** Their facts. */
  readonly targets: readonly DeviceFacts[];
  /** What changed since the card was drawn. */
  readonly changes: readonly string[];
};

export type RereadOptions = {
  readonly reader: FleetReader;
  readonly clock: Clock;
  readonly groupName: (id: GroupId | null) => Promise<string | null>;
};

/** Reads all of it again. Throws FleetFailure. */
export async function readAgain(approval: ApprovalRecord, options: RereadOptions): Promise<Reread> {
  const devices: Reread[] = [];
  for (const sealed of approval.targets) devices.push(await readOne(approval, sealed, options));
  return {
    found: devices.flatMap(({ found }) => found),
    targets: devices.flatMap(({ targets }) => targets),
    // A policy is the same for all devices, so what became of it is said once.
    changes: [...new Set(devices.flatMap(({ changes }) => changes))],
  };
}

async function readOne(
  { command, organizationId }: ApprovalRecord,
  sealed: DeviceFacts,
  { reader, clock, groupName }: RereadOptions,
): Promise<Reread> {
  const subject = { deviceId: sealed.deviceId, organizationId, command, now: clock.now() };
  const found = await survey(reader, subject, 'person');
  if (found.kind === 'gone') return { found: [], targets: [], changes: drift(command, sealed, 'gone') };
  const { groupId } = found.device;
  const name = groupId === sealed.groupId ? sealed.groupName : await groupName(groupId);
  const fresh = factsOf(found, command, { groupName: name, asOf: clock.now() });
  return { found: [found], targets: [fresh], changes: drift(command, sealed, fresh) };
}
