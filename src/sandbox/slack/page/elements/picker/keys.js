/** The keyboard of a menu. */

/**
 * @typedef {object} Deeds
 * @property {{isOpen: () => boolean, move: (step: number) => void, chooseMarked: () => void}} list
 * @property {() => void} open
 * @property {() => void} close
 * @property {() => void} removeLast
 */

/**
 * @param {KeyboardEvent} event
 * @param {Deeds} deeds
 */
export function onKey(event, { list, open, close, removeLast }) {
  if (event.isComposing) return;
  if (event.key === 'Backspace') return removeLast();
  if (!(list.isOpen() ? openKeys : closedKeys).includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  if (!list.isOpen()) return open();
  if (event.key === 'ArrowDown') list.move(1);
  else if (event.key === 'ArrowUp') list.move(-1);
  else if (event.key === 'Enter') list.chooseMarked();
  else close();
}

const openKeys = ['ArrowDown', 'ArrowUp', 'Enter', 'Escape'];
/** Enter opens, so that it does not send a form whose menu was only to be opened. */
const closedKeys = ['ArrowDown', 'ArrowUp', 'Enter'];
