/** Shows unsupported content with its JSON: left out, a missing block would look like a working one. */
import { h } from './dom.ts';

export function renderUnsupported(
  what: 'block' | 'element',
  json: unknown,
  reason = 'unknown type',
): HTMLElement {
  const kind = typeof json === 'object' && json !== null && 'type' in json ? String(json.type) : 'no type';
  return h(
    'div',
    { class: 'undrawable', role: 'note', 'data-undrawable': kind },
    h('strong', {}, `Can’t show this ${what}: “${kind}”`),
    ` (${reason})`,
    h('details', {}, h('summary', {}, 'JSON'), h('pre', {}, JSON.stringify(json, null, 2))),
  );
}
