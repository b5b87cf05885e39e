/** Which commands wait for an approver: pure. */
import { MINUTE } from '../clock.ts';
import type { FleetCommand } from '../fleet/model.ts';

/** How long a request waits before it expires; counted anew when changed facts send it back. */
export const EXPIRY_MS = 30 * MINUTE;

/**
 * Whether somebody else has to agree first. A scan and the test of a policy only look at the device; the others
 * change or interrupt it, and a remediation runs whatever the policy's script says.
 */
export function needsApproval(command: FleetCommand): boolean {
  switch (command.kind) {
    case 'scan':
    case 'policy-test':
      return false;
    case 'reboot':
    case 'patch':
    case 'patch-all':
    case 'policy-remediate':
      return true;
  }
}
