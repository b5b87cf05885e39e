/** The answer to a greeting: what the reader can ask, with examples. */

import type { ChannelId } from '../../lib/ids.ts';
import { section } from '../kit/blocks.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { inlineCode, md } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import type { Problem } from '../models/problem-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { problemText } from '../problems/problem-text.ts';

/** Somebody said hello, or thanks. `refusal`: why they may not look at the fleet; `changes`: they may request them. */
export type GreetingView = {
  readonly kind: 'greeting';
  readonly refusal: Problem | null;
  readonly changes: boolean;
  readonly root: string;
};

export type WelcomeView = {
  readonly kind: 'welcome';
  readonly channel: ChannelId;
  readonly purpose: 'approvals' | 'patchAlerts' | 'newDevices' | 'none';
  readonly root: string;
};

/** Draws the answer. `refusal`: why the reader may not look at the fleet. */
export function renderGreeting({ refusal, changes, root }: GreetingView): RenderedMessage {
  if (refusal !== null) {
    const { what: why, next } = problemText(refusal, root);
    const text = md`Hi! ${why} ${next}`;
    return buildMessage({ text, body: [section(text)] });
  }
  const more = changes ? md`, or request scans, patches and reboots` : md``;
  const what = md`Hi! Ask me about devices, packages, policies and alerts${more}.`;
  const examples = md`${typedCommand(root, 'devices is:needs-reboot')}\n${typedCommand(root, 'missing openssl')}\n${typedCommand(root, 'help')}`;
  return buildMessage({ text: what, body: [section(what), section(examples)] });
}

/** Posted once, when the bot is added to a channel. */

const CHANNEL_PURPOSES = {
  approvals: md`Requests that need approval are posted here. Approvers use Approve or Deny on the card.`,
  patchAlerts: md`Failed patches are posted here, once each. Buttons show the device or request the patch again.`,
  newDevices: md`New devices are posted here, once each. Buttons show the device.`,
  none: md`Commands work here, and only you see the answers. Nothing is posted here automatically.`,
} as const;

/** What is posted in this channel, and how to ask. */
export function renderWelcome({ purpose, root }: WelcomeView): RenderedMessage {
  const words = md`${CHANNEL_PURPOSES[purpose]}\nType ${inlineCode(`${root} help`)} to see what you can do.`;
  return buildMessage({ text: words, body: [section(words)] });
}
