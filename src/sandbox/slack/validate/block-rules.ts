/** Blocks (docs.slack.dev/reference/block-kit/blocks; limits: @slack/types 3.2 and the reference pages). */
import { asJsonObject } from '../core/json-object.ts';
import { CARD_RULES } from './card-rules.ts';
import { dataVisualizationRule } from './chart-rules.ts';
import {
  atLeastOneOf,
  blockIdRule,
  imageSourceRule,
  mrkdwnRule,
  plainTextRule,
  slackFileRule,
  textObjectRule,
} from './composition-rules.ts';
import {
  ELEMENT_PLACES,
  ELEMENT_RULES,
  INPUTS_BUT_FILES,
  imageElementRule,
  MULTI_SELECTS,
} from './element-rules.ts';
import { BLOCKS_NOT_ON, type Surface } from './placement-rules.ts';
import { richTextRule } from './rich-text-rules.ts';
import {
  booleanRule,
  byTypeRule,
  integerRule,
  listRule,
  objectRule,
  oneOfRule,
  pickRules,
  textRule,
  unsupported,
  urlRule,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { dataTableRule, tableRule } from './table-rules.ts';
import { validationProblem } from './validation-problem.ts';

const base = { type: textRule({ max: 255 }), block_id: blockIdRule };
const accessory = byTypeRule(() => pickRules(ELEMENT_RULES, ELEMENT_PLACES.accessory));
const contextual = byTypeRule(() => ({
  ...pickRules(ELEMENT_RULES, ['image']),
  plain_text: plainTextRule(),
  mrkdwn: mrkdwnRule(),
}));
const input = byTypeRule(() => pickRules(ELEMENT_RULES, ELEMENT_PLACES.input));

const inActions = byTypeRule(() => pickRules(ELEMENT_RULES, ELEMENT_PLACES.actions));
/**
 * The page of multi-select menus has them here; Slack refuses them, in these words (agentconnect-md/agentconnect, pull
 * request 1836, 2026-09-08; python-slack-sdk, issue 1631).
 */
const actionElement: ValidationRule = (value, pointer) =>
  MULTI_SELECTS.some((type) => type === asJsonObject(value)['type'])
    ? validationProblem(`${pointer}/type`, 'unsupported element: multiselect')
    : inActions(value, pointer);

/** `blocks.validate` accepts such a section; sending it fails. */
const hasContent: ValidationRule = (value, pointer) =>
  atLeastOneOf('text', 'fields')(value, pointer).map((found) => ({ ...found, onlyWhenSent: true }));

/** docs.slack.dev/reference/block-kit/blocks/input-block: an unsupported type error is raised. */
const fileInputsDoNotDispatch: ValidationRule = (value, pointer) => {
  const { element, dispatch_action } = asJsonObject(value);
  const { type } = asJsonObject(element);
  if (type !== 'file_input' || dispatch_action !== true) return [];
  return unsupported(`${pointer}/element/type`, type, INPUTS_BUT_FILES);
};

/**
 * @slack/types 3.2: `default_collapsed` requires `is_collapsible`. python-slack-sdk, pull request 1949: a divider of the
 * header excludes it; CopilotKit saw both refused on delivery.
 */
const collapsibleOnly: ValidationRule = (value, pointer) => {
  const { default_collapsed, has_header_divider, is_collapsible } = asJsonObject(value);
  if (default_collapsed === true && is_collapsible !== true)
    return validationProblem(`${pointer}/default_collapsed`, 'requires `is_collapsible`');
  return has_header_divider === true && is_collapsible === true
    ? validationProblem(`${pointer}/has_header_divider`, 'cannot be combined with `is_collapsible`')
    : [];
};

/** Videos and their titles may link to HTTPS only (docs.slack.dev/reference/block-kit/blocks/video-block). */
const httpsOnly = urlRule(3_000, 'https:');

const BLOCKS: ValidationRules = {
  actions: objectRule(
    {
      elements: listRule(actionElement, { max: 25 }),
    },
    base,
  ),
  // The page has no number; other sources report 200, which is safe either way.
  alert: objectRule(
    { text: textObjectRule(200) },
    { ...base, level: oneOfRule('default', 'info', 'warning', 'error', 'success') },
  ),
  ...CARD_RULES,
  container: objectRule(
    {
      child_blocks: listRule(
        byTypeRule(() => pickRules(BLOCKS, CHILDREN)),
        { max: 10 },
      ),
    },
    {
      ...base,
      title: plainTextRule(150),
      rich_text_title: richTextRule,
      subtitle: textObjectRule(150),
      width: oneOfRule('narrow', 'standard', 'wide', 'full'),
      icon: imageElementRule,
      is_collapsible: booleanRule,
      default_collapsed: booleanRule,
      has_header_divider: booleanRule,
    },
    atLeastOneOf('title', 'rich_text_title'),
    collapsibleOnly,
  ),
  context: objectRule({ elements: listRule(contextual, { max: 10 }) }, base),
  context_actions: objectRule(
    {
      elements: listRule(
        byTypeRule(() => pickRules(ELEMENT_RULES, ELEMENT_PLACES.context_actions)),
        { max: 5 },
      ),
    },
    base,
  ),
  data_table: dataTableRule(base),
  data_visualization: dataVisualizationRule(base),
  divider: objectRule({}, base),
  // Levels: Block Kit's H1 to H4 (slack-go/slack#1563); the stored page is older and has none.
  // A file that another service stores; apps add these by chat.postMessage (docs.slack.dev/reference/methods/files.remote.share).
  file: objectRule({ external_id: textRule({ min: 1, max: 255 }), source: oneOfRule('remote') }, base),
  header: objectRule({ text: plainTextRule(150) }, { ...base, level: integerRule(1, 4) }),
  image: objectRule(
    { alt_text: textRule({ min: 1, max: 2_000 }) },
    { ...base, title: plainTextRule(2_000), image_url: urlRule(3_000), slack_file: slackFileRule },
    imageSourceRule,
  ),
  input: objectRule(
    { label: plainTextRule(2_000), element: input },
    { ...base, hint: plainTextRule(2_000), optional: booleanRule, dispatch_action: booleanRule },
    fileInputsDoNotDispatch,
  ),
  // The real validator accepts an empty text (slackblocks, spec/CHANGELOG.md).
  markdown: objectRule({ text: textRule({ max: 12_000 }) }, base),
  rich_text: richTextRule,
  section: objectRule(
    {},
    {
      ...base,
      text: textObjectRule(),
      fields: listRule(textObjectRule(2_000), { max: 10 }),
      accessory,
      expand: booleanRule,
    },
    hasContent,
  ),
  table: tableRule(base),
  // The page says “less than 200” and “less than 50”; the real validator accepts 200 and 50, and has the other numbers,
  // which are not on the page (slackblocks, spec/limits.json).
  video: objectRule(
    {
      video_url: httpsOnly,
      thumbnail_url: urlRule(3_000),
      alt_text: textRule({ max: 2_000 }),
      title: plainTextRule(200),
    },
    {
      ...base,
      title_url: urlRule(2_000, 'https:'),
      author_name: textRule({ max: 50 }),
      provider_name: textRule({ max: 50 }),
      provider_icon_url: urlRule(2_000),
      description: plainTextRule(200),
    },
  ),
};

const CHILDREN = [
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
];
const ON: Readonly<Record<Surface | 'any', ValidationRule>> = {
  message: allExcept(BLOCKS_NOT_ON.message),
  modal: allExcept(BLOCKS_NOT_ON.modal),
  home: allExcept(BLOCKS_NOT_ON.home),
  any: allExcept([]),
};

/** The rule for one block on this surface, or on any surface. */
export function blockRule(surface: Surface | 'any'): ValidationRule {
  return ON[surface];
}

function allExcept(refused: readonly string[]): ValidationRule {
  const types = Object.keys(BLOCKS).filter((type) => !refused.includes(type));
  return byTypeRule(() => pickRules(BLOCKS, types));
}
