/** Text objects, options and elements (docs.slack.dev/reference/block-kit; limits: @slack/types 3.2). */
import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, asList } from '../core/json-object.ts';
import {
  booleanRule,
  byTypeRule,
  differentItemsRule,
  integerRule,
  listRule,
  objectRule,
  oneOfRule,
  patternRule,
  textRule,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { noMatch, validationProblem } from './validation-problem.ts';

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
export function textRules(max = TEXT_MAX): ValidationRules {
  return { plain_text: plainTextRule(max), mrkdwn: mrkdwnRule(max) };
}

export function textObjectRule(max = TEXT_MAX): ValidationRule {
  const rules = textRules(max);
  return byTypeRule(() => rules);
}

export const blockIdRule = textRule({ min: 1, max: 255 });
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
export const ELEMENT_PLACES = {
  accessory: [...ONE_CHOICE, ...MULTI_SELECTS, 'button'],
  actions: [...ONE_CHOICE, 'button'],
  input: [...ONE_CHOICE, ...MULTI_SELECTS, 'plain_text_input'],
} as const;

/**
 * The page of multi-select menus has them among actions; Slack refuses them, in these words (agentconnect-md/agentconnect,
 * pull request 1836, 2026-09-08; python-slack-sdk, issue 1631).
 */
export const noMultiSelect: ValidationRule = (value, pointer) =>
  MULTI_SELECTS.some((type) => type === asJsonObject(value)['type'])
    ? validationProblem(`${pointer}/type`, 'unsupported element: multiselect')
    : [];
