/**
 * Charts (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). The stored page says 1 to 6 segments or
 * series; the real validator accepts 12 (slackblocks, spec/limits.json).
 */
import { asJsonObject, asList, asString } from '../core/json-object.ts';
import {
  byTypeRule,
  differentItemsRule,
  listRule,
  numberRule,
  objectRule,
  oneOfRule,
  positiveRule,
  textRule,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

const MAX_SERIES = 12;
const MAX_POINTS = 20;
const label = textRule({ min: 1, max: 20 });
const axisLabel = textRule({ max: 50 });
const series = listRule(
  objectRule({ name: label, data: listRule(objectRule({ label, value: numberRule }), { max: MAX_POINTS }) }),
  { max: MAX_SERIES },
);
const axes = objectRule(
  { categories: differentItemsRule(label, MAX_POINTS) },
  { x_label: axisLabel, y_label: axisLabel },
);

const differentNames: ValidationRule = (value, pointer) => {
  const names = asList(asJsonObject(value)['series']).map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? validationProblem(`${pointer}/series/${index}/name`, 'series names must be unique')
      : [],
  );
};

/** Every series has exactly one point per category. */
const pointPerCategory: ValidationRule = (value, pointer) => {
  const { series: all, axis_config } = asJsonObject(value);
  const categories = asJsonObject(axis_config)['categories'];
  const expected = Array.isArray(categories) ? [...categories].sort().join('\n') : '';
  return asList(all).flatMap(({ data }, index): readonly ValidationProblem[] => {
    const labels = asList(data).map((point) => asString(point['label']));
    return labels.sort().join('\n') === expected
      ? []
      : validationProblem(`${pointer}/series/${index}/data`, 'must have one data point for each category');
  });
};

const CHART_RULES: ValidationRules = {
  pie: objectRule({
    type: oneOfRule('pie'),
    segments: listRule(objectRule({ label, value: positiveRule }), { max: MAX_SERIES }),
  }),
  bar: plotted('bar'),
  area: plotted('area'),
  line: plotted('line'),
};
const chart = byTypeRule(() => CHART_RULES);

export function dataVisualizationRule(base: ValidationRules): ValidationRule {
  return objectRule({ title: textRule({ min: 1, max: 50 }), chart }, base);
}

function plotted(type: string): ValidationRule {
  return objectRule(
    { type: oneOfRule(type), series, axis_config: axes },
    {},
    differentNames,
    pointPerCategory,
  );
}
