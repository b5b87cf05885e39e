/** The question which of several groups or policies of one name is meant. */

import { section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { bold, escapeMrkdwn, inlineCode, md } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import type { CommandChoice } from '../models/report-model.ts';
import { offerDetailText } from '../problems/problem.ts';

/** Several groups or policies have the name: one button for each. */
export type ChoicesView = {
  readonly kind: 'choices';
  readonly what: 'group' | 'policy';
  readonly query: string;
  readonly rows: readonly {
    readonly id: number;
    readonly name: string;
    /** Tells it from the others of its name. */
    readonly detail: string | null;
    readonly choice: CommandChoice;
  }[];
  readonly total: number;
};

const PLURALS = { group: md`groups`, policy: md`policies` } as const;

/** One button for each choice. IDs are offered where more match than fit. */
export function renderNameChoices({ what, query, rows, total }: ChoicesView): RenderedMessage {
  const question = md`${total} ${PLURALS[what]} are named ${escapeMrkdwn(query)}. Which one?`;
  const listed = rows.map(({ id, name, detail, choice }, at) => ({
    words: md`${bold(name)} · #${id}${offerDetailText(what, detail)}`,
    pick: runButton({ action: `pick:${at}`, label: 'Select', ...choice }),
  }));
  const unsaid = total > rows.length ? md`${total - rows.length} more match. ` : md``;
  return buildMessage({
    text: question,
    body: [section(question), ...listed.map(({ words, pick }) => section(words, pick))],
    footer:
      total > rows.length
        ? [section(md`${unsaid}Use the ID instead of the name, such as ${inlineCode('#1042')}.`)]
        : [],
  });
}
