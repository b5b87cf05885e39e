/** What an approval is about as the service shows it now, beside what was approved. */
import type { Clock } from '../clock.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import { isEdit } from '../fleet/orders.ts';
import type { GroupId } from '../ids.ts';
import { type Surveyed, surveyOrder } from '../operations/edit-survey.ts';
import type { ApprovalRecord, DeviceFacts, TargetFacts } from '../store/records.ts';
import { drift } from './drift.ts';
import { editDrift } from './edit-drift.ts';
import { factsOf } from './facts.ts';

export type Reread = {
  /** What is still there, as far as acting needs it. */
  readonly found: readonly Surveyed[];
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
export async function readAgain(approval: ApprovalRecord, options: RereadOptions): Promise<Reread> {
  const things: Reread[] = [];
  for (const sealed of approval.targets) things.push(await readOne(approval, sealed, options));
  return {
    found: things.flatMap(({ found }) => found),
    targets: things.flatMap(({ targets }) => targets),
    // A policy is the same for all devices, so what became of it is said once.
    changes: [...new Set(things.flatMap(({ changes }) => changes))],
  };
}

async function readOne(
  { command, organizationId }: ApprovalRecord,
  sealed: TargetFacts,
  options: RereadOptions,
): Promise<Reread> {
  const { reader, clock } = options;
  const subject = { deviceId: sealed.deviceId, organizationId, command, now: clock.now() };
  const found = await surveyOrder(reader, subject, 'person');
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
  if (found.kind === 'gone') return { found: [], targets: [], changes: drift(command, sealed, 'gone') };
  const fresh = await deviceNow(found, sealed, options);
  return { found: [found], targets: [fresh], changes: drift(command, sealed, fresh) };
}

async function deviceNow(
  found: Exclude<Surveyed, { kind: 'edit' }>,
  sealed: DeviceFacts,
  { clock, groupName }: RereadOptions,
): Promise<DeviceFacts> {
  const { groupId } = found.device;
  const name = groupId === sealed.groupId ? sealed.groupName : await groupName(groupId);
  return factsOf(found, found.command, { groupName: name, asOf: clock.now() });
}
