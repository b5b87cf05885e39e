/** A reboot: proven by a disconnect and the return from it, or by a dropped uptime. */

import type { FleetCommand } from '../../fleet/model/actions.ts';
import { rebootEffect } from '../proof/reboot-effect.ts';
import { deviceCommand } from './device-command.ts';

export const rebootKind = deviceCommand<Extract<FleetCommand, { kind: 'reboot' }>>({
  effect: () => rebootEffect,
});
