/** What the people at a device are told about patches and reboots, and how their answers are counted (§2.2). */
import type { Device, Notice, Notices } from './model.ts';

export type NoticeSubject = keyof Notices;
export type Reply = 'install' | 'defer';

export const NO_NOTICE: Notice = { sent: 0, deferrals: 0, waitsFor: 'nobody' };
export const NO_NOTICES: Notices = { patch: NO_NOTICE, reboot: NO_NOTICE };

/** Another notice was sent: what it is about waits for an answer. */
export function sendNotice(device: Device, about: NoticeSubject): void {
  const { sent, deferrals } = device.notices[about];
  device.notices = { ...device.notices, [about]: { sent: sent + 1, deferrals, waitsFor: 'answer' } };
}

/** Somebody answered: a deferral is counted, anything else begins the count anew. */
export function takeReply(device: Device, about: NoticeSubject, reply: Reply): void {
  const { sent, deferrals } = device.notices[about];
  const next: Notice = reply === 'defer' ? { sent, deferrals: deferrals + 1, waitsFor: 'user' } : NO_NOTICE;
  device.notices = { ...device.notices, [about]: next };
}

/** What the notices were about has been done. */
export function settleNotices(device: Device, about: NoticeSubject): void {
  if (device.notices[about] !== NO_NOTICE) device.notices = { ...device.notices, [about]: NO_NOTICE };
}
