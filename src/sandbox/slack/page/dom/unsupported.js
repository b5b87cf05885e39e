/** Shows unsupported content with its JSON: left out, a missing block would look like a working one. */
import { h } from './dom.js';

/**
 * @param {'block' | 'element'} what
 * @param {unknown} json
 * @param {string} [reason]
 * @returns {HTMLElement}
 */
export function renderUnsupported(what, json, reason = 'unknown type') {
  const kind = typeof json === 'object' && json !== null && 'type' in json ? String(json.type) : 'no type';
  return h(
    'div',
    { class: 'undrawable', role: 'note', 'data-undrawable': kind },
    h('strong', {}, `Can’t show this ${what}: “${kind}”`),
    ` (${reason})`,
    h('details', {}, h('summary', {}, 'JSON'), h('pre', {}, JSON.stringify(json, null, 2))),
  );
}
