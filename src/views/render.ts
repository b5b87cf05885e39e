/** What the table of views says of one view. Pure. */

import type { RenderedMessage } from './models/rendered-model.ts';
import { rowOf, type View } from './views.ts';

/** Draws a view within Slack's limits. */
export function renderView(view: View): RenderedMessage {
  return rowOf(view).card(view, { draw: renderView, forChannel: viewForChannel });
}

/** The answer as a channel may see it; null for answers that are private. */
export function viewForChannel(view: View): View | null {
  return rowOf(view).share?.(view) ?? null;
}

/** The answer for a reader who may not see personal data. */
export function withoutPersonalFields(view: View): View {
  return rowOf(view).mask?.(view) ?? view;
}
