/** Blocks (docs.slack.dev/reference/block-kit/blocks; limits: @slack/types 3.2 and the reference pages). */
import { fieldsOf } from '../json.ts';
import { CARDS } from './cards.ts';
import { dataVisualization } from './charts.ts';
import { anyOf, anyText, blockId, imageSource, mrkdwn, plain, slackFile } from './composition.ts';
import { ELEMENTS, INPUTS_BUT_FILES, imageElement, PLACES } from './elements.ts';
import { richText } from './rich-text.ts';
import {
  byType,
  flag,
  items,
  oneOf,
  pick,
  type Rule,
  type Rules,
  shape,
  text,
  unsupported,
  webAddress,
} from './rule.ts';
import { dataTable, table } from './tables.ts';

export type Surface = 'message' | 'modal' | 'home';

const base = { type: text({ max: 255 }), block_id: blockId };
const accessory = byType(() => pick(ELEMENTS, PLACES.accessory));
const contextual = byType(() => ({
  ...pick(ELEMENTS, ['image']),
  plain_text: plain(),
  mrkdwn: mrkdwn(),
}));
const input = byType(() => pick(ELEMENTS, PLACES.input));

/** `blocks.validate` takes such a section; sending it does not. */
const somethingToSay: Rule = (value, pointer) =>
  anyOf('text', 'fields')(value, pointer).map((found) => ({ ...found, onlyWhenSent: true }));

/** docs.slack.dev/reference/block-kit/blocks/input-block: an unsupported type error is raised. */
const filesDoNotAct: Rule = (value, pointer) => {
  const { element, dispatch_action } = fieldsOf(value);
  const { type } = fieldsOf(element);
  if (type !== 'file_input' || dispatch_action !== true) return [];
  return unsupported(`${pointer}/element/type`, type, INPUTS_BUT_FILES);
};

/** Videos and their titles lead to HTTPS only (docs.slack.dev/reference/block-kit/blocks/video-block). */
const secure = webAddress(3_000, 'https:');

const BLOCKS: Rules = {
  actions: shape(
    {
      elements: items(
        byType(() => pick(ELEMENTS, PLACES.actions)),
        { max: 25 },
      ),
    },
    base,
  ),
  // The page has no number; others report 200, which is right on both readings.
  alert: shape(
    { text: anyText(200) },
    { ...base, level: oneOf('default', 'info', 'warning', 'error', 'success') },
  ),
  ...CARDS,
  container: shape(
    {
      child_blocks: items(
        byType(() => pick(BLOCKS, CHILDREN)),
        { max: 10 },
      ),
    },
    {
      ...base,
      title: plain(150),
      rich_text_title: richText,
      subtitle: anyText(150),
      width: oneOf('narrow', 'standard', 'wide', 'full'),
      icon: imageElement,
      is_collapsible: flag,
      default_collapsed: flag,
      has_header_divider: flag,
    },
    anyOf('title', 'rich_text_title'),
  ),
  context: shape({ elements: items(contextual, { max: 10 }) }, base),
  context_actions: shape(
    {
      elements: items(
        byType(() => pick(ELEMENTS, PLACES.context_actions)),
        { max: 5 },
      ),
    },
    base,
  ),
  data_table: dataTable(base),
  data_visualization: dataVisualization(base),
  divider: shape({}, base),
  header: shape({ text: plain(150) }, base),
  image: shape(
    { alt_text: text({ min: 1, max: 2_000 }) },
    { ...base, title: plain(2_000), image_url: webAddress(3_000), slack_file: slackFile },
    imageSource,
  ),
  input: shape(
    { label: plain(2_000), element: input },
    { ...base, hint: plain(2_000), optional: flag, dispatch_action: flag },
    filesDoNotAct,
  ),
  markdown: shape({ text: text({ min: 1, max: 12_000 }) }, base),
  rich_text: richText,
  section: shape(
    {},
    { ...base, text: anyText(), fields: items(anyText(2_000), { max: 10 }), accessory, expand: flag },
    somethingToSay,
  ),
  table: table(base),
  // Titles and the author must be shorter than the number on the page, which is 200 and 50; it has none for the
  // tooltip and the provider, and others report 200 and 50.
  video: shape(
    {
      video_url: secure,
      thumbnail_url: webAddress(3_000),
      alt_text: text({ min: 1, max: 200 }),
      title: plain(199),
    },
    {
      ...base,
      title_url: secure,
      author_name: text({ max: 49 }),
      provider_name: text({ max: 50 }),
      provider_icon_url: webAddress(3_000),
      description: plain(199),
    },
  ),
};

const CHILDREN = [
  'actions',
  'context',
  'divider',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
];
/**
 * docs.slack.dev/blocks.json, and stricter where blocks were seen not to be drawn: a card in a modal, tables in
 * the Home. A `file` block cannot be added by an app at all.
 */
const NOT_ON: Readonly<Record<Surface, readonly string[]>> = {
  message: ['alert'],
  modal: [
    'card',
    'carousel',
    'container',
    'context_actions',
    'data_table',
    'data_visualization',
    'markdown',
    'plan',
    'table',
    'task_card',
  ],
  home: [
    'alert',
    'container',
    'context_actions',
    'data_table',
    'data_visualization',
    'markdown',
    'plan',
    'table',
    'task_card',
  ],
};

const ON: Readonly<Record<Surface | 'any', Rule>> = {
  message: allBut(NOT_ON.message),
  modal: allBut(NOT_ON.modal),
  home: allBut(NOT_ON.home),
  any: allBut([]),
};

/** One block on this surface, or on whatever surface. */
export function block(surface: Surface | 'any'): Rule {
  return ON[surface];
}

function allBut(refused: readonly string[]): Rule {
  const types = Object.keys(BLOCKS).filter((type) => !refused.includes(type));
  return byType(() => pick(BLOCKS, types));
}
