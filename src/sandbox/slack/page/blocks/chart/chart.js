/** Charts, with a legend and words for those who do not see them. */
/** @import { Block, Chart } from '../../types.d.ts' */
import { h } from '../../dom.js';
import { plainText } from '../../text/text.js';
import { undrawable } from '../../undrawable.js';
import { percent, pie } from './pie.js';
import { plot } from './plot.js';
import { inWords } from './svg.js';

const PLOTTED = ['bar', 'line', 'area'];

/** @param {Block} block */
export function chart(block) {
  const given = block.chart;
  if (!given || !(given.type === 'pie' || PLOTTED.includes(given.type)))
    return undrawable('block', block, 'unknown chart type');
  const title = plainText(block.title);
  const words = `${given.type} chart: ${title}. ${inText(given)}`;
  const drawing = given.type === 'pie' ? pie(given, words) : plot(given, words);
  return h(
    'figure',
    { class: `chart chart-${given.type}` },
    h('figcaption', { class: 'chart-title' }, title),
    h('div', { class: 'chart-place' }, drawing, legend(given)),
  );
}

/** @param {Chart} chart */
function legend({ segments, series = [] }) {
  const total = segments?.reduce((sum, { value }) => sum + value, 0) || 1;
  const entries =
    segments?.map(({ label, value }) => `${label} · ${inWords(value)} (${percent(value / total)})`) ??
    series.map(({ name }) => name);
  const rows = entries.map((entry, at) =>
    h('li', {}, h('span', { class: `legend-patch patch-${at}`, 'aria-hidden': 'true' }), entry),
  );
  return h('ul', { class: 'legend' }, ...rows);
}

/** What is drawn, in words. @param {Chart} chart */
function inText({ segments, series = [] }) {
  const list = (/** @type {readonly {label: string, value: number}[]} */ data) =>
    data.map(({ label, value }) => `${label} ${inWords(value)}`).join(', ');
  if (segments) return `${list(segments)}.`;
  return series.map(({ name, data }) => `${name}: ${list(data)}.`).join(' ');
}
