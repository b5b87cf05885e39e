/** Shows answers in windows that are open. */
import { type AnswerWindowState, answerWindow, textWindow } from '../../views/kit/answer-window.ts';
import type { RenderedMessage } from '../../views/model.ts';
import { isWindowRefused, type SlackResult } from '../web-api/slack-errors.ts';
import type { Modal, SlackWeb } from '../web-api/slack-web.ts';

type Web = Pick<SlackWeb, 'updateView'>;

/** The windows that show an answer, the best first; the last is in words alone. A window takes no charts and tables. */
export function answerWindows(
  { text, blocks, plain = blocks }: RenderedMessage,
  place: AnswerWindowState,
): readonly [Modal, ...Modal[]] {
  const words = textWindow(text, place);
  return plain.length > 0 ? [answerWindow(plain, place), words] : [words];
}

/** Puts the first of these windows that Slack understands in the place of the one that is open. */
export async function showFirstAccepted(
  web: Web,
  viewId: string,
  [best, ...others]: readonly [Modal, ...Modal[]],
): Promise<SlackResult<null>> {
  const updated = await web.updateView(viewId, best);
  const [next, ...rest] = others;
  if (next === undefined || updated.kind !== 'refused' || !isWindowRefused(updated.error)) return updated;
  return showFirstAccepted(web, viewId, [next, ...rest]);
}

/** Puts an answer into the window; in words alone where Slack does not understand its blocks. */
export function showAnswer(
  web: Web,
  viewId: string,
  message: RenderedMessage,
  place: AnswerWindowState,
): Promise<SlackResult<null>> {
  return showFirstAccepted(web, viewId, answerWindows(message, place));
}

/** Whether the window was closed meanwhile: Slack does not know it any more. */
export function isWindowClosed(result: SlackResult<unknown>): boolean {
  return result.kind === 'refused' && result.error === 'not_found';
}
