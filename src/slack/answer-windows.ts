/** Shows answers in windows that are open. */
import { type AnswerPlace, answerWindow, wordsWindow } from '../views/kit/answer-window.ts';
import type { RenderedMessage } from '../views/model.ts';
import { type Asked, windowRefused } from './faults.ts';
import type { Modal, SlackWeb } from './web.ts';

type Web = Pick<SlackWeb, 'updateView'>;

/** The windows that show an answer, the best first; the last is in words alone. A window takes no charts and tables. */
export function answerWindows(
  { text, blocks, plain = blocks }: RenderedMessage,
  place: AnswerPlace,
): readonly [Modal, ...Modal[]] {
  const words = wordsWindow(text, place);
  return plain.length > 0 ? [answerWindow(plain, place), words] : [words];
}

/** Puts the first of these windows that Slack understands in the place of the one that is open. */
export async function showFirst(
  web: Web,
  viewId: string,
  [best, ...others]: readonly [Modal, ...Modal[]],
): Promise<Asked<null>> {
  const shown = await web.updateView(viewId, best);
  const [next, ...rest] = others;
  if (next === undefined || shown.kind !== 'refused' || !windowRefused(shown.error)) return shown;
  return showFirst(web, viewId, [next, ...rest]);
}

/** Puts an answer into the window; in words alone where Slack does not understand its blocks. */
export function showAnswer(
  web: Web,
  viewId: string,
  message: RenderedMessage,
  place: AnswerPlace,
): Promise<Asked<null>> {
  return showFirst(web, viewId, answerWindows(message, place));
}

/** Whether the window was closed meanwhile: Slack does not know it any more. */
export function isClosed(shown: Asked<unknown>): boolean {
  return shown.kind === 'refused' && shown.error === 'not_found';
}
