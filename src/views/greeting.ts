/** The answer to a greeting: what can be asked, with three examples. */
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { typed } from './kit/typed.ts';
import type { RenderedMessage, View } from './model.ts';

export function renderGreeting({ root }: Extract<View, { kind: 'greeting' }>): RenderedMessage {
  const what = md`Hi! Ask me about devices, packages, policies and alerts, or request scans, patches and reboots.`;
  const examples = md`${typed(root, 'devices is:needs-reboot')}\n${typed(root, 'missing openssl')}\n${typed(root, 'help')}`;
  return message({ text: what, body: [section(md`${what}\n${examples}`)] });
}
