/** What a link to a device shows below somebody's message: a summary, because everybody in the channel reads it. */
import { deviceButton } from './device/device-buttons.ts';
import { deviceSummary } from './devices.ts';
import { section } from './kit/blocks.ts';
import { message } from './kit/message.ts';
import type { ListedLine, RenderedMessage } from './model.ts';

/** Nothing personal is in it: neither addresses nor serial number nor who logged in. */
export function renderUnfurl(line: ListedLine): RenderedMessage {
  const { id } = line.device;
  const summary = deviceSummary(line);
  return message({ text: summary, body: [section(summary, deviceButton(id, 'Show', `:${id}`))] });
}
