import { h, icon } from '../dom/dom.ts';
import { renderText } from '../text/text-object.ts';
import type { Block, RenderContext } from '../types.ts';

const RING = 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15z';
const DRAWINGS: Readonly<Record<string, string | undefined>> = {
  info: `${RING}M10 9v5M10 6.5v.01`,
  success: `${RING}M6.5 10.2l2.5 2.5 4.5-5`,
  warning: 'M10 3l8 14H2zM10 8v4M10 14.5v.01',
  error: `${RING}M10 6v5M10 13.5v.01`,
};

export function renderAlert({ text, level = 'default' }: Block, surface: RenderContext) {
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
