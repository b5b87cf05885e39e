/** A reboot: proven by a disconnect and the return from it, or by a dropped uptime. */

import type { FleetCommand } from '../../fleet/model/resources.ts';
import type { DeviceComparison, DriftList } from '../drift/device-drift.ts';
import { rebootEffect } from '../proof/reboot-effect.ts';
import { deviceCommand } from './device-command.ts';

export const rebootKind = deviceCommand<Extract<FleetCommand, { kind: 'reboot' }>>({
  drift: (_, comparison) => rebootDrift(comparison),
  effect: () => rebootEffect,
});

/** What somebody wanted from a reboot may have happened since. */
function rebootDrift({ sealed, current }: DeviceComparison): DriftList {
  const name = sealed.displayName;
  const isDone = sealed.needsReboot === true && current.needsReboot === false;
  const since = sealed.lastDisconnectTime ?? sealed.asOf;
  const left = current.lastDisconnectTime;
  const isBack = left !== null && left > since && current.connected === true;
  return [
    ...(isDone ? [{ kind: 'reboot-done', name } as const] : []),
    ...(isBack ? [{ kind: 'restarted', name, left } as const] : []),
  ];
}
