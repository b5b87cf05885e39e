/**
 * Charts (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). The page says 1 to 6 segments or
 * series; later notes of others say 12. The lower number is right on both readings.
 */
import { fieldsOf, listOf, wordOf } from '../json.ts';
import { type Problem, problem } from './problem.ts';
import { byType, items, number, oneOf, positive, type Rule, type Rules, shape, text } from './rule.ts';

const MOST_SERIES = 6;
const MOST_POINTS = 20;
const label = text({ min: 1, max: 20 });
const axisLabel = text({ max: 50 });
const series = items(
  shape({ name: label, data: items(shape({ label, value: number }), { max: MOST_POINTS }) }),
  { max: MOST_SERIES },
);
const axes = shape(
  { categories: items(label, { max: MOST_POINTS }) },
  { x_label: axisLabel, y_label: axisLabel },
);

const differentNames: Rule = (value, pointer) => {
  const names = listOf(fieldsOf(value)['series']).map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? problem(`${pointer}/series/${index}/name`, 'series names must be unique')
      : [],
  );
};

/** Every series has one point for every category, and no other. */
const pointPerCategory: Rule = (value, pointer) => {
  const { series: all, axis_config } = fieldsOf(value);
  const categories = fieldsOf(axis_config)['categories'];
  const wanted = Array.isArray(categories) ? [...categories].sort().join('\n') : '';
  return listOf(all).flatMap(({ data }, index): readonly Problem[] => {
    const labels = listOf(data).map((point) => wordOf(point['label']));
    return labels.sort().join('\n') === wanted
      ? []
      : problem(`${pointer}/series/${index}/data`, 'must have one data point for each category');
  });
};

const CHARTS: Rules = {
  pie: shape({
    type: oneOf('pie'),
    segments: items(shape({ label, value: positive }), { max: MOST_SERIES }),
  }),
  bar: plotted('bar'),
  area: plotted('area'),
  line: plotted('line'),
};
const chart = byType(() => CHARTS);

export function dataVisualization(base: Rules): Rule {
  return shape({ title: text({ min: 1, max: 50 }), chart }, base);
}

function plotted(type: string): Rule {
  return shape({ type: oneOf(type), series, axis_config: axes }, {}, differentNames, pointPerCategory);
}
