/**
 * The blocks that the views have (docs.slack.dev/reference/block-kit/blocks; limits: @slack/types 3.2 and the reference
 * pages); any other is refused. A new one enters with the view that uses it.
 */

import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, asList, asString } from '../core/json-object.ts';
import {
  booleanRule,
  byTypeRule,
  differentItemsRule,
  integerRule,
  listRule,
  noMatch,
  numberRule,
  objectRule,
  oneOfRule,
  patternRule,
  pickRules,
  textRule,
  type ValidationRule,
  type ValidationRules,
  validationProblem,
} from './rules.ts';

const TEXT_MAX = 3_000;
const OPTION_MAX = 75;
/** docs.slack.dev/reference/block-kit/composition-objects/option-object; @slack/types 3.2 still says 75. */
const OPTION_VALUE_MAX = 150;

export function plainTextRule(max = TEXT_MAX): ValidationRule {
  return objectRule({ type: oneOfRule('plain_text'), text: ownTextRule(max) }, { emoji: booleanRule });
}

function mrkdwnRule(max = TEXT_MAX): ValidationRule {
  return objectRule({ type: oneOfRule('mrkdwn'), text: ownTextRule(max) }, { verbatim: booleanRule });
}

/** Slack names the object before its text (github.com/metabase/metabase/issues/74943, 2026-05). */
function ownTextRule(max: number): ValidationRule {
  const rule = textRule({ min: 1, max });
  return (value, pointer) => {
    const problems = rule(value, pointer);
    if (!problems.some(({ code }) => code === 'failed_constraint')) return problems;
    const object = pointer.slice(0, pointer.lastIndexOf('/'));
    return [...noMatch(object), ...problems];
  };
}

/** The kinds of text. */
function textRules(max = TEXT_MAX): ValidationRules {
  return { plain_text: plainTextRule(max), mrkdwn: mrkdwnRule(max) };
}

function textObjectRule(max = TEXT_MAX): ValidationRule {
  const rules = textRules(max);
  return byTypeRule(() => rules);
}

const blockIdRule = textRule({ min: 1, max: 255 });
const styleRule = oneOfRule('primary', 'danger');

/** docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
const confirmRule = objectRule(
  {
    title: plainTextRule(100),
    text: plainTextRule(300),
    confirm: plainTextRule(30),
    deny: plainTextRule(30),
  },
  { style: styleRule },
);

const optionValue = { value: textRule({ min: 1, max: OPTION_VALUE_MAX }) };
/** Options of menus: plain text only. */
const menuOptionRule = objectRule(
  { text: plainTextRule(OPTION_MAX), ...optionValue },
  { description: plainTextRule(OPTION_MAX) },
);
/** Options of checkboxes and radio buttons. */
const choiceOptionRule = objectRule(
  { text: textObjectRule(OPTION_MAX), ...optionValue },
  { description: textObjectRule(OPTION_MAX) },
);
export const menuOptionsRule = listRule(menuOptionRule, { max: 100 });
const optionGroupsRule = listRule(objectRule({ label: plainTextRule(75), options: menuOptionsRule }), {
  max: 100,
});
const choicesRule = listRule(choiceOptionRule, { max: 10 });

/** A menu has either options or option groups, and not both. */
const optionsOrGroups: ValidationRule = (value, pointer) => {
  const { options, option_groups } = asJsonObject(value);
  return (options === undefined) === (option_groups === undefined)
    ? validationProblem(pointer, 'must define either `options` or `option_groups`')
    : [];
};

/** The initial option must equal one of the options as a whole, not only by value. */
const initialAmongOptions: ValidationRule = (value, pointer) => {
  const element = asJsonObject(value);
  const groups = asList(element['option_groups']).flatMap((group) => asList(group['options']));
  const offered = [...asList(element['options']), ...groups];
  const isStray = (chosen: unknown) => !offered.some((option) => isDeepStrictEqual(option, chosen));
  const says = 'initial option must be one of the options';
  const { initial_option } = element;
  return [
    ...(initial_option !== undefined && isStray(initial_option)
      ? validationProblem(`${pointer}/initial_option`, says)
      : []),
    ...asList(element['initial_options']).flatMap((chosen, index) =>
      isStray(chosen) ? validationProblem(`${pointer}/initial_options/${index}`, says) : [],
    ),
  ];
};

/** Nothing in it is required (docs.slack.dev/reference/block-kit/composition-objects/dispatch-action-configuration-object). */
const dispatchConfigRule = objectRule(
  {},
  { trigger_actions_on: differentItemsRule(oneOfRule('on_enter_pressed', 'on_character_entered'), 2) },
);

const acting = { type: textRule({ max: 255 }), action_id: textRule({ min: 1, max: 255 }) };
const menu = { ...acting, placeholder: plainTextRule(150) };
const offered = { options: menuOptionsRule, option_groups: optionGroupsRule };
const searched = { ...menu, min_query_length: integerRule(0, 1_000_000) };

/** Every element that the workspace knows: those that a view has, with the fields that it sets. */
export const ELEMENT_RULES: ValidationRules = {
  button: objectRule(
    { text: plainTextRule(75) },
    { ...acting, value: textRule({ max: 2_000 }), style: styleRule, confirm: confirmRule },
  ),
  checkboxes: objectRule(
    { options: choicesRule },
    { ...acting, initial_options: choicesRule },
    initialAmongOptions,
  ),
  external_select: objectRule({}, { ...searched, initial_option: menuOptionRule }),
  multi_external_select: objectRule({}, { ...searched, initial_options: menuOptionsRule }),
  multi_static_select: objectRule(
    {},
    { ...menu, ...offered, initial_options: menuOptionsRule },
    optionsOrGroups,
    initialAmongOptions,
  ),
  plain_text_input: objectRule(
    {},
    {
      ...acting,
      initial_value: textRule({ max: 3_000 }),
      multiline: booleanRule,
      max_length: integerRule(1, 3_000),
      dispatch_action_config: dispatchConfigRule,
    },
  ),
  radio_buttons: objectRule(
    { options: choicesRule },
    { ...acting, focus_on_load: booleanRule, initial_option: choiceOptionRule },
    initialAmongOptions,
  ),
  static_select: objectRule(
    {},
    { ...menu, ...offered, initial_option: menuOptionRule },
    optionsOrGroups,
    initialAmongOptions,
  ),
  timepicker: objectRule({}, { ...acting, initial_time: patternRule(/^([01]\d|2[0-3]):[0-5]\d$/) }),
};

const SELECTS = ['static_select', 'external_select'];
const MULTI_SELECTS = ['multi_static_select', 'multi_external_select'];
const ONE_CHOICE = [...SELECTS, 'checkboxes', 'radio_buttons', 'timepicker'];

/** Which elements are allowed in which block. */
const ELEMENT_PLACES = {
  accessory: [...ONE_CHOICE, ...MULTI_SELECTS, 'button'],
  actions: [...ONE_CHOICE, 'button'],
  input: [...ONE_CHOICE, ...MULTI_SELECTS, 'plain_text_input'],
} as const;

/**
 * The page of multi-select menus has them among actions; Slack refuses them, in these words (agentconnect-md/agentconnect,
 * pull request 1836, 2026-09-08; python-slack-sdk, issue 1631).
 */
const noMultiSelect: ValidationRule = (value, pointer) =>
  MULTI_SELECTS.some((type) => type === asJsonObject(value)['type'])
    ? validationProblem(`${pointer}/type`, 'unsupported element: multiselect')
    : [];

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
