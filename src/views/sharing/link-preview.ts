/** The preview below a message that links to a device. Short, because the whole channel sees it. */
import { deviceButton } from '../device/device-buttons.ts';
import { deviceSummary } from '../device/device-list.ts';
import { section } from '../kit/blocks.ts';
import { buildMessage } from '../kit/message.ts';
import type { ListedDeviceLine } from '../models/list-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';

/** Contains nothing personal: no addresses, serial number or logged-in user. */
export function renderDeviceUnfurl(line: ListedDeviceLine): RenderedMessage {
  const { id } = line.device;
  const summary = deviceSummary(line);
  return buildMessage({ text: summary, body: [section(summary, deviceButton(id, 'Show', `:${id}`))] });
}
