/** A list of devices, a page at a time, each with a button that shows it. */
import { displayName } from '../fleet/model.ts';
import { context, section } from './blocks.ts';
import { connection } from './device.ts';
import { deviceButton } from './device-buttons.ts';
import { code, type Mrkdwn, md, strong } from './escape.ts';
import { SHOWN } from './limits.ts';
import { message } from './message.ts';
import type { Block, DeviceLine, RenderedMessage, View } from './model.ts';
import { pager } from './pager.ts';
import { count, groupWords, system } from './words.ts';

export function renderDevices({
  title,
  rows,
  unlisted,
  paging,
}: Extract<View, { kind: 'devices' }>): RenderedMessage {
  const total = count(paging.total, 'device');
  const shown = title === '' ? md`All devices` : md`Devices ${code(title, SHOWN.sentence)}`;
  return message({
    text: md`${shown}: ${total}.`,
    body: [
      section(title === '' ? md`*All devices*` : md`*Devices* ${code(title, SHOWN.sentence)}`),
      ...(rows.length === 0
        ? [section(md`No device fits. Leave a word or a filter out to see more.`)]
        : rows.map(row)),
      ...(unlisted === 0 ? [] : [context(md`Up to ${count(unlisted, 'device')} could not be listed.`)]),
    ],
    end: pager(paging, total),
  });
}

function row(line: DeviceLine): Block {
  const { device } = line;
  return section(deviceSummary(line), deviceButton(device.id, 'Show', `:${device.id}`));
}

/** One device in two lines. */
export function deviceSummary(line: DeviceLine): Mrkdwn {
  const { device } = line;
  const patches =
    device.pendingPatches === null
      ? md``
      : md` · ${count(device.pendingPatches, 'pending patch', 'pending patches')}`;
  const reboot = device.needsReboot === true ? md` · needs a reboot` : md``;
  return md`${strong(displayName(device))} · #${device.id} · ${connection(device)}\n${system(device)} · ${groupWords(line)}${patches}${reboot}`;
}
