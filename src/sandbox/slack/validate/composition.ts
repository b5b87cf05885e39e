/** Composition objects (docs.slack.dev/reference/block-kit/composition-objects; limits: @slack/types 3.2). */
import { fieldsOf, listOf } from '../json.ts';
import { byType, flag, items, oneOf, problem, type Rule, shape, text, webAddress } from './rule.ts';

const TEXT_MAX = 3_000;
/** Slack's newer pages say 150 for an option's value; the lower number is right on both readings. */
const OPTION_MAX = 75;
const type = (name: string) => oneOf(name);

export function plain(max = TEXT_MAX): Rule {
  return shape({ type: type('plain_text'), text: text({ min: 1, max }) }, { emoji: flag });
}

export function mrkdwn(max = TEXT_MAX): Rule {
  return shape({ type: type('mrkdwn'), text: text({ min: 1, max }) }, { verbatim: flag });
}

export function anyText(max = TEXT_MAX): Rule {
  const rules = { plain_text: plain(max), mrkdwn: mrkdwn(max) };
  return byType(() => rules);
}

export const actionId = text({ min: 1, max: 255 });
export const blockId = text({ min: 1, max: 255 });
export const placeholder = plain(150);
export const style = oneOf('primary', 'danger');

/** The documentation's table says plain text throughout, its example and the types allow mrkdwn in `text`. */
export const confirm = shape(
  { text: anyText(300) },
  { title: plain(100), confirm: plain(30), deny: plain(30), style },
);

const optionBase = { value: text({ min: 1, max: OPTION_MAX }) };
/** Options of menus: plain text only. */
export const menuOption = shape(
  { text: plain(OPTION_MAX), ...optionBase },
  { description: plain(OPTION_MAX) },
);
/** Options of checkboxes and radio buttons. */
export const choiceOption = shape(
  { text: anyText(OPTION_MAX), ...optionBase },
  { description: anyText(OPTION_MAX) },
);
/** Options of an overflow menu may lead somewhere. */
export const overflowOption = shape(
  { text: plain(OPTION_MAX), ...optionBase },
  { description: plain(OPTION_MAX), url: webAddress(3_000) },
);
export const menuOptions = items(menuOption, { max: 100 });
export const optionGroups = items(
  shape({ label: plain(75), options: items(menuOption, { min: 0, max: 100 }) }),
  { max: 100 },
);

/** A menu has options or groups of them, and one of the two. */
export const optionsOrGroups: Rule = (value, pointer) => {
  const { options, option_groups } = fieldsOf(value);
  return (options === undefined) === (option_groups === undefined)
    ? problem(pointer, 'must define either `options` or `option_groups`')
    : [];
};

/** What is chosen at the start must be among the options. */
export const initialAmongOptions: Rule = (value, pointer) => {
  const element = fieldsOf(value);
  const groups = listOf(element['option_groups']).flatMap((group) => listOf(group['options']));
  const offered = [...listOf(element['options']), ...groups].map((option) => option['value']);
  const chosen = [element['initial_option'], ...listOf(element['initial_options'])].filter(Boolean);
  const stray = chosen.find((option) => !offered.includes(fieldsOf(option)['value']));
  return stray ? problem(pointer, 'initial option must be one of the options') : [];
};

export const imageSource: Rule = (value, pointer) => {
  const { image_url, slack_file } = fieldsOf(value);
  return (image_url === undefined) === (slack_file === undefined)
    ? problem(pointer, 'must define either `slack_file` or `image_url`')
    : [];
};
export const slackFile = shape({}, { id: text({ min: 1, max: 255 }), url: webAddress(3_000) });
export const conversationFilter = shape(
  {},
  {
    include: items(oneOf('im', 'mpim', 'private', 'public'), { max: 4 }),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
);
export const dispatchConfig = shape({
  trigger_actions_on: items(oneOf('on_enter_pressed', 'on_character_entered'), { max: 2 }),
});
