/** What follows from a device's state: pure functions on the state and the time. */
import type { Instant } from '../../../clock.ts';
import { DAY, instant, MINUTE } from '../../../clock.ts';
import type { Device } from './model.ts';

/** How often an agent that is online checks in. */
const CHECK_IN_MS = 5 * MINUTE;

/** Silent for this long, a device needs attention (the console's own report takes 30 days). */
const SILENT_MS = 30 * DAY;

/** Windows machines have joined the domain; the others are in no unit. */
export function organizationalUnit({ platform: { family, osName } }: Device): string {
  if (family !== 'Windows') return '';
  return osName.startsWith('Server') ? 'OU=Servers,DC=corp,DC=example' : 'OU=Workstations,DC=corp,DC=example';
}

export function isConnected(device: Device): boolean {
  return device.link.kind === 'online';
}

/** The last check-in: frozen while a device is away, every few minutes while it is online. */
export function lastProcessTime(device: Device, now: Instant): Instant {
  if (device.link.kind !== 'online') return device.lastSeen;
  const phase = (device.id * 7_919) % CHECK_IN_MS;
  return instant(Math.max(now - ((now - phase) % CHECK_IN_MS), device.link.since));
}

/** Milliseconds since the start of the system, as measured at the last scan. */
export function uptimeAtScan(device: Device): number {
  return Math.max((device.lastRefresh ?? device.bootedAt) - device.bootedAt, 0);
}

export function needsAttention(device: Device, now: Instant): boolean {
  const silent = device.link.kind !== 'online' && now - device.lastSeen > SILENT_MS;
  return silent || device.lastScanFailed;
}
