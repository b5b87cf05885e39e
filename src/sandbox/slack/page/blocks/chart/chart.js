/** Charts, with a legend and a text for screen readers. */
/** @import { Block, Chart } from '../../types.d.ts' */
import { h } from '../../dom/dom.js';
import { renderUnsupported } from '../../dom/unsupported.js';
import { renderPlainText } from '../../text/text-object.js';
import { percent, renderPie } from './pie.js';
import { renderPlot } from './plot.js';
import { numberText } from './svg.js';

const PLOTTED = ['bar', 'line', 'area'];

/** @param {Block} block */
export function renderChart(block) {
  const data = block.chart;
  if (!data || !(data.type === 'pie' || PLOTTED.includes(data.type)))
    return renderUnsupported('block', block, 'unknown chart type');
  const title = renderPlainText(block.title);
  const words = `${data.type} chart: ${title}. ${chartText(data)}`;
  const drawing = data.type === 'pie' ? renderPie(data, words) : renderPlot(data, words);
  return h(
    'figure',
    { class: `chart chart-${data.type}` },
    h('figcaption', { class: 'chart-title' }, title),
    h('div', { class: 'chart-place' }, drawing, legend(data)),
  );
}

/** @param {Chart} chart */
function legend({ segments, series = [] }) {
  const total = segments?.reduce((sum, { value }) => sum + value, 0) || 1;
  const entries =
    segments?.map(({ label, value }) => `${label} · ${numberText(value)} (${percent(value / total)})`) ??
    series.map(({ name }) => name);
  const rows = entries.map((entry, at) =>
    h('li', {}, h('span', { class: `legend-patch patch-${at}`, 'aria-hidden': 'true' }), entry),
  );
  return h('ul', { class: 'legend' }, ...rows);
}

/** The chart as text. @param {Chart} chart */
function chartText({ segments, series = [] }) {
  const list = (/** @type {readonly {label: string, value: number}[]} */ data) =>
    data.map(({ label, value }) => `${label} ${numberText(value)}`).join(', ');
  if (segments) return `${list(segments)}.`;
  return series.map(({ name, data }) => `${name}: ${list(data)}.`).join(' ');
}
