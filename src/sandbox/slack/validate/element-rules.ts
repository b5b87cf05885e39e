/** Block elements (docs.slack.dev/reference/block-kit/block-elements; limits: @slack/types 3.2). */

import { asJsonObject } from '../core/json-object.ts';
import {
  actionIdRule,
  choiceOptionRule,
  confirmRule,
  conversationFilterRule,
  dispatchConfigRule,
  imageSourceRule,
  initialAmongOptions,
  menuOptionRule,
  menuOptionsRule,
  optionGroupsRule,
  optionsOrGroups,
  overflowOptionRule,
  placeholderRule,
  plainTextRule,
  slackFileRule,
  styleRule,
} from './composition-rules.ts';
import { richTextRule } from './rich-text-rules.ts';
import {
  booleanRule,
  dateRule,
  integerRule,
  listRule,
  objectRule,
  oneOfRule,
  patternRule,
  textRule,
  urlRule,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

const id = textRule({ min: 1, max: 255 });
const acting = { type: textRule({ max: 255 }), action_id: actionIdRule };
const confirmed = { ...acting, confirm: confirmRule };
const menu = { ...confirmed, placeholder: placeholderRule, focus_on_load: booleanRule };
const manyMenu = { ...menu, max_selected_items: integerRule(1, 1_000_000) };
const written = {
  ...acting,
  placeholder: placeholderRule,
  focus_on_load: booleanRule,
  dispatch_action_config: dispatchConfigRule,
};
const label = textRule({ max: 75 });
const ids = listRule(id, { max: 1_000 });

const button = objectRule(
  { text: plainTextRule(75) },
  {
    ...confirmed,
    value: textRule({ max: 2_000 }),
    url: urlRule(3_000),
    style: styleRule,
    accessibility_label: label,
    // Nobody here has Slack's assistant, so the app is told as without it.
    agent_prompt: textRule({ max: 4_000 }),
  },
);
const feedback = objectRule(
  { text: plainTextRule(75), value: textRule({ max: 2_000 }) },
  { accessibility_label: label },
);
const trigger = objectRule(
  { url: urlRule(3_000) },
  {
    customizable_input_parameters: listRule(objectRule({ name: id, value: textRule({ max: 3_000 }) }), {
      max: 100,
    }),
  },
);
const lines = integerRule(1, 100);
const queryLength = integerRule(0, 1_000_000);
const conversations = { default_to_current_conversation: booleanRule, filter: conversationFilterRule };
const responding = { response_url_enabled: booleanRule };

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The first letters of ids: people, and channels that an app can name. */
const person = patternRule(/^[UW][A-Z0-9]{0,254}$/);
const channel = patternRule(/^[CG][A-Z0-9]{0,254}$/);
const people = listRule(person, { max: 1_000 });
const amount = patternRule(/^-?\d{1,200}(\.\d{1,50})?$/);

/** Every element type that the workspace knows. */
export const ELEMENT_RULES: ValidationRules = {
  button,
  checkboxes: objectRule(
    { options: listRule(choiceOptionRule, { max: 10 }) },
    { ...confirmed, focus_on_load: booleanRule, initial_options: listRule(choiceOptionRule, { max: 10 }) },
    initialAmongOptions,
  ),
  radio_buttons: objectRule(
    { options: listRule(choiceOptionRule, { max: 10 }) },
    { ...confirmed, focus_on_load: booleanRule, initial_option: choiceOptionRule },
    initialAmongOptions,
  ),
  overflow: objectRule({ options: listRule(overflowOptionRule, { max: 5 }) }, confirmed),
  static_select: objectRule(
    {},
    { ...menu, options: menuOptionsRule, option_groups: optionGroupsRule, initial_option: menuOptionRule },
    optionsOrGroups,
    initialAmongOptions,
  ),
  multi_static_select: objectRule(
    {},
    {
      ...manyMenu,
      options: menuOptionsRule,
      option_groups: optionGroupsRule,
      initial_options: menuOptionsRule,
    },
    optionsOrGroups,
    initialAmongOptions,
  ),
  external_select: objectRule({}, { ...menu, initial_option: menuOptionRule, min_query_length: queryLength }),
  multi_external_select: objectRule(
    {},
    { ...manyMenu, initial_options: menuOptionsRule, min_query_length: queryLength },
  ),
  users_select: objectRule({}, { ...menu, initial_user: person }),
  multi_users_select: objectRule({}, { ...manyMenu, initial_users: people }),
  channels_select: objectRule({}, { ...menu, ...responding, initial_channel: channel }),
  multi_channels_select: objectRule({}, { ...manyMenu, initial_channels: listRule(channel, { max: 1_000 }) }),
  conversations_select: objectRule(
    {},
    { ...menu, ...responding, ...conversations, initial_conversation: id },
  ),
  multi_conversations_select: objectRule({}, { ...manyMenu, ...conversations, initial_conversations: ids }),
  datepicker: objectRule({}, { ...menu, initial_date: dateRule }),
  timepicker: objectRule({}, { ...menu, initial_time: patternRule(TIME), timezone: id }),
  datetimepicker: objectRule(
    {},
    {
      ...confirmed,
      focus_on_load: booleanRule,
      initial_date_time: integerRule(1_000_000_000, 9_999_999_999),
    },
  ),
  plain_text_input: objectRule(
    {},
    {
      ...written,
      initial_value: textRule({ max: 3_000 }),
      multiline: booleanRule,
      min_length: integerRule(0, 3_000),
      max_length: integerRule(1, 3_000),
    },
  ),
  email_text_input: objectRule({}, { ...written, initial_value: textRule({ max: 3_000 }) }),
  url_text_input: objectRule({}, { ...written, initial_value: textRule({ max: 3_000 }) }),
  number_input: objectRule(
    { is_decimal_allowed: booleanRule },
    {
      ...written,
      initial_value: amount,
      min_value: amount,
      max_value: amount,
    },
    boundsInOrder,
  ),
  // docs.slack.dev/reference/block-kit/block-elements/rich-text-input-element requires the action_id.
  rich_text_input: objectRule(
    { action_id: actionIdRule },
    { ...written, initial_value: richTextRule, min_lines: lines, max_lines: lines },
  ),
  file_input: objectRule(
    {},
    { ...acting, filetypes: listRule(id, { max: 1_000 }), max_files: integerRule(1, 10) },
  ),
  image: objectRule(
    { alt_text: textRule({ min: 1, max: 2_000 }) },
    { type: oneOfRule('image'), image_url: urlRule(3_000), slack_file: slackFileRule },
    imageSourceRule,
  ),
  feedback_buttons: objectRule({ positive_button: feedback, negative_button: feedback }, acting),
  icon_button: objectRule(
    // docs.slack.dev/reference/block-kit/block-elements/icon-button-element: the only icon so far.
    { text: plainTextRule(75), icon: oneOfRule('trash') },
    {
      ...confirmed,
      value: textRule({ max: 2_000 }),
      accessibility_label: label,
      visible_to_user_ids: listRule(person, { max: 10 }),
    },
  ),
  workflow_button: objectRule(
    // docs.slack.dev/reference/block-kit/block-elements/workflow-button-element requires the action_id.
    { text: plainTextRule(75), workflow: objectRule({ trigger }), action_id: actionIdRule },
    { ...confirmed, style: styleRule, accessibility_label: label },
  ),
};

function boundsInOrder(value: unknown, pointer: string): readonly ValidationProblem[] {
  const { min_value, max_value } = asJsonObject(value);
  if (min_value === undefined || max_value === undefined || Number(min_value) <= Number(max_value)) return [];
  return validationProblem(`${pointer}/min_value`, 'cannot be greater than `max_value`');
}

const SELECTS = ['static', 'external', 'users', 'channels', 'conversations'].map((from) => `${from}_select`);
export const MULTI_SELECTS = SELECTS.map((type) => `multi_${type}`);
const ONE_CHOICE = [...SELECTS, 'checkboxes', 'radio_buttons', 'datepicker', 'timepicker'];
const CHOOSING = [...ONE_CHOICE, ...MULTI_SELECTS];

/** Which elements are allowed in which block; for text with styles its page is newer than @slack/types 3.2. */
export const ELEMENT_PLACES = {
  accessory: [...CHOOSING, 'button', 'workflow_button', 'overflow', 'image'],
  actions: [...ONE_CHOICE, 'button', 'workflow_button', 'overflow', 'datetimepicker'],
  context_actions: ['feedback_buttons', 'icon_button'],
  input: [
    ...CHOOSING,
    'datetimepicker',
    'plain_text_input',
    'email_text_input',
    'url_text_input',
    'number_input',
    'rich_text_input',
    'file_input',
  ],
} as const;

/** The elements of an input block that may dispatch actions. */
export const INPUTS_BUT_FILES: readonly string[] = ELEMENT_PLACES.input.filter(
  (type) => type !== 'file_input',
);

/** The image element, for the blocks that have one. */
export const imageElementRule: ValidationRule = objectRule(
  { type: oneOfRule('image'), alt_text: textRule({ min: 1, max: 2_000 }) },
  { image_url: urlRule(3_000), slack_file: slackFileRule },
  imageSourceRule,
);
export { button };
