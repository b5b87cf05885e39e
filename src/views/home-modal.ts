/** The window that answers a press on the Home, which has no place for private messages. */
import { section } from './blocks.ts';
import { withoutCharts } from './charts.ts';
import { md } from './escape.ts';
import { LIMIT } from './limits.ts';
import type { Block } from './model.ts';

/** `callback_id` of an answer. */
export const HOME_ANSWER = 'home_answer';

type PlainText = { readonly type: 'plain_text'; readonly text: string };
/** As Slack's `views.open`, `views.push` and `views.update` take it. */
export type AnswerWindow = {
  readonly type: 'modal';
  readonly callback_id: string;
  /** How many windows lie over each other with this one. */
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly Block[];
};

/** What is shown at once, because a trigger lives three seconds. */
export function lookingWindow(depth: number): AnswerWindow {
  return answerWindow([section(md`Looking…`)], depth);
}

/** An answer as a message has it, in a window. */
export function answerWindow(blocks: readonly Block[], depth: number): AnswerWindow {
  return {
    type: 'modal',
    callback_id: HOME_ANSWER,
    private_metadata: String(depth),
    title: { type: 'plain_text', text: 'Patchbay' },
    close: { type: 'plain_text', text: depth > 1 ? 'Back' : 'Close' },
    blocks: withoutCharts(blocks).slice(0, LIMIT.modalBlocks),
  };
}
