/** What a link to a device shows below somebody's message: a summary, because everybody in the channel reads it. */
import { deviceButton } from '../device/device-buttons.ts';
import { deviceSummary } from '../device/device-list.ts';
import { section } from '../kit/blocks.ts';
import { buildMessage } from '../kit/message.ts';
import type { ListedDeviceLine, RenderedMessage } from '../model.ts';

/** Nothing personal is in it: neither addresses nor serial number nor who logged in. */
export function renderDeviceUnfurl(line: ListedDeviceLine): RenderedMessage {
  const { id } = line.device;
  const summary = deviceSummary(line);
  return buildMessage({ text: summary, body: [section(summary, deviceButton(id, 'Show', `:${id}`))] });
}
