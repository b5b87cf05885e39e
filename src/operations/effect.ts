/**
 * What the device shows of a command's effect, compared with how it was before: pure. Whether the command still
 * waits in the queue is not decided here; one that does cannot have had an effect.
 */

import { type Instant, later, MINUTE } from '../clock.ts';
import type { Device, FleetCommand, FleetEvent, Package } from '../fleet/model.ts';
import type { TargetRecord } from '../store/records.ts';
import { installed } from './installed.ts';
import { newer } from './newer.ts';
import { remediated, tested } from './policy-run.ts';
import { timeToken } from './words.ts';

export type Effect =
  | { readonly kind: 'proven' | 'failed'; readonly evidence: string }
  /** Neither; `missing` says what is not there yet. */
  | { readonly kind: 'open'; readonly missing: string };

export type Seen = {
  readonly command: FleetCommand;
  readonly target: TargetRecord;
  readonly device: Device;
  /** Null where they were not read. */
  readonly packages: readonly Package[] | null;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

export function effect(seen: Seen): Effect {
  switch (seen.command.kind) {
    case 'scan':
      return scanned(seen);
    case 'reboot':
      return rebooted(seen);
    case 'patch':
      return installed(seen, seen.command.packages);
    case 'patch-all':
      return installed(seen, seen.target.before.missing);
    case 'policy-test':
      return tested(seen, seen.command.policyId);
    case 'policy-remediate':
      return remediated(seen, seen.command.policyId);
  }
}

function scanned({ target: { before }, device }: Seen): Effect {
  const refreshed = newer(before, before.lastRefreshTime, device.lastRefreshTime);
  if (refreshed !== null) {
    return { kind: 'proven', evidence: `The device’s data was refreshed ${timeToken(refreshed)}.` };
  }
  const still = before.lastRefreshTime;
  return {
    kind: 'open',
    missing:
      still === null
        ? 'Its last refresh is still unknown.'
        : `Its last refresh is still ${timeToken(still)}.`,
  };
}

/** By a new disconnect and the return from it, or by an uptime that fell to less than the time since the command. */
function rebooted({ target, device }: Seen): Effect {
  const left = leftSince({ target, device });
  if (left !== null && device.connected === true) {
    return proven(`The device disconnected ${timeToken(left)} and is back online`, { target, device });
  }
  const fall = uptimeFall({ target, device });
  if (fall === 'since') return proven('The device’s uptime dropped', { target, device });
  if (left !== null) {
    return { kind: 'open', missing: `It disconnected ${timeToken(left)} and isn’t back online yet.` };
  }
  return {
    kind: 'open',
    missing:
      fall === 'none'
        ? 'No disconnect and reconnect seen, and its uptime did not drop.'
        : 'No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.',
  };
}

type Compared = Pick<Seen, 'target' | 'device'>;

/** How far the service's clock may be behind ours; more is a fault to the doctor. */
const SKEW_MS = 5 * MINUTE;

/** When the device went away after the command. The service may note late that it went away before. */
function leftSince({ target: { before, issuedAt }, device }: Compared): Instant | null {
  const left = newer(before, before.lastDisconnectTime, device.lastDisconnectTime);
  return left !== null && left >= later(issuedAt, -SKEW_MS) ? left : null;
}

/**
 * The uptime is as old as the last refresh (§2.2), so only a newer refresh can show a fall; and somebody else may have
 * restarted the device since the one before. Whether it counts minutes or seconds is disputed (management API in
 * practice, 5.1): what is short enough in minutes is so in seconds too.
 */
function uptimeFall({ target: { before, issuedAt }, device }: Compared): 'none' | 'perhaps-before' | 'since' {
  const refreshed = newer(before, before.lastRefreshTime, device.lastRefreshTime);
  if (before.uptime === null || device.uptime === null || refreshed === null) return 'none';
  if (device.uptime >= before.uptime) return 'none';
  return device.uptime * MINUTE <= refreshed - issuedAt + SKEW_MS ? 'since' : 'perhaps-before';
}

/** A cleared flag supports the proof and never suffices: an update may clear it too. */
function proven(what: string, { target, device }: Compared): Effect {
  const cleared = target.before.needsReboot === true && device.needsReboot === false;
  return { kind: 'proven', evidence: cleared ? `${what}. Reboot no longer required.` : `${what}.` };
}
