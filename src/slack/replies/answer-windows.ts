/** Shows answers in open windows. */
import {
  type AnswerWindowState,
  answerWindow,
  type Modal,
  textWindow,
} from '../../views/kit/answer-window.ts';
import type { RenderedMessage } from '../../views/model.ts';
import { isWindowRefused, type SlackResult } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

type Web = Pick<SlackWeb, 'showView'>;

/** The windows for an answer, best first; the last has text alone. A window takes no charts and tables. */
export function answerWindows(
  { text, blocks, plain = blocks }: RenderedMessage,
  place: AnswerWindowState,
): readonly [Modal, ...Modal[]] {
  const words = textWindow(text, place);
  return plain.length > 0 ? [answerWindow(plain, place), words] : [words];
}

/** Replaces the open window with the first of these that Slack accepts. */
export async function showFirstAccepted(
  web: Web,
  viewId: string,
  [best, ...others]: readonly [Modal, ...Modal[]],
): Promise<SlackResult<unknown>> {
  const updated = await web.showView({ kind: 'replace', viewId }, best);
  const [next, ...rest] = others;
  if (next === undefined || updated.kind !== 'refused' || !isWindowRefused(updated.error)) return updated;
  return showFirstAccepted(web, viewId, [next, ...rest]);
}

/** Shows an answer in the window; as text alone where Slack refuses its blocks. */
export function showAnswer(
  web: Web,
  viewId: string,
  message: RenderedMessage,
  place: AnswerWindowState,
): Promise<SlackResult<unknown>> {
  return showFirstAccepted(web, viewId, answerWindows(message, place));
}

/** Whether the window was closed: Slack no longer knows it. */
export function isWindowClosed(result: SlackResult<unknown>): boolean {
  return result.kind === 'refused' && result.error === 'not_found';
}

/** Errors on fields, which keep the form open, or the window that replaces it; neither closes it. */
export type FormAckResponse =
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'window'; readonly window: Modal };
export type AcknowledgeForm = (answer?: FormAckResponse) => Promise<void>;
