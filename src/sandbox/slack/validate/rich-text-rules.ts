/** Rich text (docs.slack.dev/reference/block-kit/blocks/rich-text-block). No length is documented. */
import { asJsonObject } from '../core/json-object.ts';
import {
  booleanRule,
  byTypeRule,
  integerRule,
  listRule,
  objectRule,
  oneOfRule,
  patternRule,
  textRule,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { failedConstraint } from './validation-problem.ts';

const MANY = 10_000;
const word = textRule({ max: 255 });
/** At least one flag: an empty style is refused. */
const style = objectRule(
  {},
  {
    bold: booleanRule,
    italic: booleanRule,
    strike: booleanRule,
    code: booleanRule,
    underline: booleanRule,
    highlight: booleanRule,
    client_highlight: booleanRule,
    unlink: booleanRule,
  },
  (value, pointer) =>
    Object.keys(asJsonObject(value)).length > 0
      ? []
      : failedConstraint(pointer, 'must have minimum 1 properties', {
          type: 'min_properties',
          expected: ['1'],
          got: '0',
        }),
);
const idRule = (letters: string) => patternRule(new RegExp(`^[${letters}][A-Z0-9]{0,254}$`));
const type = word;
const long = textRule({ min: 1, max: 40_000 });

const PARTS: ValidationRules = {
  broadcast: objectRule({ type, range: oneOfRule('here', 'channel', 'everyone') }, { style }),
  channel: objectRule({ type, channel_id: idRule('CG') }, { style }),
  color: objectRule({ type, value: patternRule(/^#?[\da-f]{6}$/i) }, { style }),
  date: objectRule(
    { type, timestamp: integerRule(0, 9_999_999_999), format: textRule({ min: 1, max: 255 }) },
    { style, url: long, fallback: long },
  ),
  emoji: objectRule(
    { type, name: textRule({ min: 1, max: 255 }) },
    { style, unicode: word, url: long, skin_tone: integerRule(1, 6) },
  ),
  link: objectRule({ type, url: long }, { style, text: long, unsafe: booleanRule }),
  team: objectRule({ type, team_id: idRule('TE') }, { style }),
  text: objectRule({ type, text: long }, { style }),
  user: objectRule({ type, user_id: idRule('UW') }, { style }),
  usergroup: objectRule({ type, usergroup_id: idRule('S') }, { style }),
};
const parts = listRule(
  byTypeRule(() => PARTS),
  { min: 0, max: MANY },
);
const border = integerRule(0, 1);
const section = objectRule({ type: oneOfRule('rich_text_section'), elements: parts });

const RICH: ValidationRules = {
  rich_text_section: section,
  rich_text_list: objectRule(
    { type, elements: listRule(section, { max: MANY }), style: oneOfRule('bullet', 'ordered') },
    { indent: integerRule(0, 8), offset: integerRule(0, MANY), border },
  ),
  rich_text_quote: objectRule({ type, elements: parts }, { border }),
  rich_text_preformatted: objectRule({ type, elements: parts }, { border, language: word }),
};

export const richTextRule: ValidationRule = objectRule(
  {
    type: oneOfRule('rich_text'),
    // An empty list is accepted (seen in Slack's own Block Kit Builder).
    elements: listRule(
      byTypeRule(() => RICH),
      { min: 0, max: MANY },
    ),
  },
  { block_id: textRule({ min: 1, max: 255 }) },
);
