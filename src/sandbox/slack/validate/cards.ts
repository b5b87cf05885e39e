/** Cards and tasks (docs.slack.dev/reference/block-kit/blocks/card-block, carousel-block, task-card-block, plan-block). */

import { fieldsOf } from '../json.ts';
import { anyOf, blockId, mrkdwn } from './composition.ts';
import { button, imageElement } from './elements.ts';
import { problem } from './problem.ts';
import { richText } from './rich-text.ts';
import { items, oneOf, type Rule, type Rules, shape, text, webAddress } from './rule.ts';

const base = { type: text({ max: 255 }), block_id: blockId };
/** docs.slack.dev/reference/block-kit/composition-objects/slack-icon-object */
const ICONS = `archive book bookmark bot bug calendar call caret-left caret-right check clipboard code comment
  compass copy cube download edit email eye-closed eye-open file flag folder gear globe heart help image info key
  lightbulb link map mobile new-window pin plus refine refresh rocket save screen share sparkle star star-filled
  tag thumbs-down thumbs-up trash upload user warning`.split(/\s+/);
/** The page has no number; others report two or three buttons, and two are right on both readings. */
const MOST_BUTTONS = 2;

const oneIcon: Rule = (value, pointer) => {
  const { icon, slack_icon } = fieldsOf(value);
  return icon !== undefined && slack_icon !== undefined
    ? problem(pointer, 'must define either `icon` or `slack_icon`')
    : [];
};

export const card = shape(
  {},
  {
    ...base,
    hero_image: imageElement,
    icon: imageElement,
    slack_icon: shape({ type: oneOf('icon'), name: oneOf(...ICONS) }),
    title: mrkdwn(150),
    subtitle: mrkdwn(150),
    body: mrkdwn(200),
    subtext: mrkdwn(200),
    actions: items(button, { max: MOST_BUTTONS }),
  },
  anyOf('hero_image', 'title', 'actions', 'body'),
  oneIcon,
);

const source = shape({
  type: oneOf('url'),
  url: webAddress(3_000),
  text: text({ min: 1, max: 3_000 }),
});
export const taskCard = shape(
  { task_id: text({ min: 1, max: 255 }), title: text({ min: 1, max: 3_000 }) },
  {
    ...base,
    details: richText,
    output: richText,
    sources: items(source, { max: 100 }),
    status: oneOf('pending', 'in_progress', 'complete', 'error'),
  },
);

export const CARDS: Rules = {
  card,
  carousel: shape({ elements: items(card, { max: 10 }) }, base),
  plan: shape(
    { title: text({ min: 1, max: 3_000 }) },
    { ...base, tasks: items(taskCard, { min: 0, max: 100 }) },
  ),
  task_card: taskCard,
};
