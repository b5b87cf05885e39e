/** Updates a list of nodes to match a list of items, changing only what differs. */
import { preserveInput } from './preserve-input.ts';

type Keyed<Item> = {
  readonly key: (item: Item) => string;
  /** What the node was drawn from; while it is the same, the node stays. */
  readonly hash: (item: Item) => string;
  readonly draw: (item: Item) => HTMLElement;
};

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
        preserveInput(before, node, () => before.replaceWith(node));
      }
    }
    if (node === cursor) cursor = cursor.nextElementSibling;
    else parent.insertBefore(node, cursor);
  }
}

const hashes = new WeakMap<Element, string>();
