/** Said once when the bot is added to a channel. */
import { section } from './kit/blocks.ts';
import { code, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';

const PURPOSES = {
  approvals: md`Requests that need approval are posted here. Approvers use Approve or Deny on the card.`,
  patchAlerts: md`Failed patches are posted here, once each. Buttons show the device or request the patch again.`,
  newDevices: md`New devices are posted here, once each. Buttons show the device.`,
  none: md`Commands work here, and only you see the answers. Nothing is posted here automatically.`,
} as const;

/** Two lines: what is posted here, and how to ask. */
export function renderWelcome({ purpose, root }: Extract<View, { kind: 'welcome' }>): RenderedMessage {
  const words = md`${PURPOSES[purpose]}\nType ${code(`${root} help`)} to see what you can do.`;
  return message({ text: words, body: [section(words)] });
}
