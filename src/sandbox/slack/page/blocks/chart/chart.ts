/** Charts, with a legend and a text for screen readers. */

import { h } from '../../dom/dom.ts';
import { renderUnsupported } from '../../dom/unsupported.ts';
import { renderPlainText } from '../../text/text-object.ts';
import type { Block, Chart } from '../../types.ts';
import { percent, renderPie } from './pie.ts';
import { renderPlot } from './plot.ts';
import { numberText } from './svg.ts';

const PLOTTED = ['bar', 'line', 'area'];

export function renderChart(block: Block) {
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

function legend({ segments, series = [] }: Chart) {
  const total = segments?.reduce((sum, { value }) => sum + value, 0) || 1;
  const entries =
    segments?.map(({ label, value }) => `${label} · ${numberText(value)} (${percent(value / total)})`) ??
    series.map(({ name }) => name);
  const rows = entries.map((entry, at) =>
    h('li', {}, h('span', { class: `legend-patch patch-${at}`, 'aria-hidden': 'true' }), entry),
  );
  return h('ul', { class: 'legend' }, ...rows);
}

/** The chart as text. */
function chartText({ segments, series = [] }: Chart) {
  const list = (data: readonly { label: string; value: number }[]) =>
    data.map(({ label, value }) => `${label} ${numberText(value)}`).join(', ');
  if (segments) return `${list(segments)}.`;
  return series.map(({ name, data }) => `${name}: ${list(data)}.`).join(' ');
}
