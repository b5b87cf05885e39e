/**
 * The blocks that the views have (docs.slack.dev/reference/block-kit/blocks; limits: @slack/types 3.2 and the reference
 * pages); any other is refused. A new one enters with the view that uses it.
 */
import { asJsonObject, asList, asString } from '../core/json-object.ts';
import {
  blockIdRule,
  ELEMENT_PLACES,
  ELEMENT_RULES,
  noMultiSelect,
  plainTextRule,
  textObjectRule,
  textRules,
} from './element-rules.ts';
import {
  booleanRule,
  byTypeRule,
  differentItemsRule,
  integerRule,
  listRule,
  numberRule,
  objectRule,
  oneOfRule,
  patternRule,
  pickRules,
  textRule,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { validationProblem } from './validation-problem.ts';

export type Surface = 'message' | 'modal' | 'home';

const base = { type: textRule({ max: 255 }), block_id: blockIdRule };
const elementIn = (place: keyof typeof ELEMENT_PLACES) =>
  byTypeRule(() => pickRules(ELEMENT_RULES, ELEMENT_PLACES[place]));

const inActions = elementIn('actions');
const actionElement: ValidationRule = (value, pointer) => {
  const refused = noMultiSelect(value, pointer);
  return refused.length > 0 ? refused : inActions(value, pointer);
};

/** `blocks.validate` accepts a section without content; sending it fails. */
const hasContent: ValidationRule = (value, pointer) => {
  const { text, fields } = asJsonObject(value);
  return text === undefined && fields === undefined
    ? validationProblem(pointer, 'must define either `text` or `fields`', { onlyWhenSent: true })
    : [];
};

const type = textRule({ max: 255 });
const long = textRule({ min: 1, max: 40_000 });
const MANY = 10_000;

/** What a cell's rich text consists of (docs.slack.dev/reference/block-kit/block-elements/rich-text-section-element). */
const RICH_TEXT_PARTS: ValidationRules = {
  date: objectRule(
    { type, timestamp: integerRule(0, 9_999_999_999), format: textRule({ min: 1, max: 255 }) },
    { fallback: long },
  ),
  text: objectRule({ type, text: long }),
  user: objectRule({ type, user_id: patternRule(/^[UW][A-Z0-9]{0,254}$/) }),
};
const RICH_TEXT_CONTAINERS: ValidationRules = {
  rich_text_section: objectRule({
    type,
    // Every part of rich text may be empty (python-slack-sdk, pull request 1576).
    elements: listRule(
      byTypeRule(() => RICH_TEXT_PARTS),
      { min: 0, max: MANY },
    ),
  }),
};

/** docs.slack.dev/reference/block-kit/blocks/table-block */
const COLUMNS = 20;
const CELLS: ValidationRules = {
  raw_text: objectRule({ type, text: textRule({ min: 1, max: 20_000 }) }),
  rich_text: objectRule(
    {
      type,
      elements: listRule(
        byTypeRule(() => RICH_TEXT_CONTAINERS),
        { min: 0, max: MANY },
      ),
    },
    { block_id: blockIdRule },
  ),
};
const row = listRule(
  byTypeRule(() => CELLS),
  { max: COLUMNS },
);
const columnSetting = objectRule(
  {},
  { align: oneOfRule('left', 'center', 'right'), is_wrapped: booleanRule },
);

/**
 * docs.slack.dev/reference/block-kit/blocks/data-visualization-block. The stored page says 1 to 6 series; the real validator
 * accepts 12 (slackblocks, spec/limits.json).
 */
const MAX_SERIES = 12;
const MAX_POINTS = 20;
const label = textRule({ min: 1, max: 20 });
const point = objectRule({ label, value: numberRule });
const series = objectRule({ name: label, data: listRule(point, { max: MAX_POINTS }) });

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
  return asList(all).flatMap(({ data }, index) => {
    const labels = asList(data).map((each) => asString(each['label']));
    return labels.sort().join('\n') === expected
      ? []
      : validationProblem(`${pointer}/series/${index}/data`, 'must have one data point for each category');
  });
};

const CHARTS: ValidationRules = {
  bar: objectRule(
    {
      type,
      series: listRule(series, { max: MAX_SERIES }),
      axis_config: objectRule({ categories: differentItemsRule(label, MAX_POINTS) }),
    },
    {},
    differentNames,
    pointPerCategory,
  ),
};

export const BLOCKS: ValidationRules = {
  actions: objectRule({ elements: listRule(actionElement, { max: 25 }) }, base),
  context: objectRule({ elements: listRule(textObjectRule(), { max: 10 }) }, base),
  data_visualization: objectRule(
    { title: textRule({ min: 1, max: 50 }), chart: byTypeRule(() => CHARTS) },
    base,
  ),
  divider: objectRule({}, base),
  input: objectRule(
    { label: plainTextRule(2_000), element: elementIn('input') },
    { ...base, hint: plainTextRule(2_000), optional: booleanRule, dispatch_action: booleanRule },
  ),
  section: objectRule(
    {},
    {
      ...base,
      text: textObjectRule(),
      fields: listRule(textObjectRule(2_000), { max: 10 }),
      accessory: elementIn('accessory'),
      expand: booleanRule,
    },
    hasContent,
  ),
  table: objectRule(
    { rows: listRule(row, { max: 100 }) },
    { ...base, column_settings: listRule(columnSetting, { max: COLUMNS }) },
  ),
};

/** Every `type` that the workspace takes inside blocks. */
export function knownTypes(): readonly string[] {
  return [BLOCKS, ELEMENT_RULES, textRules(), CELLS, RICH_TEXT_CONTAINERS, RICH_TEXT_PARTS, CHARTS].flatMap(
    Object.keys,
  );
}

/** docs.slack.dev/blocks.json and the pages of the blocks. */
const NOT_IN_MODALS = ['data_visualization', 'table'];
const ON: Readonly<Record<Surface, ValidationRule>> = {
  message: byTypeRule(() => BLOCKS),
  modal: byTypeRule(() =>
    pickRules(
      BLOCKS,
      Object.keys(BLOCKS).filter((each) => !NOT_IN_MODALS.includes(each)),
    ),
  ),
  home: byTypeRule(() => BLOCKS),
};

/** The rule for one block on this surface. */
export function blockRule(surface: Surface): ValidationRule {
  return ON[surface];
}
