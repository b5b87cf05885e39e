/**
 * Fields that do not dispatch actions. Slack reports their values with the next action on the same message or view, so
 * they are sent to the workspace before it.
 */
import type { Element, ElementSlot, RenderContext } from '../types.ts';
import { fieldHandleOf } from './field-values.ts';

type SilentChange = { node: HTMLElement; element: Element; slot: ElementSlot };

const silentChanges = new WeakMap<RenderContext, SilentChange[]>();
const reported = new WeakMap<HTMLElement, string>();

export function rememberValue(surface: RenderContext, entry: SilentChange) {
  silentChanges.set(surface, [...(silentChanges.get(surface) ?? []), entry]);
}

/** Sends what a person has changed since the last time. */
export async function reportValues(surface: RenderContext) {
  for (const { node, element, slot } of silentChanges.get(surface) ?? []) {
    const field = node.hasAttribute('data-touched') ? fieldHandleOf(node) : undefined;
    if (!field) continue;
    const value = field.value();
    const words = JSON.stringify(value);
    if (reported.get(node) === words) continue;
    reported.set(node, words);
    await surface.dispatchAction({ action_id: element.action_id ?? '', block_id: slot.blockId, value });
  }
}
