/** Said once when the bot is added to a channel. */
import { section } from './kit/blocks.ts';
import { code, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';

const PURPOSES = {
  approvals: md`Requests that need approval are posted here: approvers press Approve or Deny on the card.`,
  patchAlerts: md`Patches that fail are posted here once each, with buttons to look at the device and to try again.`,
  newDevices: md`New devices are posted here once each, with buttons to look at them.`,
  none: md`Nothing is posted here by itself; commands work here and answer only to you.`,
} as const;

/** Two lines: what is posted here, and how to ask. */
export function renderWelcome({ purpose, root }: Extract<View, { kind: 'welcome' }>): RenderedMessage {
  const words = md`${PURPOSES[purpose]}\nType ${code(`${root} help`)} to see what you can ask.`;
  return message({ text: words, body: [section(words)] });
}
