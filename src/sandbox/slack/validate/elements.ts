/** Block elements (docs.slack.dev/reference/block-kit/block-elements; limits: @slack/types 3.2). */

import { fieldsOf } from '../json.ts';
import {
  actionId,
  choiceOption,
  confirm,
  conversationFilter,
  dispatchConfig,
  imageSource,
  initialAmongOptions,
  menuOption,
  menuOptions,
  optionGroups,
  optionsOrGroups,
  overflowOption,
  placeholder,
  plain,
  slackFile,
  style,
} from './composition.ts';
import { type Problem, problem } from './problem.ts';
import { richText } from './rich-text.ts';
import {
  flag,
  integer,
  items,
  oneOf,
  pattern,
  type Rule,
  type Rules,
  shape,
  text,
  webAddress,
} from './rule.ts';

const id = text({ min: 1, max: 255 });
const acting = { type: text({ max: 255 }), action_id: actionId };
const confirmed = { ...acting, confirm };
const menu = { ...confirmed, placeholder, focus_on_load: flag };
const manyMenu = { ...menu, max_selected_items: integer(1, 1_000_000) };
const written = { ...acting, placeholder, focus_on_load: flag, dispatch_action_config: dispatchConfig };
const label = text({ max: 75 });
const ids = items(id, { max: 1_000 });

const button = shape(
  { text: plain(75) },
  { ...confirmed, value: text({ max: 2_000 }), url: webAddress(3_000), style, accessibility_label: label },
);
const feedback = shape({ text: plain(75), value: text({ max: 2_000 }) }, { accessibility_label: label });
const trigger = shape(
  { url: webAddress(3_000) },
  {
    customizable_input_parameters: items(shape({ name: id, value: text({ max: 3_000 }) }), { max: 100 }),
  },
);
const lines = integer(1, 100);
const queryLength = integer(0, 1_000_000);
const conversations = { default_to_current_conversation: flag, filter: conversationFilter };
const responding = { response_url_enabled: flag };

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Every element kind that the workspace knows. */
export const ELEMENTS: Rules = {
  button,
  checkboxes: shape(
    { options: items(choiceOption, { max: 10 }) },
    { ...confirmed, focus_on_load: flag, initial_options: items(choiceOption, { max: 10 }) },
    initialAmongOptions,
  ),
  radio_buttons: shape(
    { options: items(choiceOption, { max: 10 }) },
    { ...confirmed, focus_on_load: flag, initial_option: choiceOption },
    initialAmongOptions,
  ),
  overflow: shape({ options: items(overflowOption, { max: 5 }) }, confirmed),
  static_select: shape(
    {},
    { ...menu, options: menuOptions, option_groups: optionGroups, initial_option: menuOption },
    optionsOrGroups,
    initialAmongOptions,
  ),
  multi_static_select: shape(
    {},
    { ...manyMenu, options: menuOptions, option_groups: optionGroups, initial_options: menuOptions },
    optionsOrGroups,
    initialAmongOptions,
  ),
  external_select: shape({}, { ...menu, initial_option: menuOption, min_query_length: queryLength }),
  multi_external_select: shape(
    {},
    { ...manyMenu, initial_options: menuOptions, min_query_length: queryLength },
  ),
  users_select: shape({}, { ...menu, initial_user: id }),
  multi_users_select: shape({}, { ...manyMenu, initial_users: ids }),
  channels_select: shape({}, { ...menu, ...responding, initial_channel: id }),
  multi_channels_select: shape({}, { ...manyMenu, initial_channels: ids }),
  conversations_select: shape({}, { ...menu, ...responding, ...conversations, initial_conversation: id }),
  multi_conversations_select: shape({}, { ...manyMenu, ...conversations, initial_conversations: ids }),
  datepicker: shape({}, { ...menu, initial_date: pattern(DATE, 'must be a valid date') }),
  timepicker: shape({}, { ...menu, initial_time: pattern(TIME, 'must be a valid time'), timezone: id }),
  datetimepicker: shape(
    {},
    { ...confirmed, focus_on_load: flag, initial_date_time: integer(1_000_000_000, 9_999_999_999) },
  ),
  plain_text_input: shape(
    {},
    {
      ...written,
      initial_value: text({ max: 3_000 }),
      multiline: flag,
      min_length: integer(0, 3_000),
      max_length: integer(1, 3_000),
    },
  ),
  email_text_input: shape({}, { ...written, initial_value: text({ max: 3_000 }) }),
  url_text_input: shape({}, { ...written, initial_value: text({ max: 3_000 }) }),
  number_input: shape(
    { is_decimal_allowed: flag },
    {
      ...written,
      initial_value: text({ max: 255 }),
      min_value: text({ max: 255 }),
      max_value: text({ max: 255 }),
    },
    boundsInOrder,
  ),
  rich_text_input: shape({}, { ...written, initial_value: richText, min_lines: lines, max_lines: lines }),
  file_input: shape({}, { ...acting, filetypes: items(id, { max: 1_000 }), max_files: integer(1, 10) }),
  image: shape(
    { alt_text: text({ min: 1, max: 2_000 }) },
    { type: oneOf('image'), image_url: webAddress(3_000), slack_file: slackFile },
    imageSource,
  ),
  feedback_buttons: shape({ positive_button: feedback, negative_button: feedback }, acting),
  icon_button: shape(
    { text: plain(75), icon: id },
    { ...confirmed, value: text({ max: 2_000 }), accessibility_label: label, visible_to_user_ids: ids },
  ),
  workflow_button: shape(
    { text: plain(75), workflow: shape({ trigger }) },
    { ...confirmed, style, accessibility_label: label },
  ),
};

function boundsInOrder(value: unknown, pointer: string): readonly Problem[] {
  const { min_value, max_value } = fieldsOf(value);
  if (min_value === undefined || max_value === undefined || Number(min_value) <= Number(max_value)) return [];
  return problem(`${pointer}/min_value`, 'cannot be greater than `max_value`');
}

const SELECTS = ['static', 'external', 'users', 'channels', 'conversations'].flatMap((source) => [
  `${source}_select`,
  `multi_${source}_select`,
]);
const CHOOSING = [...SELECTS, 'checkboxes', 'radio_buttons', 'datepicker', 'timepicker'];

/** Which elements may stand where. */
export const PLACES = {
  accessory: [...CHOOSING, 'button', 'workflow_button', 'overflow', 'image'],
  actions: [...CHOOSING, 'button', 'workflow_button', 'overflow', 'datetimepicker', 'rich_text_input'],
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

/** What an input block takes where files cannot be given. */
export const INPUTS_BUT_FILES: readonly string[] = PLACES.input.filter((type) => type !== 'file_input');

/** The image element, for the blocks that have one. */
export const imageElement: Rule = shape(
  { type: oneOf('image'), alt_text: text({ min: 1, max: 2_000 }) },
  { image_url: webAddress(3_000), slack_file: slackFile },
  imageSource,
);
export { button };
