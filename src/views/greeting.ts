/** The answer to a greeting: what the reader can ask, with examples. */
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { typed } from './kit/typed.ts';
import type { RenderedMessage, View } from './model.ts';
import { problemWords } from './problems/problem-words.ts';

export function renderGreeting({
  refusal,
  changes,
  root,
}: Extract<View, { kind: 'greeting' }>): RenderedMessage {
  if (refusal !== null) {
    const { what: why, next } = problemWords(refusal, root);
    const text = md`Hi! ${why} ${next}`;
    return message({ text, body: [section(text)] });
  }
  const more = changes ? md`, or request scans, patches and reboots` : md``;
  const what = md`Hi! Ask me about devices, packages, policies and alerts${more}.`;
  const examples = md`${typed(root, 'devices is:needs-reboot')}\n${typed(root, 'missing openssl')}\n${typed(root, 'help')}`;
  return message({ text: what, body: [section(what), section(examples)] });
}
