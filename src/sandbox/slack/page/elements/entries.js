/**
 * Fields that do not act by themselves. Slack reports what stands in them together with the next deed on the same
 * message or view, so the workspace is told of them before it.
 */
/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { fieldOf } from './fields.js';

/** @typedef {{node: HTMLElement, element: Element, slot: Slot}} Quiet */

/** @type {WeakMap<Surface, Quiet[]>} */
const quiet = new WeakMap();
/** @type {WeakMap<HTMLElement, string>} */
const told = new WeakMap();

/** @param {Surface} surface @param {Quiet} entry */
export function remember(surface, entry) {
  quiet.set(surface, [...(quiet.get(surface) ?? []), entry]);
}

/**
 * Tells what a person has changed since the last time.
 * @param {Surface} surface
 */
export async function tellEntries(surface) {
  for (const { node, element, slot } of quiet.get(surface) ?? []) {
    const field = node.hasAttribute('data-touched') ? fieldOf(node) : undefined;
    if (!field) continue;
    const value = field.value();
    const words = JSON.stringify(value);
    if (told.get(node) === words) continue;
    told.set(node, words);
    await surface.act({ action_id: element.action_id ?? '', block_id: slot.blockId, value });
  }
}
