/** The facts about a device as an approver sees them, read again. */
import type { Instant } from '../clock.ts';
import { deviceFacts } from '../fleet/facts.ts';
import type { FleetCommand } from '../fleet/model.ts';
import { policyFacts } from '../fleet/standing.ts';
import { type Found, missingFor } from '../operations/survey.ts';
import type { DeviceFacts } from '../store/records.ts';

/** What the service says now; `groupName` belongs to the group that the device is in now. */
export function factsOf(
  { device, packages, policy }: Found,
  command: FleetCommand,
  { groupName, asOf }: { readonly groupName: string | null; readonly asOf: Instant },
): DeviceFacts {
  const missing = missingFor(command, packages, asOf);
  return deviceFacts(device, { groupName, missing, policy: policyFacts(device, command, policy), asOf });
}
