/**
 * Fields that do not dispatch actions. Slack reports their values with the next action on the same message or view, so
 * they are sent to the workspace before it.
 */
/** @import { Element, ElementSlot, RenderContext } from '../types.d.ts' */
import { fieldHandleOf } from './field-values.js';

/** @typedef {{node: HTMLElement, element: Element, slot: ElementSlot}} SilentChange */

/** @type {WeakMap<RenderContext, SilentChange[]>} */
const silentChanges = new WeakMap();
/** @type {WeakMap<HTMLElement, string>} */
const reported = new WeakMap();

/** @param {RenderContext} surface @param {SilentChange} entry */
export function rememberValue(surface, entry) {
  silentChanges.set(surface, [...(silentChanges.get(surface) ?? []), entry]);
}

/**
 * Sends what a person has changed since the last time.
 * @param {RenderContext} surface
 */
export async function reportValues(surface) {
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
