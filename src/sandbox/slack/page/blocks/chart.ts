/** Bar charts of one series over categories, with a legend and a text for screen readers. */

import { h, renderUnsupported, svg } from '../dom/dom.ts';
import { renderPlainText } from '../text/text-object.ts';
import type { Block, ChartSeries } from '../types.ts';

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

export function renderChart(block: Block) {
  const { type, series: [series, ...others] = [] } = block.chart ?? {};
  if (type !== 'bar' || !series || others.length > 0)
    return renderUnsupported('block', block, 'no bar chart of one series');
  const title = renderPlainText(block.title);
  const numbers = series.data.map(({ label, value }) => `${label} ${numberText(value)}`).join(', ');
  return h(
    'figure',
    { class: 'chart' },
    h('figcaption', { class: 'chart-title' }, title),
    h(
      'div',
      { class: 'chart-place' },
      renderBars(series, `bar chart: ${title}. ${series.name}: ${numbers}.`),
      h('p', { class: 'legend' }, h('span', { class: 'legend-patch', 'aria-hidden': 'true' }), series.name),
    ),
  );
}

type Frame = {
  x: (at: number) => number;
  y: (value: number) => number;
  band: number;
  ticks: readonly number[];
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
    ticks,
  };
  return svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT + slanted}`, role: 'img', 'aria-label': words },
    ...axisLines(frame, left),
    ...categories.map((label, at) => categoryLabel(label, frame.x(at), isSlanted)),
    ...data.map((point, at) => bar(name, point, at, frame)),
  );
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

function axisLines({ y, ticks }: Frame, left: number) {
  return ticks.flatMap((tick) => {
    const place = { x1: left, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) };
    return [
      svg('line', { ...place, class: tick === 0 ? 'axis' : 'grid' }),
      svg('text', { x: left - 8, y: y(tick) + 4, class: 'axis-label end' }, axisNumber(tick)),
    ];
  });
}

function categoryLabel(label: string, x: number, isSlanted: boolean) {
  const y = HEIGHT - BOTTOM + (isSlanted ? 14 : 20);
  const turn = isSlanted ? { transform: `rotate(${SLANT.degrees} ${x} ${y})` } : {};
  return svg('text', { x, y, ...turn, class: `axis-label ${isSlanted ? 'end' : 'middle'}` }, label);
}

function bar(name: string, { label, value }: ChartSeries['data'][number], at: number, { x, y, band }: Frame) {
  const room = band * 0.7;
  const shape = {
    x: rounded(x(at) - room / 2),
    y: Math.min(y(value), y(0)),
    width: rounded(Math.max(1, room - 2)),
    height: rounded(Math.max(1, Math.abs(y(value) - y(0)))),
    rx: 2,
  };
  // The browser shows it when the pointer is over the bar.
  const tooltip = svg('title', {}, `${name}, ${label}: ${numberText(value)}`);
  return svg('rect', { ...shape, class: 'bar' }, tooltip);
}

/** A coordinate rounded to a hundredth. */
const rounded = (number: number) => Number(number.toFixed(2));

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

const numberText = (number: number) => numbers.format(number);

const axisNumber = (number: number) =>
  Math.abs(number) < 10_000 ? numbers.format(number) : compact.format(number);
