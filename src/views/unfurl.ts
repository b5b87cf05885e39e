/** What a link to a device shows below somebody's message: a summary, because everybody in the channel reads it. */
import { displayName } from '../fleet/model.ts';
import { connection } from './device/device.ts';
import { deviceButton } from './device/device-buttons.ts';
import { deviceSummary } from './devices.ts';
import { section } from './kit/blocks.ts';
import { literal, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import type { ListedLine, RenderedMessage } from './model.ts';

/** Nothing personal is in it: neither addresses nor serial number nor who logged in. */
export function renderUnfurl(line: ListedLine): RenderedMessage {
  const { device } = line;
  return message({
    text: md`${literal(displayName(device))}: ${connection(device)}.`,
    body: [section(deviceSummary(line), deviceButton(device.id, 'Show', `:${device.id}`))],
  });
}
