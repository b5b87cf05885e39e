/** A scan: proven by a refresh of the device's data after the command. */

import type { FleetCommand } from '../../fleet/model/actions.ts';
import { laterThanBaseline } from '../proof/baseline.ts';
import { type DeviceObservation, type Effect, open, proven } from '../proof/effect.ts';
import { deviceCommand } from './device-command.ts';

export const scanKind = deviceCommand<Extract<FleetCommand, { kind: 'scan' }>>({ effect: () => scanEffect });

export function scanEffect(seen: Pick<DeviceObservation, 'target' | 'device' | 'now'>): Effect {
  const { before } = seen.target;
  const refreshed = laterThanBaseline(seen, before.lastRefreshTime, seen.device.lastRefreshTime);
  return refreshed === null
    ? open({ kind: 'not-refreshed', last: before.lastRefreshTime })
    : proven({ kind: 'refreshed', at: refreshed });
}
