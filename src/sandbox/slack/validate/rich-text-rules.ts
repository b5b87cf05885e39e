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
const STYLES: ValidationRules = {
  bold: booleanRule,
  italic: booleanRule,
  strike: booleanRule,
  underline: booleanRule,
  highlight: booleanRule,
  client_highlight: booleanRule,
  unlink: booleanRule,
};
/** At least one flag: an empty style is refused. */
const styleOf = (flags: ValidationRules) =>
  objectRule({}, flags, (value, pointer) =>
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

const styled = { style: styleOf({ ...STYLES, code: booleanRule }) };
/** Slack refuses `code` of these elements (soxtoby/SlackNet, issue 196; java-slack-sdk, pull request 1337). */
const styledButCode = { style: styleOf(STYLES) };
const linked = { ...styled, text: long, url: long };
const ts = patternRule(/^\d{10}(\.\d{1,6})?$/);
const TAG_COLORS = ['gray', 'brown', 'purple', 'indigo', 'blue', 'green', 'yellow', 'orange', 'red'] as const;

const text = objectRule({ type, text: long }, styled);
const link = objectRule(
  { type, url: long },
  {
    ...styled,
    text: long,
    unsafe: booleanRule,
    from_llm: booleanRule,
    is_slack_url: booleanRule,
    truncated: booleanRule,
  },
);

/** docs.slack.dev/reference/block-kit/block-elements/rich-text-section-element, and the page of each element. */
const PARTS: ValidationRules = {
  attachment_mention: objectRule(
    { type, url: long },
    {
      ...linked,
      app_id: word,
      entity_id: word,
      icon_url: long,
      icon_name: word,
      channel_id: idRule('CDG'),
      ts,
      full_size_preview_enabled: booleanRule,
      reference_object_type: word,
      product_name: word,
    },
  ),
  broadcast: objectRule({ type, range: oneOfRule('here', 'channel', 'everyone') }, styledButCode),
  canvas: objectRule(
    { type, file_id: idRule('F') },
    { ...linked, label: long, hide_title: booleanRule, section_id: word, is_skill_invocation: booleanRule },
  ),
  canvas_message_unfurl: objectRule(
    { type, root_message_ts: ts, root_message_channel: idRule('CDG') },
    styled,
  ),
  canvas_user_mention: objectRule({ type, user_id: idRule('UW') }, { ...styled, thread_id: word }),
  channel: objectRule(
    { type, channel_id: idRule('CG') },
    { ...styledButCode, tab_id: word, from_llm: booleanRule },
  ),
  citation: objectRule(
    {
      type,
      url: long,
      text: long,
      index: integerRule(0, MANY),
      details: (value, pointer) =>
        oneOfRule(
          'file',
          'external',
          'web',
          'message',
          'memory',
        )(asJsonObject(value)['citation_type'], `${pointer}/citation_type`),
    },
    { from_llm: booleanRule, is_slack_url: booleanRule },
  ),
  color: objectRule({ type, value: patternRule(/^#?[\da-f]{6}$/i) }, styledButCode),
  date: objectRule(
    { type, timestamp: integerRule(0, 9_999_999_999), format: textRule({ min: 1, max: 255 }) },
    { ...styled, timezone: word, url: long, fallback: long },
  ),
  emoji: objectRule(
    { type, name: textRule({ min: 1, max: 255 }) },
    { ...styled, unicode: word, url: long, skin_tone: integerRule(1, 6) },
  ),
  file: objectRule({ type, file_id: idRule('F') }, { ...linked, is_skill_invocation: booleanRule }),
  link,
  list_record: objectRule({ type, file_id: idRule('F') }, { ...linked, record_id: word, view_id: word }),
  message_mention: objectRule(
    { type, channel_id: idRule('CDG'), message_ts: ts },
    { ...linked, author_id: word, thread_ts: ts },
  ),
  salesforce_data_field: objectRule(
    { type, salesforce_record_id: word },
    {
      ...styled,
      salesforce_field_label: word,
      salesforce_field_api_name: word,
      salesforce_include_field_label: booleanRule,
    },
  ),
  tag: objectRule({ type, text: long }, { ...styled, color: oneOfRule(...TAG_COLORS) }),
  team: objectRule({ type, team_id: idRule('TE') }, styledButCode),
  text,
  user: objectRule({ type, user_id: idRule('UW') }, { ...styledButCode, from_llm: booleanRule }),
  // Ids of groups begin with S; the example of the page begins with G.
  usergroup: objectRule({ type, usergroup_id: idRule('SG') }, styledButCode),
  work_object_mention: objectRule(
    { type, entity_id: word, app_id: word, text: long, url: long },
    { ...styled, icon_url: long, full_size_preview_enabled: booleanRule, product_name: word },
  ),
  workflow_mention: objectRule(
    { type, workflow_id: word, function_trigger_id: word, text: long },
    { ...styled, url: long, channel_id: idRule('CDG'), ts },
  ),
};
const partsOf = (rules: ValidationRules) =>
  listRule(
    byTypeRule(() => rules),
    { min: 0, max: MANY },
  );
const parts = partsOf(PARTS);
const border = integerRule(0, 1);
const section = objectRule({ type: oneOfRule('rich_text_section'), elements: parts });

const RICH: ValidationRules = {
  rich_text_section: section,
  rich_text_list: objectRule(
    // Every part of rich text may be empty (python-slack-sdk, pull request 1576).
    { type, elements: listRule(section, { min: 0, max: MANY }), style: oneOfRule('bullet', 'ordered') },
    { indent: integerRule(0, 8), offset: integerRule(0, MANY), border },
  ),
  rich_text_quote: objectRule({ type, elements: parts }, { border }),
  // docs.slack.dev/reference/block-kit/block-elements/rich-text-preformatted-element
  rich_text_preformatted: objectRule({ type, elements: partsOf({ link, text }) }, { border, language: word }),
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
