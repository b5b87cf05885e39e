/**
 * What the device shows of a command's effect, compared with how it was before: pure. Whether the command still
 * waits in the queue is not decided here; one that does cannot have had an effect.
 */

import type { Device, FleetCommand, FleetEvent, Package } from '../../fleet/model/resources.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { TargetRecord } from '../../store/port/records.ts';
import { timePlaceholder } from '../evidence-text.ts';
import { laterThanBaseline } from './baseline.ts';
import { installEffect } from './install-effect.ts';
import { policyRemediationEffect, policyTestEffect } from './policy-effect.ts';

export type Effect =
  | { readonly kind: 'proven' | 'failed'; readonly evidence: string }
  /** Neither; `missing` says what is not there yet. */
  | { readonly kind: 'open'; readonly missing: string };

export type DeviceObservation = {
  readonly command: FleetCommand;
  readonly target: TargetRecord;
  readonly device: Device;
  /** Null where they were not read. */
  readonly packages: readonly Package[] | null;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

export function observeEffect(observation: DeviceObservation): Effect {
  switch (observation.command.kind) {
    case 'scan':
      return scanEffect(observation);
    case 'reboot':
      return rebootEffect(observation);
    case 'patch':
      return installEffect(observation, observation.command.packages);
    case 'patch-all':
      return installEffect(observation, observation.target.before.missing);
    case 'policy-test':
      return policyTestEffect(observation, observation.command.policyId);
    case 'policy-remediate':
      return policyRemediationEffect(observation, observation.command.policyId);
  }
}

function scanEffect({ target: { before }, device }: DeviceObservation): Effect {
  const refreshed = laterThanBaseline(before, before.lastRefreshTime, device.lastRefreshTime);
  if (refreshed !== null) {
    return { kind: 'proven', evidence: `The device’s data was refreshed ${timePlaceholder(refreshed)}.` };
  }
  const still = before.lastRefreshTime;
  return {
    kind: 'open',
    missing:
      still === null
        ? 'Its last refresh is still unknown.'
        : `Its last refresh is still ${timePlaceholder(still)}.`,
  };
}

/** By a new disconnect and the return from it, or by an uptime that fell to less than the time since the command. */
function rebootEffect({ target, device }: DeviceObservation): Effect {
  const left = disconnectedSince({ target, device });
  if (left !== null && device.connected === true) {
    return provenReboot(`The device went offline ${timePlaceholder(left)} and is back online`, {
      target,
      device,
    });
  }
  const fall = uptimeFall({ target, device });
  if (fall === 'since') return provenReboot('The device’s uptime dropped', { target, device });
  if (left !== null) {
    return { kind: 'open', missing: `It went offline ${timePlaceholder(left)} and isn’t back online yet.` };
  }
  return {
    kind: 'open',
    missing:
      fall === 'none'
        ? 'No disconnect and reconnect seen, and its uptime did not drop.'
        : 'No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.',
  };
}

type BaselineComparison = Pick<DeviceObservation, 'target' | 'device'>;

/** How far the service's clock may be behind ours; more is a fault to the doctor. */
const CLOCK_SKEW_MS = 5 * MINUTE;

/** When the device went away after the command. The service may note late that it went away before. */
function disconnectedSince({ target: { before, issuedAt }, device }: BaselineComparison): Instant | null {
  const left = laterThanBaseline(before, before.lastDisconnectTime, device.lastDisconnectTime);
  return left !== null && left >= later(issuedAt, -CLOCK_SKEW_MS) ? left : null;
}

/**
 * The uptime is as old as the last refresh (§2.2), so only a newer refresh can show a fall; and somebody else may have
 * restarted the device since the one before. Whether it counts minutes or seconds is disputed (management API in
 * practice, 5.1): what is short enough in minutes is so in seconds too.
 */
function uptimeFall({
  target: { before, issuedAt },
  device,
}: BaselineComparison): 'none' | 'perhaps-before' | 'since' {
  const refreshed = laterThanBaseline(before, before.lastRefreshTime, device.lastRefreshTime);
  if (before.uptime === null || device.uptime === null || refreshed === null) return 'none';
  if (device.uptime >= before.uptime) return 'none';
  return device.uptime * MINUTE <= refreshed - issuedAt + CLOCK_SKEW_MS ? 'since' : 'perhaps-before';
}

/** A cleared flag supports the proof and never suffices: an update may clear it too. */
function provenReboot(what: string, { target, device }: BaselineComparison): Effect {
  const cleared = target.before.needsReboot === true && device.needsReboot === false;
  return { kind: 'proven', evidence: cleared ? `${what}. A reboot is no longer required.` : `${what}.` };
}
