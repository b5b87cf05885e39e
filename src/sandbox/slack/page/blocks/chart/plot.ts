/** Bar, line and area charts over categories. */
import type { Chart, ChartSeries } from '../../types.ts';
import { ticksOf } from './scale.ts';
import { axisNumber, numberText, shortLabel, svg, withTooltip } from './svg.ts';

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
const AXIS_LABEL = 20;

type Frame = {
  x: (at: number) => number;
  y: (value: number) => number;
  band: number;
  ticks: readonly number[];
  bottom: number;
};

export function renderPlot(chart: Chart, words: string) {
  const { categories = [], x_label = '', y_label = '' } = chart.axis_config ?? {};
  const series = (chart.series ?? []).map((each) => valuesOf(each, categories));
  const count = Math.max(1, categories.length);
  const leastLeft = LEFT + (y_label === '' ? 0 : AXIS_LABEL);
  const widest = (WIDTH - leastLeft - RIGHT) / count;
  const isSlanted = categories.some((label) => label.length * LETTER > widest);
  const left = isSlanted ? Math.max(leastLeft, leftOfSlanted(categories, widest)) : leastLeft;
  const band = (WIDTH - left - RIGHT) / count;
  const slanted = isSlanted ? Math.max(0, AROUND + lengthOf(categories) * SLANT.down - BOTTOM) : 0;
  const height = HEIGHT + slanted + (x_label === '' ? 0 : AXIS_LABEL);
  const bottom = HEIGHT - BOTTOM;
  const ticks = ticksOf(series.flatMap(({ values }) => values));
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const frame: Frame = {
    x: (at) => shortLabel(left + band * (at + 0.5)),
    y: (value) => shortLabel(bottom - ((value - least) / (most - least)) * (bottom - TOP)),
    band,
    ticks,
    bottom,
  };
  const parts = [
    ...axisLines(frame, left),
    ...categories.map((label, at) => category(label, at, frame, isSlanted)),
  ];
  if (x_label !== '')
    parts.push(svg('text', { x: (left + WIDTH) / 2, y: height - 4, class: 'axis-label middle' }, x_label));
  if (y_label !== '') {
    const middle = (TOP + bottom) / 2;
    const turn = `rotate(-90 14 ${middle})`;
    parts.push(svg('text', { x: 14, y: middle, transform: turn, class: 'axis-label middle' }, y_label));
  }
  const draw = chart.type === 'bar' ? bars : chart.type === 'area' ? area : line;
  parts.push(...series.flatMap((each, at) => draw(each, at, frame, series.length, categories)));
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': words }, ...parts);
}

const lengthOf = (labels: readonly string[]) =>
  Math.max(0, ...labels.map((label) => label.length)) * LARGE_LETTER;

/** Space that slanted labels need left of the first band, so that none is cut. */
function leftOfSlanted(labels: readonly string[], band: number) {
  const needs = labels.map((label, at) => lengthOf([label]) * SLANT.left - band * (at + 0.5));
  return Math.ceil(Math.max(0, ...needs)) + AROUND / 2;
}

type Values = { name: string; values: readonly number[] };

function valuesOf({ name, data }: ChartSeries, categories: readonly string[]): Values {
  const byLabel = new Map(data.map(({ label, value }) => [label, value]));
  return { name, values: categories.map((label) => byLabel.get(label) ?? 0) };
}

function axisLines({ y, ticks }: Frame, left: number) {
  return ticks.flatMap((tick) => [
    svg('line', {
      x1: left,
      x2: WIDTH - RIGHT,
      y1: y(tick),
      y2: y(tick),
      class: tick === 0 ? 'axis' : 'grid',
    }),
    svg('text', { x: left - 8, y: y(tick) + 4, class: 'axis-label end' }, axisNumber(tick)),
  ]);
}

function category(label: string, at: number, { x, bottom }: Frame, isSlanted: boolean) {
  const y = bottom + (isSlanted ? 14 : 20);
  const turn = isSlanted ? { transform: `rotate(${SLANT.degrees} ${x(at)} ${y})` } : {};
  return svg('text', { x: x(at), y, ...turn, class: `axis-label ${isSlanted ? 'end' : 'middle'}` }, label);
}

function bars(
  { name, values }: Values,
  number: number,
  { x, y, band }: Frame,
  count: number,
  categories: readonly string[],
) {
  const room = band * 0.7;
  const width = room / count;
  return values.map((value, at) => {
    const from = Math.min(y(value), y(0));
    const height = Math.max(1, Math.abs(y(value) - y(0)));
    const left = shortLabel(x(at) - room / 2 + number * width);
    const shape = {
      x: left,
      y: from,
      width: shortLabel(Math.max(1, width - 2)),
      height: shortLabel(height),
      rx: 2,
    };
    return svg(
      'rect',
      { ...shape, class: `fill-${number}` },
      withTooltip(`${name}, ${categories[at]}: ${numberText(value)}`),
    );
  });
}

function line(
  { name, values }: Values,
  number: number,
  { x, y }: Frame,
  _count: number,
  categories: readonly string[],
) {
  const points = values.map((value, at) => `${x(at)},${y(value)}`).join(' ');
  return [
    svg('polyline', { points, class: `line stroke-${number}` }),
    ...values.map((value, at) =>
      svg(
        'circle',
        { cx: x(at), cy: y(value), r: 3.5, class: `fill-${number}` },
        withTooltip(`${name}, ${categories[at]}: ${numberText(value)}`),
      ),
    ),
  ];
}

const area: typeof line = (series, number, frame, count, categories) => {
  const { x, y } = frame;
  const over = series.values.map((value, at) => `${x(at)},${y(value)}`);
  const points = [`${x(0)},${y(0)}`, ...over, `${x(series.values.length - 1)},${y(0)}`].join(' ');
  return [
    svg('polygon', { points, class: `area fill-${number}` }),
    ...line(series, number, frame, count, categories),
  ];
};
