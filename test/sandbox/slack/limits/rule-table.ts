/** Rules without a number, from the documentation and from what others saw. */
import {
  actions,
  bars,
  button,
  cell,
  confirming,
  DOCS,
  FOUND,
  home,
  input,
  messageRule,
  modal,
  modalRule,
  mrkdwn,
  open,
  option,
  plain,
  points,
  post,
  postBlocks,
  publish,
  type RuleCase,
  richCell,
  section,
  select,
  table,
} from './limit-cases.ts';

const group = { label: plain(1), options: [option(0)] };
const columns = (second: object | null) =>
  table({ rows: [[cell(1), cell(1)]], column_settings: [{}, second] });
const twoPrimary = actions(button({ style: 'primary' }), button({ action_id: 'b', style: 'primary' }));
const time = (initial_time: string) => actions({ type: 'timepicker', action_id: 'a', initial_time });
const text = (change: object = {}) => input({ type: 'plain_text_input', ...change });
const choice = (focus_on_load: boolean) =>
  input({ type: 'radio_buttons', options: [option(0)], focus_on_load });
const dispatching = (...on: readonly string[]) =>
  text({ dispatch_action_config: { trigger_actions_on: on } });
const metadata = (value: unknown) => post({ text: 'x', metadata: value });
const METADATA = 'https://docs.slack.dev/messaging/message-metadata';

const BLOCKS: readonly RuleCase[] = [
  {
    what: 'a block_id of its own for each block',
    source: DOCS.blocks,
    taken: postBlocks({ ...section(), block_id: 'a' }, { ...section(), block_id: 'b' }),
    refused: postBlocks({ ...section(), block_id: 'a' }, { ...section(), block_id: 'a' }),
    word: 'invalid_blocks',
    at: '/blocks/1/block_id',
  },
  {
    what: 'an action_id of its own for each element of a block',
    source: DOCS.element('button'),
    taken: postBlocks(actions(button()), actions(button())),
    refused: postBlocks(actions(button(), button())),
    word: 'invalid_blocks',
    at: '/blocks/0/elements/1/action_id',
  },
  messageRule('text or fields', DOCS.block('section'), [section(), section({})], ''),
  messageRule(
    'a known style, and as often as one likes',
    DOCS.element('button'),
    [twoPrimary, actions(button({ style: 'default' }))],
    '/elements/0/style',
  ),
  messageRule(
    'plain text in the options of menus',
    DOCS.object('option'),
    [
      actions({ type: 'checkboxes', action_id: 'a', options: [option(0, { text: mrkdwn(1) })] }),
      select({ options: [option(0, { text: mrkdwn(1) })] }),
    ],
    '/elements/0/options/0/text/type',
  ),
  messageRule(
    'options or groups of them',
    DOCS.element('select-menu'),
    [select({ option_groups: [group] }), select({ options: [option(0)], option_groups: [group] })],
    '/elements/0',
  ),
  messageRule(
    'the very same option at the start',
    DOCS.element('select-menu'),
    [
      select({ option_groups: [group], initial_option: option(0) }),
      select({ options: [option(0)], initial_option: option(0, { text: plain(2) }) }),
    ],
    '/elements/0/initial_option',
  ),
  messageRule(
    'menus for one in actions',
    'https://github.com/slackapi/python-slack-sdk/issues/1631',
    [
      select({ options: [option(0)] }),
      actions({ type: 'multi_static_select', action_id: 'a', options: [option(0)] }),
    ],
    '/elements/0/type',
  ),
  messageRule(
    'known cells',
    DOCS.block('table'),
    [table({ rows: [[richCell({ type: 'text', text: 'x' }), cell(1)]] }), table({ rows: [[plain(1)]] })],
    '/rows/0/0/type',
  ),
  messageRule(
    'people by id in a cell',
    DOCS.block('rich-text'),
    [
      table({ rows: [[richCell({ type: 'user', user_id: 'W0OPERATOR1' })]] }),
      table({ rows: [[richCell({ type: 'user', user_id: 'T0TEAM00001' })]] }),
    ],
    '/rows/0/0/elements/0/elements/0/user_id',
  ),
  messageRule(
    'an object for each column with settings, none skipped by null',
    'https://github.com/NousResearch/hermes-agent/issues/56615',
    [columns({}), columns(null)],
    '/column_settings/1',
  ),
  messageRule(
    'series of different names',
    DOCS.block('data-visualization'),
    [
      bars(
        [
          { name: 'x', data: points('a') },
          { name: 'y', data: points('a') },
        ],
        ['a'],
      ),
      bars(
        [
          { name: 'x', data: points('a') },
          { name: 'x', data: points('a') },
        ],
        ['a'],
      ),
    ],
    '/chart/series/1/name',
  ),
  messageRule(
    'a point for each category',
    DOCS.block('data-visualization'),
    [bars([{ name: 'x', data: points('a') }], ['a']), bars([{ name: 'x', data: points('b') }], ['a'])],
    '/chart/series/0/data',
  ),
  messageRule(
    'each category once',
    FOUND,
    [
      bars([{ name: 'x', data: points('a', 'b') }], ['a', 'b']),
      bars([{ name: 'x', data: points('a', 'a') }], ['a', 'a']),
    ],
    '/chart/axis_config/categories',
  ),
  messageRule(
    'emoji as a flag of plain text only',
    DOCS.object('text'),
    [section({ text: { ...plain(1), emoji: true } }), section({ text: { ...mrkdwn(1), emoji: true } })],
    '/text',
  ),
  messageRule(
    'verbatim as a flag of mrkdwn only',
    DOCS.object('text'),
    [section({ text: { ...mrkdwn(1), verbatim: true } }), section({ text: { ...plain(1), verbatim: true } })],
    '/text',
  ),
  messageRule(
    'times of the day',
    DOCS.element('time-picker'),
    [time('23:59'), time('24:00')],
    '/elements/0/initial_time',
  ),
  messageRule(
    'at most 75 characters, whatever their length in memory',
    'https://github.com/nicklambourne/slackblocks/blob/main/spec/fixtures/valid/blocks/header_block_emoji_at_limit.json',
    [
      actions(button({ text: { type: 'plain_text', text: '🚀'.repeat(75) } })),
      actions(button({ text: { type: 'plain_text', text: '🚀'.repeat(76) } })),
    ],
    '/elements/0/text/text',
  ),
  ...(['title', 'confirm', 'deny'] as const).map((field) =>
    messageRule(
      `a confirmation with its \`${field}\``,
      DOCS.object('confirmation-dialog'),
      [confirming(), confirming({ [field]: undefined })],
      '/elements/0/confirm',
    ),
  ),
  modalRule(
    'each dispatch of an action once',
    DOCS.object('dispatch-action-configuration'),
    [
      dispatching('on_enter_pressed', 'on_character_entered'),
      dispatching('on_enter_pressed', 'on_enter_pressed'),
    ],
    '/element/dispatch_action_config/trigger_actions_on',
  ),
  modalRule(
    'nothing else in the configuration of dispatches, and not even that',
    DOCS.object('dispatch-action-configuration'),
    [text({ dispatch_action_config: {} }), text({ dispatch_action_config: { on: [] } })],
    '/element/dispatch_action_config',
  ),
  modalRule('no table in a modal', DOCS.block('table'), [section(), table({})], '/type'),
];

type Calls = RuleCase['taken'];
const rule = (
  what: string,
  source: string,
  [taken, refused]: readonly [Calls, Calls],
  word: string,
): RuleCase => ({
  what,
  source,
  taken,
  refused,
  word,
  at: null,
});
const viewRule = (what: string, source: string, cases: readonly [Calls, Calls], at: string): RuleCase => ({
  ...rule(what, source, cases, 'invalid_arguments'),
  at,
});

const PAYLOADS: readonly RuleCase[] = [
  rule(
    'metadata that is an object',
    METADATA,
    [metadata({ event_type: 'seen', event_payload: { id: 1 } }), metadata([])],
    'invalid_metadata_format',
  ),
  rule(
    'metadata with a type and a payload',
    METADATA,
    [metadata({ event_type: 'seen', event_payload: {} }), metadata({ event_type: 'seen' })],
    'invalid_metadata_schema',
  ),
  // The documentation has the error code but no number.
  rule(
    'metadata of moderate size',
    METADATA,
    [
      metadata({ event_type: 'seen', event_payload: { id: 'x'.repeat(1_000) } }),
      metadata({ event_type: 'seen', event_payload: { id: 'x'.repeat(100_000) } }),
    ],
    'metadata_too_large',
  ),
  viewRule(
    'a submit button where there is an input',
    DOCS.modal,
    [
      open(modal([section()], { submit: undefined })),
      open(modal([section(), text()], { submit: undefined })),
    ],
    // Slack's own pointer, which points to nothing
    '/view/blocks/1/input',
  ),
  viewRule(
    'a submit button on a modal, and none on the Home',
    DOCS.home,
    [publish(home([section()])), publish(home([section()], { submit: plain(1) }))],
    '/view',
  ),
  viewRule(
    'one element with the focus',
    DOCS.element('radio-button-group'),
    [open(modal([choice(true), choice(false)])), open(modal([choice(true), choice(true)]))],
    '/view/blocks/1/element/focus_on_load',
  ),
];

export const RULES: readonly RuleCase[] = [...BLOCKS, ...PAYLOADS];
