/** A trouble of Patchbay itself, told directly to those who run it; edited when it is over. */
import { endedTroubleWords } from './ended-troubles.ts';
import { context, section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { troubleWords } from './troubles.ts';

export function renderTrouble(view: Extract<View, { kind: 'trouble' }>): RenderedMessage {
  const { what, next } = troubleWords(view);
  if (view.trouble.kind === 'new-database') return message({ text: what, body: [section(what)] });
  if (view.endedAt === null) {
    const text = md`⛔ *Patchbay has a problem*: ${what}`;
    return message({ text, body: [section(text), section(next)] });
  }
  const text = md`✅ *Resolved* ${when(view.endedAt)}: ${endedTroubleWords(view.trouble)}`;
  return message({ text, body: [section(text)], end: [context(md`Started ${when(view.since)}.`)] });
}
