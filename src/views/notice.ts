/** What the watch tells a channel: a patch that failed, a device that is new. */
import type { DeviceId } from '../ids.ts';
import type { NoticeRecord } from '../store/records.ts';
import { actions, type Button, context, fields, section } from './blocks.ts';
import { deviceButton, runButton, scanButton } from './device-buttons.ts';
import { code, cut, heading, literal, type Mrkdwn, md, oneLine } from './escape.ts';
import { SHOWN } from './limits.ts';
import { message } from './message.ts';
import type { RenderedMessage } from './model.ts';
import { whenOr } from './when.ts';
import { count, known, listed } from './words.ts';

/** Of the failure, in the reason of a retry. */
const RETRY_REASON = 200;

export function renderNotice(notice: NoticeRecord): RenderedMessage {
  switch (notice.kind) {
    case 'patch-failed':
      return patchFailed(notice);
    case 'device-added':
      return deviceAdded(notice);
  }
}

function patchFailed(notice: NoticeRecord): RenderedMessage {
  const name = nameOf(notice);
  const why =
    notice.reason === null || notice.reason === ''
      ? md`no reason stated`
      : code(notice.reason, SHOWN.sentence);
  const patches = patchNames(notice);
  const target = notice.deviceId === null ? null : { id: notice.deviceId, name };
  const retry = target === null ? null : retryButton(notice, target);
  const unsaid =
    target !== null && retry === null && notice.packages.length > 0
      ? [context(md`The packages are too many for a retry button: ask for them with the patch command.`)]
      : [];
  return message({
    text: md`Patch failed on ${literal(name)}: ${patches}, ${why}.`,
    body: [
      section(heading('Patch failed on', name)),
      ...fields([
        { label: 'Package', value: patches },
        { label: 'Operating system', value: known(notice.operatingSystem) },
      ]),
      section(md`*Reason*\n${why}`),
      context(md`Happened ${whenOr(notice.happenedAt, 'at no stated time')}.`),
      ...unsaid,
    ],
    end: target === null ? [] : actions(deviceButton(target.id), scanButton(target), retry),
  });
}

function deviceAdded(notice: NoticeRecord): RenderedMessage {
  const name = nameOf(notice);
  const target = notice.deviceId === null ? null : { id: notice.deviceId, name };
  return message({
    text: md`New device: ${literal(name)}.`,
    body: [
      section(heading('New device', name)),
      ...fields([
        { label: 'Operating system', value: known(notice.operatingSystem) },
        { label: 'Added', value: whenOr(notice.happenedAt, 'At no stated time') },
      ]),
    ],
    end: target === null ? [] : actions(deviceButton(target.id), scanButton(target)),
  });
}

function nameOf({ deviceName, deviceId }: NoticeRecord): string {
  if (deviceName !== null && deviceName !== '') return deviceName;
  return deviceId === null ? 'a device that the service did not name' : `#${deviceId}`;
}

function patchNames({ packages }: NoticeRecord): Mrkdwn {
  if (packages.length === 0) return md`a patch that the service did not name`;
  return listed(packages.map(({ name, displayName }) => displayName ?? name));
}

/** Asks for the same packages again, through approval like every installation; none named, no retry. */
function retryButton(
  { packages, reason }: NoticeRecord,
  { id, name }: { readonly id: DeviceId; readonly name: string },
): Button | null {
  if (packages.length === 0) return null;
  const because = cut(oneLine(reason ?? 'a failed installation'), RETRY_REASON);
  return runButton({
    action: 'retry',
    label: packages.length === 1 ? 'Retry the patch' : 'Retry the patches',
    command: 'patch',
    input: { device: id, packages: packages.map((item) => item.name), reason: `Retry after: ${because}` },
    confirm: {
      title: 'Ask to try again?',
      text: `This asks for approval to install ${packages.length === 1 ? 'the patch' : count(packages.length, 'package')} on ${cut(oneLine(name), SHOWN.label)} again.`,
      confirm: 'Ask for approval',
    },
  });
}
