/** @import { Block, RenderContext } from '../types.d.ts' */
import { h, icon } from '../dom/dom.js';
import { renderText } from '../text/text-object.js';

const RING = 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15z';
/** @type {Readonly<Record<string, string | undefined>>} */
const DRAWINGS = {
  info: `${RING}M10 9v5M10 6.5v.01`,
  success: `${RING}M6.5 10.2l2.5 2.5 4.5-5`,
  warning: 'M10 3l8 14H2zM10 8v4M10 14.5v.01',
  error: `${RING}M10 6v5M10 13.5v.01`,
};

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderAlert({ text, level = 'default' }, surface) {
  const drawing = DRAWINGS[level] ?? DRAWINGS['info'] ?? '';
  return h(
    'div',
    {
      class: `alert-block alert-${level}`,
      role: level === 'error' || level === 'warning' ? 'alert' : 'status',
    },
    icon(drawing),
    h('div', { class: 'alert-text' }, renderText(text, surface)),
  );
}
