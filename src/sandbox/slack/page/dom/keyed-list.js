/** Updates a list of nodes to match a list of items, changing only what differs. */
import { preserveInput } from './preserve-input.js';

/**
 * @template Item
 * @typedef {object} Keyed
 * @property {(item: Item) => string} key
 * @property {(item: Item) => string} hash what the node was drawn from; while it is the same, the node stays
 * @property {(item: Item) => HTMLElement} draw
 */

/**
 * Replaces a node only when its hash differs; text typed into it moves to the new node.
 * @template Item
 * @param {HTMLElement} parent
 * @param {readonly Item[]} items
 * @param {Keyed<Item>} how
 */
export function patchList(parent, items, { key, hash, draw }) {
  const old = new Map([...parent.children].map((node) => [node.getAttribute('data-key'), node]));
  /** @type {Element | null} */
  let cursor = parent.firstElementChild;
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
  for (const node of old.values()) node.remove();
}

/** @type {WeakMap<Element, string>} */
const hashes = new WeakMap();
