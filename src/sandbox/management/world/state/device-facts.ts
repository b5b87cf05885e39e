/** Facts derived from a device's state and the time. Pure. */
import { DAY, type Instant, instant, MINUTE } from '../../../../lib/clock.ts';
import type { DeviceNotice, DeviceNotices, WorldDevice } from '../model.ts';

/** How often an agent that is online checks in. */
const CHECK_IN_MS = 5 * MINUTE;

/** A device that has been silent for this long needs attention (the console's own report uses 30 days). */
const SILENT_MS = 30 * DAY;

/** Windows devices have joined the domain; others are in no organizational unit. */
export function organizationalUnit({ platform: { family, osName } }: WorldDevice): string {
  if (family !== 'Windows') return '';
  return osName.startsWith('Server') ? 'OU=Servers,DC=corp,DC=example' : 'OU=Workstations,DC=corp,DC=example';
}

export function isConnected(device: WorldDevice): boolean {
  return device.link.kind === 'online';
}

/** The last check-in: every few minutes while the device is online. */
export function lastProcessTime(device: WorldDevice, now: Instant): Instant {
  if (device.link.kind !== 'online') return device.lastSeen;
  const phase = (device.id * 7_919) % CHECK_IN_MS;
  return instant(Math.max(now - ((now - phase) % CHECK_IN_MS), device.link.since));
}

/** Milliseconds since boot, as measured at the last scan. */
export function uptimeAtScan(device: WorldDevice): number {
  return Math.max((device.lastRefresh ?? device.bootedAt) - device.bootedAt, 0);
}

export function needsAttention(device: WorldDevice, now: Instant): boolean {
  const silent = device.link.kind !== 'online' && now - device.lastSeen > SILENT_MS;
  return silent || device.lastScanFailed;
}

/** Notices about patches and reboots to a device's users, and how their answers are counted (§2.2). */

export type NoticeSubject = keyof DeviceNotices;
export type NoticeReply = 'install' | 'defer';

export const NO_NOTICE: DeviceNotice = { sent: 0, deferrals: 0, waitsFor: 'nobody' };
export const NO_NOTICES: DeviceNotices = { patch: NO_NOTICE, reboot: NO_NOTICE };

/** Another notice was sent and waits for an answer. */
export function sendNotice(device: WorldDevice, about: NoticeSubject): void {
  const { sent, deferrals } = device.notices[about];
  device.notices = { ...device.notices, [about]: { sent: sent + 1, deferrals, waitsFor: 'answer' } };
}

/** Somebody answered: a deferral is counted, any other answer resets the count. */
export function recordReply(device: WorldDevice, about: NoticeSubject, reply: NoticeReply): void {
  const { sent, deferrals } = device.notices[about];
  const next: DeviceNotice =
    reply === 'defer' ? { sent, deferrals: deferrals + 1, waitsFor: 'user' } : NO_NOTICE;
  device.notices = { ...device.notices, [about]: next };
}

/** The subject of the notices is done. */
export function clearNotices(device: WorldDevice, about: NoticeSubject): void {
  if (device.notices[about] !== NO_NOTICE) device.notices = { ...device.notices, [about]: NO_NOTICE };
}
