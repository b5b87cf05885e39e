/** Blocks (docs.slack.dev/reference/block-kit/blocks; limits: @slack/types 3.2 and the reference pages). */
import { fieldsOf } from '../json.ts';
import { anyText, blockId, imageSource, mrkdwn, plain, slackFile } from './composition.ts';
import { button, ELEMENTS, imageElement, PLACES } from './elements.ts';
import { richText } from './rich-text.ts';
import {
  byType,
  flag,
  items,
  oneOf,
  pick,
  problem,
  type Rule,
  type Rules,
  shape,
  text,
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
const card = shape(
  {},
  {
    ...base,
    hero_image: imageElement,
    icon: imageElement,
    title: mrkdwn(150),
    subtitle: mrkdwn(150),
    body: mrkdwn(200),
    actions: items(button, { max: 25 }),
  },
  defines('hero_image', 'title', 'actions', 'body'),
);
const taskCard = shape(
  { task_id: text({ min: 1, max: 255 }), title: text({ min: 1, max: 3_000 }) },
  {
    ...base,
    details: richText,
    output: richText,
    sources: items(
      shape({ type: oneOf('url'), url: webAddress(3_000), text: text({ min: 1, max: 3_000 }) }),
      { max: 100 },
    ),
    status: oneOf('pending', 'in_progress', 'complete', 'error'),
  },
);

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
  alert: shape(
    { text: anyText() },
    { ...base, level: oneOf('default', 'info', 'warning', 'error', 'success') },
  ),
  card,
  carousel: shape({ elements: items(card, { max: 10 }) }, base),
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
    defines('title', 'rich_text_title'),
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
  divider: shape({}, base),
  header: shape({ text: plain(150) }, base),
  image: shape(
    { alt_text: text({ min: 1, max: 2_000 }) },
    { ...base, title: plain(2_000), image_url: webAddress(3_000), slack_file: slackFile },
    imageSource,
  ),
  input: shape(
    { label: plain(2_000), element: byType(() => pick(ELEMENTS, PLACES.input)) },
    { ...base, hint: plain(2_000), optional: flag, dispatch_action: flag },
  ),
  markdown: shape({ text: text({ min: 1, max: 12_000 }) }, base),
  plan: shape(
    { title: text({ min: 1, max: 3_000 }) },
    { ...base, tasks: items(taskCard, { min: 0, max: 100 }) },
  ),
  rich_text: richText,
  section: shape(
    {},
    { ...base, text: anyText(), fields: items(anyText(2_000), { max: 10 }), accessory, expand: flag },
    defines('text', 'fields'),
  ),
  table: table(base),
  task_card: taskCard,
  video: shape(
    {
      video_url: webAddress(3_000),
      thumbnail_url: webAddress(3_000),
      alt_text: text({ min: 1, max: 2_000 }),
      title: plain(199),
    },
    {
      ...base,
      title_url: webAddress(3_000),
      author_name: text({ max: 49 }),
      provider_name: text({ max: 255 }),
      provider_icon_url: webAddress(3_000),
      description: plain(200),
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
/** docs.slack.dev/blocks.json; a `file` block cannot be added by an app at all. */
const NOT_ON: Readonly<Record<Surface, readonly string[]>> = {
  message: ['alert'],
  modal: ['card', 'carousel', 'container', 'context_actions', 'markdown', 'plan', 'task_card'],
  home: ['alert', 'container', 'context_actions', 'data_table', 'markdown', 'plan', 'table', 'task_card'],
};

/** One block on this surface. */
export function block(surface: Surface): Rule {
  const allowed = Object.keys(BLOCKS).filter((type) => !NOT_ON[surface].includes(type));
  const rules = pick(BLOCKS, allowed);
  return byType(() => rules);
}

function defines(...names: readonly string[]): Rule {
  return (value, pointer) => {
    const given = fieldsOf(value);
    return names.some((name) => given[name] !== undefined)
      ? []
      : problem(pointer, `must define either ${names.map((name) => `\`${name}\``).join(' or ')}`);
  };
}
