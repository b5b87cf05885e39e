/** Switches code style for the selection, for which browsers have no command. */
import { h } from '../../dom/dom.ts';

export function toggleCode(field: HTMLElement) {
  const selection = getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  if (!selection || !range || !field.contains(range.commonAncestorContainer)) return;
  const codeElement = codeAround(range.commonAncestorContainer);
  if (codeElement) codeElement.replaceWith(...codeElement.childNodes);
  else {
    // An empty code element could not be typed into.
    const code = h('code', {}, range.toString() || '\u200b');
    range.deleteContents();
    range.insertNode(code);
    selection.selectAllChildren(code);
    selection.collapseToEnd();
  }
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

function codeAround(node: Node) {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('.rich-input code') ?? null;
}
