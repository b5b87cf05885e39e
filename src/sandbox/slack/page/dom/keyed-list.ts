/**
 * Updates a list of nodes to match a list of items, changing only what differs, and keeps what a person typed or chose
 * when a node is rendered again, as Slack does while block and action ids stay the same.
 */

import { fieldHandleOf, markTouched } from '../elements/action.ts';

type Keyed<Item> = {
  readonly key: (item: Item) => string;
  /** What the node was drawn from; while it is the same, the node stays. */
  readonly hash: (item: Item) => string;
  readonly draw: (item: Item) => HTMLElement;
};

const hashes = new WeakMap<Element, string>();

/** Replaces a node only when its hash differs; text typed into it moves to the new node. */
export function patchList<Item>(
  parent: HTMLElement,
  items: readonly Item[],
  { key, hash, draw }: Keyed<Item>,
) {
  const old = new Map([...parent.children].map((node) => [node.getAttribute('data-key'), node]));
  const kept = new Set<string | null>(items.map(key));
  // First, because a node that is moved loses the focus and closes its menus.
  for (const [oldKey, node] of old) if (!kept.has(oldKey)) node.remove();
  let cursor: Element | null = parent.firstElementChild;
  for (const item of items) {
    const itemKey = key(item);
    const itemHash = hash(item);
    const before = old.get(itemKey);
    old.delete(itemKey);
    const node = before && hashes.get(before) === itemHash ? before : draw(item);
    if (node !== before) {
      node.setAttribute('data-key', itemKey);
      hashes.set(node, itemHash);
      if (before) {
        if (cursor === before) cursor = node;
        replaceKeeping(before, node);
      }
    }
    if (node === cursor) cursor = cursor.nextElementSibling;
    else parent.insertBefore(node, cursor);
  }
}

/** Marks an element that a person has changed: only then does its value survive a redraw. */
export function trackInput() {
  for (const kind of ['input', 'change'])
    document.addEventListener(kind, ({ target }) => {
      const element = target instanceof Element ? target.closest('[data-action-id]') : null;
      if (element) markTouched(element);
    });
}

/** Replaces a node; changed values and the focus move to the new one. */
export function replaceKeeping(before: Element, after: Element) {
  for (const old of before.querySelectorAll('[data-action-id][data-touched]')) {
    const now = matchingNode(after, old);
    if (now) copyValue(old, now);
  }
  const refocus = focusWithin(before);
  before.replaceWith(after);
  refocus?.(after);
}

/** The element with the same block and action id. */
function matchingNode(within: Element, old: Element) {
  const block = CSS.escape(old.getAttribute('data-block-id') ?? '');
  const action = CSS.escape(old.getAttribute('data-action-id') ?? '');
  return within.querySelector(`[data-block-id="${block}"][data-action-id="${action}"]`);
}

function copyValue(old: Element, now: Element) {
  const before = fieldHandleOf(old);
  if (!before || old.getAttribute('data-element') !== now.getAttribute('data-element')) return;
  markTouched(now);
  fieldHandleOf(now)?.restore(before.state());
}

type Typed = HTMLInputElement | HTMLTextAreaElement;

const isTyped = (node: Element): node is Typed =>
  node instanceof HTMLTextAreaElement || (node instanceof HTMLInputElement && node.type === 'text');

const isTicked = (node: Element): node is HTMLInputElement =>
  node instanceof HTMLInputElement && (node.type === 'checkbox' || node.type === 'radio');

/** Remembers the focused control in this node, to focus the same one in another node. */
function focusWithin(before: Element): ((after: Element) => void) | null {
  const control = document.activeElement;
  const element = control?.closest('[data-action-id]');
  if (!control || !element || !before.contains(control)) return null;
  const selection = isTyped(control) ? ([control.selectionStart, control.selectionEnd] as const) : null;
  return (after) => {
    const now = matchingNode(after, element);
    const candidates = now ? [now, ...now.querySelectorAll('input, textarea, button')] : [];
    const target = candidates.find(
      (node) =>
        node.tagName === control.tagName &&
        (!isTicked(node) || !isTicked(control) || node.value === control.value),
    );
    if (!(target instanceof HTMLElement)) return;
    target.focus({ preventScroll: true });
    if (selection && isTyped(target)) target.setSelectionRange(...selection);
  };
}
