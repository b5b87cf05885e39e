/** What was typed before a form was opened goes along with its window: fields that are drawn later begin with it. */
import { z } from 'zod';

/** What a window carries has room for little more (3,000 characters, Slack). */
const MOST_TYPED = 500;

const words = z.record(z.string(), z.unknown()).catch({});
const carried = z.object({ typed: words }).catch({ typed: {} });

/** For the context of a window; what stands in a field of its own already, as `apart`, and what is too long is left out. */
export function withTyped(typed: unknown, apart: readonly string[]) {
  const rest = Object.entries(words.parse(typed)).filter(([name]) => !apart.includes(name));
  const kept = Object.fromEntries(rest);
  return { typed: JSON.stringify(kept).length > MOST_TYPED ? {} : kept };
}

/** The same from the context. */
export function typedIn(context: unknown): Readonly<Record<string, unknown>> {
  return carried.parse(context).typed;
}
