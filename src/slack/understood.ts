/** Blocks that Slack does not understand must not cost the message: it is sent in simpler forms, at last as text. */
import type { RenderedMessage } from '../views/model.ts';
import { type Asked, contentRefused } from './faults.ts';

/** The same message without charts and tables, or as text alone; null where there is nothing simpler. */
export function simpler<M extends RenderedMessage>(message: M): M | null {
  const { plain, blocks } = message;
  if (plain !== undefined) return { ...message, blocks: plain, plain: undefined };
  return blocks.length === 0 ? null : { ...message, blocks: [] };
}

/** Sends the message in the best form that Slack takes. */
export async function understood<T, M extends RenderedMessage>(
  message: M,
  send: (message: M) => Promise<Asked<T>>,
): Promise<Asked<T>> {
  const sent = await send(message);
  if (sent.kind !== 'refused' || !contentRefused(sent.error)) return sent;
  const less = simpler(message);
  return less === null ? sent : understood(less, send);
}
