/** Composition objects (docs.slack.dev/reference/block-kit/composition-objects; limits: @slack/types 3.2). */
import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, listOf } from '../json.ts';
import { problem } from './problem.ts';
import { byType, flag, items, oneOf, type Rule, shape, text, webAddress } from './rule.ts';

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
export const optionsOrGroups: Rule = exactlyOne('options', 'option_groups');

/** What is chosen at the start must be among the options: the very same object, not only its value. */
export const initialAmongOptions: Rule = (value, pointer) => {
  const element = fieldsOf(value);
  const groups = listOf(element['option_groups']).flatMap((group) => listOf(group['options']));
  const offered = [...listOf(element['options']), ...groups];
  const isStray = (chosen: unknown) => !offered.some((option) => isDeepStrictEqual(option, chosen));
  const says = 'initial option must be one of the options';
  const { initial_option } = element;
  return [
    ...(initial_option !== undefined && isStray(initial_option)
      ? problem(`${pointer}/initial_option`, says)
      : []),
    ...listOf(element['initial_options']).flatMap((chosen, index) =>
      isStray(chosen) ? problem(`${pointer}/initial_options/${index}`, says) : [],
    ),
  ];
};

export const imageSource: Rule = exactlyOne('slack_file', 'image_url');
export const slackFile = shape(
  {},
  { id: text({ min: 1, max: 255 }), url: webAddress(3_000) },
  exactlyOne('id', 'url'),
);
/** No field of a filter is required, but one of them is. */
export const conversationFilter = shape(
  {},
  {
    include: items(oneOf('im', 'mpim', 'private', 'public'), { max: 4 }),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
  anyOf('include', 'exclude_external_shared_channels', 'exclude_bot_users'),
);
export const dispatchConfig = shape({
  trigger_actions_on: items(oneOf('on_enter_pressed', 'on_character_entered'), { max: 2 }),
});

/** One of two fields, and not both. */
function exactlyOne(one: string, other: string): Rule {
  return (value, pointer) => {
    const given = fieldsOf(value);
    return (given[one] === undefined) === (given[other] === undefined)
      ? problem(pointer, `must define either \`${one}\` or \`${other}\``)
      : [];
  };
}

/** At least one of these fields. */
export function anyOf(...names: readonly string[]): Rule {
  return (value, pointer) => {
    const given = fieldsOf(value);
    return names.some((name) => given[name] !== undefined)
      ? []
      : problem(pointer, `must define either ${names.map((name) => `\`${name}\``).join(' or ')}`);
  };
}
