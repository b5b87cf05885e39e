/** Rules of elements and their objects, and where they may stand, from the documentation. */
import {
  actions,
  button,
  DOCS,
  FOUND,
  home,
  input,
  picture,
  plain,
  postBlocks,
  publish,
  validate,
} from './limit-cases.ts';
import { inMessage, inModal, ofFiles, type RuleCase } from './rule-cases.ts';

const confirming = (change: object = {}) =>
  actions(
    button({ confirm: { title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1), ...change } }),
  );
const file = { type: 'file', external_id: 'x', source: 'remote' };
const iconButton = (icon: string) => ({
  type: 'context_actions',
  elements: [{ type: 'icon_button', action_id: 'a', icon, text: plain(1) }],
});
const workflow = (action_id?: string) =>
  actions({
    type: 'workflow_button',
    text: plain(1),
    workflow: { trigger: { url: 'https://slack.com/shortcuts/Ft0123ABC456/321' } },
    ...(action_id === undefined ? {} : { action_id }),
  });
const words = (style: object, id = 'U0OPERATOR1') => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'x', style },
        { type: 'user', user_id: id },
      ],
    },
  ],
});
const groupMention = (usergroup_id: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'usergroup', usergroup_id }] }],
});
const task = (change: object) => ({ type: 'task_card', task_id: 'a', title: 'x', ...change });
const number = (min_value: string) => input({ type: 'number_input', is_decimal_allowed: true, min_value });
const dispatching = (...on: readonly string[]) =>
  input({ type: 'plain_text_input', dispatch_action_config: { trigger_actions_on: on } });
const filtering = (...include: readonly string[]) =>
  input({ type: 'conversations_select', filter: { include } });
const answering = { type: 'conversations_select', action_id: 'a', response_url_enabled: true };
const asking = { ...answering, response_url_enabled: false };

const ELEMENTS: readonly RuleCase[] = [
  ...(['title', 'confirm', 'deny'] as const).map((field) =>
    inMessage(
      'confirm',
      `a confirmation with its \`${field}\``,
      DOCS.object('confirmation-dialog'),
      [confirming(), confirming({ [field]: undefined })],
      '/elements/0/confirm',
    ),
  ),
  inMessage(
    'beyond the notes',
    'no icon but the trash can on an icon button',
    DOCS.element('icon-button'),
    [iconButton('trash'), iconButton('pencil')],
    '/elements/0/icon',
  ),
  inMessage(
    'beyond the notes',
    'an action_id on a workflow button',
    DOCS.element('workflow-button'),
    [workflow('a'), workflow()],
    '/elements/0',
  ),
  inModal(
    'an action_id on a rich text input',
    DOCS.element('rich-text-input'),
    [input({ type: 'rich_text_input' }), input({ type: 'rich_text_input', action_id: undefined })],
    '/element',
  ),
  inModal(
    'numbers as numbers',
    DOCS.element('number-input'),
    [number('-1.5'), number('many')],
    '/element/min_value',
  ),
  inModal(
    'each dispatch of an action once',
    DOCS.object('dispatch-action-configuration'),
    [
      dispatching('on_enter_pressed', 'on_character_entered'),
      dispatching('on_enter_pressed', 'on_enter_pressed'),
    ],
    '/element/dispatch_action_config/trigger_actions_on',
  ),
  inModal(
    'nothing else in the configuration of dispatches, and not even that',
    DOCS.object('dispatch-action-configuration'),
    [
      input({ type: 'plain_text_input', dispatch_action_config: {} }),
      input({ type: 'plain_text_input', dispatch_action_config: { on: [] } }),
    ],
    '/element/dispatch_action_config',
  ),
  inModal(
    'each kind of conversation once',
    DOCS.object('conversation-filter'),
    [filtering('im', 'mpim'), filtering('im', 'im')],
    '/element/filter/include',
  ),
  inModal(
    'ids of people where people are meant',
    DOCS.element('select-menu'),
    [
      input({ type: 'users_select', initial_user: 'W0OPERATOR1' }),
      input({ type: 'users_select', initial_user: 'operator' }),
    ],
    '/element/initial_user',
  ),
  inModal(
    'ids of channels where channels are meant',
    DOCS.element('select-menu'),
    [
      input({ type: 'channels_select', initial_channel: 'C0OPS000001' }),
      input({ type: 'channels_select', initial_channel: 'U0OPERATOR1' }),
    ],
    '/element/initial_channel',
  ),
  inMessage(
    'rich_text',
    'a style that says something',
    DOCS.block('rich-text'),
    [words({ bold: true }), words({})],
    '/elements/0/elements/0/style',
  ),
  inMessage(
    'rich_text',
    'mentions by id',
    DOCS.block('rich-text'),
    [words({ bold: true }), words({ bold: true }, 'T0TEAM00001')],
    '/elements/0/elements/1/user_id',
  ),
  inMessage(
    'rich_text',
    'mentions of groups by id, as the example has it too',
    DOCS.element('usergroup'),
    [groupMention('G123ABC456'), groupMention('U0OPERATOR1')],
    '/elements/0/elements/0/usergroup_id',
  ),
  inMessage(
    'beyond the notes',
    'a status on a task',
    DOCS.block('task-card'),
    [task({ status: 'complete' }), task({})],
    '',
  ),
  inMessage(
    'beyond the notes',
    'tasks with ids of their own in a plan',
    FOUND.blocks,
    [
      { type: 'plan', title: 'x', tasks: [task({ task_id: 'b' }), task({})] },
      { type: 'plan', title: 'x', tasks: [task({}), task({})] },
    ],
    '/tasks/1/task_id',
  ),
  inMessage(
    'beyond the notes',
    'the tasks of a plan',
    FOUND.blocks,
    [
      { type: 'plan', title: 'x', tasks: [] },
      { type: 'plan', title: 'x' },
    ],
    '',
  ),
  ofFiles(
    'whole ids of files',
    FOUND.blocks,
    [
      { ...picture, image_url: undefined, slack_file: { id: 'F00000001' } },
      { ...picture, image_url: undefined, slack_file: { id: 'F1' } },
    ],
    '/slack_file/id',
  ),
  inMessage(
    'header',
    'at most 150 characters, whatever their length in memory',
    FOUND.emoji,
    [
      { type: 'header', text: { type: 'plain_text', text: '🚀'.repeat(150) } },
      { type: 'header', text: { type: 'plain_text', text: '🚀'.repeat(151) } },
    ],
    '/text/text',
  ),
  inMessage(
    'beyond the notes',
    'no task alone before it has begun',
    FOUND.blocks,
    [{ type: 'plan', title: 'x', tasks: [task({ status: 'pending' })] }, task({ status: 'pending' })],
    '/status',
  ),
];

const SURFACES: readonly RuleCase[] = [
  inModal(
    'response URLs from inputs, not from actions',
    DOCS.element('select-menu'),
    [input(answering), actions(answering)],
    '/elements/0/response_url_enabled',
  ),
  inMessage(
    'beyond the notes',
    'response URLs from modals, not from messages',
    DOCS.element('select-menu'),
    [input(asking), input(answering)],
    '/element/response_url_enabled',
  ),
  {
    row: 'beyond the notes',
    what: 'response URLs from modals, not from the Home',
    source: DOCS.element('select-menu'),
    taken: publish(home([input(asking)])),
    refused: publish(home([input(answering)])),
    word: 'invalid_arguments',
    at: '/view/blocks/0/element/response_url_enabled',
  },
  {
    row: 'beyond the notes',
    what: 'the elements of containers to the same rules',
    source: DOCS.block('container'),
    taken: postBlocks({ type: 'container', title: plain(1), child_blocks: [workflow('a')] }),
    refused: publish(home([{ type: 'container', title: plain(1), child_blocks: [workflow('a')] }])),
    word: 'invalid_arguments',
    at: '/view/blocks/0/child_blocks/0/elements/0/type',
  },
  {
    row: 'beyond the notes',
    what: 'files in containers in messages only',
    source: DOCS.block('container'),
    // blocks.validate knows no files, so it cannot miss one.
    taken: validate({ type: 'container', title: plain(1), child_blocks: [file] }),
    refused: publish(home([{ type: 'container', title: plain(1), child_blocks: [file] }])),
    word: 'invalid_arguments',
    at: '/view/blocks/0/child_blocks/0/type',
  },
];

export const PLACEMENT_RULES: readonly RuleCase[] = [...ELEMENTS, ...SURFACES];
