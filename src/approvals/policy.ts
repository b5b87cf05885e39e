/** Which commands wait for an approver: pure. */
import { MINUTE } from '../clock.ts';
import type { FleetCommand } from '../fleet/model.ts';

/** How long a request waits before it expires; counted anew when changed facts send it back. */
export const EXPIRY_MS = 30 * MINUTE;

/** Whether somebody else has to agree first. A scan only reads the device; the others change or interrupt it. */
export function needsApproval(command: FleetCommand): boolean {
  switch (command.kind) {
    case 'scan':
      return false;
    case 'reboot':
    case 'patch':
    case 'patch-all':
      return true;
  }
}
