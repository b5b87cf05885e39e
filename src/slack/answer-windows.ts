/** Shows answers in windows that are open. */
import { type AnswerPlace, answerWindow, wordsWindow } from '../views/kit/answer-window.ts';
import type { RenderedMessage } from '../views/model.ts';
import type { Asked } from './faults.ts';
import { understood } from './understood.ts';
import type { SlackWeb } from './web.ts';

/** Puts an answer into the window; in words alone where Slack does not understand its blocks. */
export function showAnswer(
  web: Pick<SlackWeb, 'updateView'>,
  viewId: string,
  // A window takes no charts and tables.
  { text, blocks, plain = blocks }: RenderedMessage,
  place: AnswerPlace,
): Promise<Asked<null>> {
  return understood({ text, blocks: plain }, (form) =>
    web.updateView(
      viewId,
      form.blocks.length > 0 ? answerWindow(form.blocks, place) : wordsWindow(text, place),
    ),
  );
}

/** Whether the window was closed meanwhile: Slack does not know it any more. */
export function isClosed(shown: Asked<unknown>): boolean {
  return shown.kind === 'refused' && shown.error === 'not_found';
}
