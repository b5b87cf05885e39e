/** A message whose blocks Slack refuses is sent again in simpler forms, at last as text. */
import type { RenderedMessage } from '../../views/model.ts';
import { isContentRefused, type SlackResult } from './slack-errors.ts';

/** The same message without charts and tables, or as text alone; null where there is nothing simpler. */
export function simplerMessage<M extends RenderedMessage>(message: M): M | null {
  const { plain, blocks } = message;
  if (plain !== undefined) return { ...message, blocks: plain, plain: undefined };
  return blocks.length === 0 ? null : { ...message, blocks: [] };
}

/** Sends the message in the best form that Slack accepts. */
export async function sendWithFallback<T, M extends RenderedMessage>(
  message: M,
  send: (message: M) => Promise<SlackResult<T>>,
): Promise<SlackResult<T>> {
  const sent = await send(message);
  if (sent.kind !== 'refused' || !isContentRefused(sent.error)) return sent;
  const less = simplerMessage(message);
  return less === null ? sent : sendWithFallback(less, send);
}
