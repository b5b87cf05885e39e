/** Cards and tasks (docs.slack.dev/reference/block-kit/blocks/card-block, carousel-block, task-card-block, plan-block). */

import { asJsonObject, asList } from '../core/json-object.ts';
import { atLeastOneOf, blockIdRule, textObjectRule } from './composition-rules.ts';
import { button, imageElementRule } from './element-rules.ts';
import { richTextRule } from './rich-text-rules.ts';
import {
  booleanRule,
  listRule,
  objectRule,
  oneOfRule,
  textRule,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { validationProblem } from './validation-problem.ts';

const base = { type: textRule({ max: 255 }), block_id: blockIdRule };
/** docs.slack.dev/reference/block-kit/composition-objects/slack-icon-object */
const ICONS = `archive book bookmark bot bug calendar call caret-left caret-right check clipboard code comment
  compass copy cube download edit email eye-closed eye-open file flag folder gear globe heart help image info key
  lightbulb link map mobile new-window pin plus refine refresh rocket save screen share sparkle star star-filled
  tag thumbs-down thumbs-up trash upload user warning`.split(/\s+/);
/** docs.slack.dev/reference/block-kit/blocks/card-block */
const MAX_BUTTONS = 3;

const iconRule = (names: readonly string[]) =>
  objectRule({ type: oneOfRule('icon'), name: oneOfRule(...names) });
const slackIcon = iconRule(ICONS);
/** Those of cards, but the real one refused these of a task (a public bot’s rules, asked of it on 2026-10-07). */
const taskIcon = iconRule(ICONS.filter((name) => !['call', 'email', 'file', 'link', 'user'].includes(name)));

const oneIcon: ValidationRule = (value, pointer) => {
  const { icon, slack_icon } = asJsonObject(value);
  return icon !== undefined && slack_icon !== undefined
    ? validationProblem(pointer, 'must define either `icon` or `slack_icon`')
    : [];
};

const cardRule = objectRule(
  {},
  {
    ...base,
    hero_image: imageElementRule,
    icon: imageElementRule,
    slack_icon: slackIcon,
    // The page shows mrkdwn and requires nothing; the types ask for mrkdwn.
    title: textObjectRule(150),
    subtitle: textObjectRule(150),
    body: textObjectRule(200),
    subtext: textObjectRule(200),
    actions: listRule(button, { max: MAX_BUTTONS }),
  },
  atLeastOneOf('hero_image', 'title', 'actions', 'body'),
  oneIcon,
);

const source = objectRule({
  type: oneOfRule('url'),
  // The real validator has no limit for it (slackblocks, spec/CHANGELOG.md).
  url: textRule({ max: 40_000 }),
  text: textRule({ min: 1, max: 3_000 }),
});
const task = {
  required: { task_id: textRule({ min: 1, max: 255 }), title: textRule({ min: 1, max: 3_000 }) },
  optional: {
    ...base,
    details: richTextRule,
    output: richTextRule,
    sources: listRule(source, { max: 100 }),
    // The page says “Icon”, and links to no object.
    icon: taskIcon,
    hide_title: booleanRule,
  },
} as const;
const differentTasks: ValidationRule = (value, pointer) => {
  const ids = asList(asJsonObject(value)['tasks']).map(({ task_id }) => task_id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) < index
      ? validationProblem(`${pointer}/tasks/${index}/task_id`, 'task ids must be unique')
      : [],
  );
};
const taskOfPlanRule = objectRule(task.required, {
  ...task.optional,
  status: oneOfRule('pending', 'in_progress', 'complete', 'error'),
});
/** @slack/types 3.2 requires the status; a task that stands alone was refused when pending
 * (slackblocks, spec/CHANGELOG.md). */
const taskCardRule = objectRule(
  { ...task.required, status: oneOfRule('in_progress', 'complete', 'error') },
  task.optional,
);

export const CARD_RULES: ValidationRules = {
  card: cardRule,
  carousel: objectRule({ elements: listRule(cardRule, { max: 10 }) }, base),
  // Slack refuses a repeated id (slackblocks, spec/CHANGELOG.md).
  plan: objectRule(
    { title: textRule({ min: 1, max: 3_000 }), tasks: listRule(taskOfPlanRule, { min: 0, max: 50 }) },
    base,
    differentTasks,
  ),
  task_card: taskCardRule,
};
