import type { Chart } from '../../types.ts';
import { numberText, shortLabel, svg, withTooltip } from './svg.ts';

const SIZE = 200;
const RADIUS = 96;

export function renderPie({ segments = [] }: Chart, words: string) {
  const total = segments.reduce((sum, { value }) => sum + value, 0) || 1;
  let from = 0;
  const slices = segments.map(({ label, value }, at) => {
    const share = value / total;
    const shape = slice(from, from + share);
    from += share;
    return svg(
      'path',
      { d: shape, class: `slice fill-${at}` },
      withTooltip(`${label}: ${numberText(value)} (${percent(share)})`),
    );
  });
  return svg(
    'svg',
    { viewBox: `0 0 ${SIZE} ${SIZE}`, class: 'pie', role: 'img', 'aria-label': words },
    ...slices,
  );
}

export const percent = (share: number) => `${Math.round(share * 100)}%`;

/** A slice between two shares of the circle, clockwise from the top. */
function slice(from: number, to: number) {
  const middle = SIZE / 2;
  // An arc of a whole circle would end where it starts and be empty.
  const end = Math.min(to, from + 0.9999);
  const point = (share: number) => {
    const angle = share * 2 * Math.PI;
    return `${shortLabel(middle + RADIUS * Math.sin(angle))} ${shortLabel(middle - RADIUS * Math.cos(angle))}`;
  };
  const isLarge = end - from > 0.5 ? 1 : 0;
  return `M${middle} ${middle}L${point(from)}A${RADIUS} ${RADIUS} 0 ${isLarge} 1 ${point(end)}Z`;
}
