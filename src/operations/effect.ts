/**
 * What the device shows of a command's effect, compared with how it was before: pure. Whether the command still
 * waits in the queue is not decided here; one that does cannot have had an effect.
 */

import type { Instant } from '../clock.ts';
import type { Device, FleetCommand, FleetEvent, Package } from '../fleet/model.ts';
import type { TargetRecord } from '../store/records.ts';
import { installed } from './installed.ts';
import { timeText } from './words.ts';

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
  }
}

function scanned({ target, device }: Seen): Effect {
  const before = target.before.lastRefreshTime;
  if (moved(before, device.lastRefreshTime)) {
    return { kind: 'proven', evidence: `The device was refreshed at ${timeText(device.lastRefreshTime)}.` };
  }
  const since = before === null ? 'is still unknown' : `is still ${timeText(before)}`;
  return { kind: 'open', missing: `Its refresh time ${since}.` };
}

/**
 * By a new disconnect and the return from it, or by an uptime that fell. A connection can also drop by itself, so
 * where nothing says that the device got the command only the uptime counts.
 */
function rebooted({ target, device }: Seen): Effect {
  const { before } = target;
  const left = moved(before.lastDisconnectTime, device.lastDisconnectTime) ? device.lastDisconnectTime : null;
  if (left !== null && device.connected === true && target.state !== 'unknown') {
    return proven(`The device disconnected at ${timeText(left)} and is connected again`, { target, device });
  }
  if (uptimeFell({ target, device })) return proven('The uptime of the device fell', { target, device });
  if (left !== null && device.connected !== true) {
    return { kind: 'open', missing: `It disconnected at ${timeText(left)} and has not come back yet.` };
  }
  return { kind: 'open', missing: 'No disconnect and return was seen, and its uptime did not fall.' };
}

type Compared = Pick<Seen, 'target' | 'device'>;

/** The uptime is as old as the last refresh (§2.2), so only a newer refresh can show a fall. */
function uptimeFell({ target: { before }, device }: Compared): boolean {
  const known = before.uptime !== null && device.uptime !== null;
  return known && device.uptime < before.uptime && moved(before.lastRefreshTime, device.lastRefreshTime);
}

/** A cleared flag supports the proof and never suffices: an update may clear it too. */
function proven(what: string, { target, device }: Compared): Effect {
  const cleared = target.before.needsReboot === true && device.needsReboot === false;
  return { kind: 'proven', evidence: cleared ? `${what}; it no longer needs a reboot.` : `${what}.` };
}

/** Whether the service names a later time than before. */
function moved(before: Instant | null, after: Instant | null): after is Instant {
  return after !== null && (before === null || after > before);
}
