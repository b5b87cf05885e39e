/** Shared by all elements: their attributes, the values they hold, and sending their actions to the bot. */

import { h } from '../dom/dom.ts';
import { confirmAction } from '../modal/confirm-dialog.ts';
import type { Element, ElementSlot, FieldHandle, RenderContext } from '../types.ts';

/** Attributes by which tests, redraws and forms find the element. */
export const elementAttributes = (element: Element, slot: ElementSlot) => ({
  'data-action-id': element.action_id ?? '',
  'data-block-id': slot.blockId,
  'data-element': element.type,
  'data-focus-first': element.focus_on_load === true,
  'aria-labelledby': slot.labelledBy ?? null,
  'aria-describedby': slot.describedBy ?? null,
});

const handles = new WeakMap<globalThis.Element, FieldHandle>();

/** Every element that holds a value says how to read it. `node`: the node with the element's ids. */
export function registerField(node: HTMLElement, field: FieldHandle) {
  handles.set(node, field);
}

export const fieldHandleOf = (node: globalThis.Element) => handles.get(node);

/** Marks a field that a person has changed: only then does its value survive a redraw. */
export function markTouched(node: globalThis.Element) {
  node.setAttribute('data-touched', '');
}

/** Values of a form's elements, as in `view.state.values`: by block id, then by action id. */
export function readFormValues(form: HTMLElement): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = {};
  for (const node of form.querySelectorAll('[data-element]')) {
    const field = fieldHandleOf(node);
    if (!field) continue;
    const block = node.getAttribute('data-block-id') ?? '';
    const action = node.getAttribute('data-action-id') ?? '';
    values[block] = { ...values[block], [action]: field.value() };
  }
  return values;
}

type SilentField = { node: HTMLElement; element: Element; slot: ElementSlot };

const silentFields = new WeakMap<RenderContext, SilentField[]>();
const reported = new WeakMap<HTMLElement, string>();

/** A field that does not dispatch actions: its value is reported with the next action on the same view. */
export function rememberField(surface: RenderContext, field: SilentField) {
  silentFields.set(surface, [...(silentFields.get(surface) ?? []), field]);
}

/** Sends what a person has changed in such fields since the last time, as Slack does before an action. */
export async function reportValues(surface: RenderContext) {
  for (const { node, element, slot } of silentFields.get(surface) ?? []) {
    const field = node.hasAttribute('data-touched') ? fieldHandleOf(node) : undefined;
    if (!field) continue;
    const value = field.value();
    const words = JSON.stringify(value);
    if (reported.get(node) === words) continue;
    reported.set(node, words);
    await surface.dispatchAction({ action_id: element.action_id ?? '', block_id: slot.blockId, value });
  }
}

type DispatchedAction = {
  element: Element;
  slot: ElementSlot;
  surface: RenderContext;
  value?: unknown;
};

/** The newest value of an element whose previous one is still being sent. */
const pendingActions = new WeakMap<HTMLElement, DispatchedAction>();

/**
 * Sends the action to the bot, after the element's own confirm dialog. In an input block nothing is sent until the form
 * is submitted.
 */
export async function dispatchAction(node: HTMLElement, action: DispatchedAction): Promise<void> {
  const { element, slot, surface, value } = action;
  if (!slot.dispatches) return;
  if (node.getAttribute('aria-busy') === 'true') {
    // A second click is dropped; a second value replaces the first.
    if (value !== undefined) pendingActions.set(node, action);
    return;
  }
  if (element.confirm && !(await confirmAction(element.confirm, surface))) return;
  node.setAttribute('aria-busy', 'true');
  clearFailure(node);
  await reportValues(surface);
  const answer = await surface.dispatchAction({
    action_id: element.action_id ?? '',
    block_id: slot.blockId,
    ...(value === undefined ? {} : { value }),
    ...(element.confirm ? { confirm: true } : {}),
  });
  node.removeAttribute('aria-busy');
  if (!answer.ok) showFailure(node, answer.error ?? 'unknown_error', surface);
  const next = pendingActions.get(node);
  pendingActions.delete(node);
  if (next) await dispatchAction(node, next);
}

const blockOf = (node: HTMLElement) => node.closest('[data-block]');

export function clearFailure(node: HTMLElement) {
  blockOf(node)?.querySelector(':scope > .failure')?.remove();
}

/** While a confirm dialog was open, the message may have been edited: its element is gone from the page, too. */
function showFailure(node: HTMLElement, error: string, { location: { ts } }: RenderContext) {
  const isGone = error === 'unknown_element';
  const words = isGone
    ? 'This message changed before you answered, so nothing was sent.'
    : `This didn’t work: ${error}`;
  if (node.isConnected) return showErrorText(node, words);
  const body = document.querySelector(`[data-ts="${CSS.escape(ts)}"] .message-body`);
  body?.append(h('p', { class: 'failure', role: 'alert' }, words));
}

export function showErrorText(node: HTMLElement, words: string) {
  clearFailure(node);
  blockOf(node)?.append(h('p', { class: 'failure', role: 'alert' }, words));
}
