/** Several groups or policies fit a name: the person says which one is meant. */

import { section } from './kit/blocks.ts';
import { code, literal, md, strong } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import type { RenderedMessage, View } from './model.ts';
import { detailWords } from './problems/offers.ts';

type ChoicesView = Extract<View, { kind: 'choices' }>;

const MANY = { group: md`groups`, policy: md`policies` } as const;

export function renderChoices({ what, query, rows, total }: ChoicesView): RenderedMessage {
  const question = md`${total} ${MANY[what]} are named ${literal(query)}. Which one?`;
  const shown = rows.map(({ id, name, detail, choice }, at) => ({
    words: md`${strong(name)} · #${id}${detailWords(what, detail)}`,
    pick: runButton({ action: `pick:${at}`, label: 'Select', ...choice }),
  }));
  const unsaid = total > rows.length ? md`${total - rows.length} more match. ` : md``;
  return message({
    text: question,
    body: [section(question), ...shown.map(({ words, pick }) => section(words, pick))],
    end:
      total > rows.length
        ? [section(md`${unsaid}Use the ID instead of the name, such as ${code('#1042')}.`)]
        : [],
  });
}
