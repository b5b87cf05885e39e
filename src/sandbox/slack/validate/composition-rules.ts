/** Composition objects (docs.slack.dev/reference/block-kit/composition-objects; limits: @slack/types 3.2). */
import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, asList } from '../core/json-object.ts';
import {
  booleanRule,
  byTypeRule,
  differentItemsRule,
  listRule,
  objectRule,
  oneOfRule,
  patternRule,
  textRule,
  urlRule,
  type ValidationRule,
} from './rule-builders.ts';
import { validationProblem } from './validation-problem.ts';

const TEXT_MAX = 3_000;
const OPTION_MAX = 75;
/** docs.slack.dev/reference/block-kit/composition-objects/option-object; @slack/types 3.2 still says 75. */
const OPTION_VALUE_MAX = 150;
const type = (name: string) => oneOfRule(name);

export function plainTextRule(max = TEXT_MAX): ValidationRule {
  return objectRule({ type: type('plain_text'), text: ownTextRule(max) }, { emoji: booleanRule });
}

export function mrkdwnRule(max = TEXT_MAX): ValidationRule {
  return objectRule({ type: type('mrkdwn'), text: ownTextRule(max) }, { verbatim: booleanRule });
}

/** Slack names the object before its text (github.com/metabase/metabase/issues/74943, 2026-05). */
function ownTextRule(max: number): ValidationRule {
  const rule = textRule({ min: 1, max });
  return (value, pointer) => {
    const problems = rule(value, pointer);
    if (!problems.some(({ code }) => code === 'failed_constraint')) return problems;
    const object = pointer.slice(0, pointer.lastIndexOf('/'));
    const whole = validationProblem(object, 'failed to match all allowed schemas', { onlyWhenSent: true });
    return [...whole, ...problems];
  };
}

export function textObjectRule(max = TEXT_MAX): ValidationRule {
  const rules = { plain_text: plainTextRule(max), mrkdwn: mrkdwnRule(max) };
  return byTypeRule(() => rules);
}

export const actionIdRule = textRule({ min: 1, max: 255 });
export const blockIdRule = textRule({ min: 1, max: 255 });
export const placeholderRule = plainTextRule(150);
export const styleRule = oneOfRule('primary', 'danger');

/**
 * docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object: its table says plain text
 * everywhere; its example and the types allow mrkdwn in `text`.
 */
export const confirmRule = objectRule(
  {
    title: plainTextRule(100),
    text: textObjectRule(300),
    confirm: plainTextRule(30),
    deny: plainTextRule(30),
  },
  { style: styleRule },
);

const optionBase = { value: textRule({ min: 1, max: OPTION_VALUE_MAX }) };
/** Options of menus: plain text only. */
export const menuOptionRule = objectRule(
  { text: plainTextRule(OPTION_MAX), ...optionBase },
  { description: plainTextRule(OPTION_MAX) },
);
/** Options of checkboxes and radio buttons. */
export const choiceOptionRule = objectRule(
  { text: textObjectRule(OPTION_MAX), ...optionBase },
  { description: textObjectRule(OPTION_MAX) },
);
/** Options of an overflow menu may link to an address. */
export const overflowOptionRule = objectRule(
  { text: plainTextRule(OPTION_MAX), ...optionBase },
  { description: plainTextRule(OPTION_MAX), url: urlRule(3_000) },
);
export const menuOptionsRule = listRule(menuOptionRule, { max: 100 });
export const optionGroupsRule = listRule(
  objectRule({ label: plainTextRule(75), options: listRule(menuOptionRule, { max: 100 }) }),
  { max: 100 },
);

/** A menu has either options or option groups, and not both. */
export const optionsOrGroups: ValidationRule = exactlyOne('options', 'option_groups');

/** The initial option must equal one of the options as a whole, not only by value. */
export const initialAmongOptions: ValidationRule = (value, pointer) => {
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

export const imageSourceRule: ValidationRule = exactlyOne('slack_file', 'image_url');
export const slackFileRule = objectRule(
  {},
  { id: patternRule(/^F[A-Z0-9]{8,254}$/), url: urlRule(3_000) },
  exactlyOne('id', 'url'),
);
/** No single field of a filter is required, but at least one must be present. */
export const conversationFilterRule = objectRule(
  {},
  {
    include: differentItemsRule(oneOfRule('im', 'mpim', 'private', 'public'), 4),
    exclude_external_shared_channels: booleanRule,
    exclude_bot_users: booleanRule,
  },
  atLeastOneOf('include', 'exclude_external_shared_channels', 'exclude_bot_users'),
);
/** Nothing in it is required (docs.slack.dev/reference/block-kit/composition-objects/dispatch-action-configuration-object). */
export const dispatchConfigRule = objectRule(
  {},
  { trigger_actions_on: differentItemsRule(oneOfRule('on_enter_pressed', 'on_character_entered'), 2) },
);

/** Exactly one of two fields. */
function exactlyOne(one: string, other: string): ValidationRule {
  return (value, pointer) => {
    const present = asJsonObject(value);
    return (present[one] === undefined) === (present[other] === undefined)
      ? validationProblem(pointer, `must define either \`${one}\` or \`${other}\``)
      : [];
  };
}

/** At least one of these fields. */
export function atLeastOneOf(...names: readonly string[]): ValidationRule {
  return (value, pointer) => {
    const present = asJsonObject(value);
    return names.some((name) => present[name] !== undefined)
      ? []
      : validationProblem(pointer, `must define either ${names.map((name) => `\`${name}\``).join(' or ')}`);
  };
}
