/** Bar charts of one series over categories, with a legend and a text for screen readers. */

import { renderUnsupported } from './kit.ts';
import { html } from './preact.ts';
import { renderPlainText } from './text/text-object.ts';
import type { Block, ChartSeries } from './types.ts';

const WIDTH = 600;
const HEIGHT = 280;
const LEFT = 52;
const RIGHT = 12;
const TOP = 12;
/** Space below the axis for labels in one line. */
const BOTTOM = 30;
/** Angle of labels that would overlap, and which part of their length goes down and to the left. */
const SLANT = { degrees: -50, down: 0.77, left: 0.65 };
/** Width of a letter in the phone's larger font, and the space around a slanted label. */
const LARGE_LETTER = 8.5;
const AROUND = 22;
/** Width of a letter at the normal size. */
const LETTER = 7;
const MAX_TICKS = 5;

export function Chart({ block }: { block: Block }) {
  const { type, series: [series, ...others] = [] } = block.chart ?? {};
  if (type !== 'bar' || !series || others.length > 0)
    return renderUnsupported('block', block, 'no bar chart of one series');
  const title = renderPlainText(block.title);
  const values = series.data.map(({ label, value }) => `${label} ${numberText(value)}`).join(', ');
  return html`
    <figure class="chart" data-block="data_visualization">
      <figcaption class="chart-title">${title}</figcaption>
      <div class="chart-place">
        ${renderBars(series, `bar chart: ${title}. ${series.name}: ${values}.`)}
        <p class="legend"><span class="legend-patch" aria-hidden="true" />${series.name}</p>
      </div>
    </figure>`;
}

type Frame = {
  x: (at: number) => number;
  y: (value: number) => number;
  band: number;
};

function renderBars({ name, data }: ChartSeries, words: string) {
  const categories = data.map(({ label }) => label);
  const count = Math.max(1, categories.length);
  const widest = (WIDTH - LEFT - RIGHT) / count;
  const isSlanted = categories.some((label) => label.length * LETTER > widest);
  const left = isSlanted ? Math.max(LEFT, leftOfSlanted(categories, widest)) : LEFT;
  const band = (WIDTH - left - RIGHT) / count;
  const slanted = isSlanted ? Math.max(0, AROUND + lengthOf(categories) * SLANT.down - BOTTOM) : 0;
  const ticks = ticksOf(data.map(({ value }) => value));
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const frame: Frame = {
    x: (at) => rounded(left + band * (at + 0.5)),
    y: (value) => rounded(HEIGHT - BOTTOM - ((value - least) / (most - least)) * (HEIGHT - BOTTOM - TOP)),
    band,
  };
  return html`
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT + slanted}" role="img" aria-label=${words}>
      ${ticks.map((tick) => axisLine(tick, frame, left))}
      ${categories.map((label, at) => categoryLabel(label, frame.x(at), isSlanted))}
      ${data.map((point, at) => bar(name, point, at, frame))}
    </svg>`;
}

const lengthOf = (labels: readonly string[]) =>
  Math.max(0, ...labels.map((label) => label.length)) * LARGE_LETTER;

/** Space that slanted labels need left of the first band, so that none is cut. */
function leftOfSlanted(labels: readonly string[], band: number) {
  const needs = labels.map((label, at) => lengthOf([label]) * SLANT.left - band * (at + 0.5));
  return Math.ceil(Math.max(0, ...needs)) + AROUND / 2;
}

/** Round numbers from at or below the smallest value (or 0) to at or above the largest. */
function ticksOf(values: readonly number[]): readonly number[] {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const rough = (most - least || 1) / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.floor(least / step);
  const count = Math.max(1, Math.ceil(most / step) - first);
  return Array.from({ length: count + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

function axisLine(tick: number, { y }: Frame, left: number) {
  const at = y(tick);
  return html`
    <line x1=${left} x2=${WIDTH - RIGHT} y1=${at} y2=${at} class=${tick === 0 ? 'axis' : 'grid'} />
    <text x=${left - 8} y=${at + 4} class="axis-label end">${axisNumber(tick)}</text>`;
}

function categoryLabel(label: string, x: number, isSlanted: boolean) {
  const y = HEIGHT - BOTTOM + (isSlanted ? 14 : 20);
  const turn = isSlanted ? `rotate(${SLANT.degrees} ${x} ${y})` : undefined;
  return html`
    <text x=${x} y=${y} transform=${turn} class="axis-label ${isSlanted ? 'end' : 'middle'}">${label}</text>`;
}

/** The browser shows its title when the pointer is over the bar. */
function bar(name: string, point: ChartSeries['data'][number], at: number, { x, y, band }: Frame) {
  const { label, value } = point;
  const room = band * 0.7;
  return html`
    <rect
      x=${rounded(x(at) - room / 2)}
      y=${Math.min(y(value), y(0))}
      width=${rounded(Math.max(1, room - 2))}
      height=${rounded(Math.max(1, Math.abs(y(value) - y(0))))}
      rx="2"
      class="bar"
    >
      <title>${name}, ${label}: ${numberText(value)}</title>
    </rect>`;
}

/** A coordinate rounded to a hundredth. */
const rounded = (number: number) => Number(number.toFixed(2));

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

const numberText = (number: number) => numbers.format(number);

const axisNumber = (number: number) =>
  Math.abs(number) < 10_000 ? numbers.format(number) : compact.format(number);
