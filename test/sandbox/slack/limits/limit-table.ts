/** Limits of blocks, elements, messages and views, from the documentation. */
import {
  actions,
  bars,
  button,
  cell,
  confirming,
  DOCS,
  FOUND,
  home,
  inMessage,
  inModal,
  input,
  type LimitCase,
  long,
  MORE,
  many,
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
  type SlackCall,
  section,
  select,
  sized,
  table,
} from './limit-cases.ts';

const context = (...elements: readonly unknown[]) => ({ type: 'context', elements });
const written = (change: object) => input({ type: 'plain_text_input', ...change });
const choose = (change: object) => select({ options: [option(0, change)] });
const groups = (count: number, size = 1) =>
  many(count, () => ({ label: plain(1), options: many(size, (index) => option(index)) }));
const choices = (type: string, count: number) =>
  actions({ type, action_id: 'a', options: many(count, (index) => option(index)) });
const labels = (count: number) => many(count, (index) => `p${index}`);
const rows = (count: number, cells = 1) => many(count, () => many(cells, () => cell(1)));

const BLOCKS: readonly LimitCase[] = [
  ...inMessage(
    DOCS.block('section'),
    sized('block_id', 1, 255, '/block_id', (n) => section({ text: plain(1), block_id: long(n) })),
    sized('action_id', 1, 255, '/elements/0/action_id', (n) => actions(button({ action_id: long(n) }))),
    sized('section text', 1, 3_000, '/text/text', (n) => section({ text: mrkdwn(n) })),
    sized('fields', 1, 10, '/fields', (n) => section({ fields: many(n, () => plain(1)) })),
    sized('a field', 1, 2_000, '/fields/0/text', (n) => section({ fields: [plain(n)] })),
  ),
  ...inMessage(
    DOCS.object('text'),
    sized('plain text', 1, 3_000, '/elements/0/text', (n) => context(plain(n))),
    sized('mrkdwn', 1, 3_000, '/elements/0/text', (n) => context(mrkdwn(n))),
  ),
  ...inMessage(
    DOCS.block('context'),
    sized('elements of context', 1, 10, '/elements', (n) => context(...many(n, () => plain(1)))),
  ),
  ...inMessage(
    DOCS.block('actions'),
    sized('elements of actions', 1, 25, '/elements', (n) =>
      actions(...many(n, (index) => button({ action_id: `a${index}` }))),
    ),
  ),
  ...inModal(
    DOCS.block('input'),
    sized('label', 1, 2_000, '/label/text', (n) => input({ type: 'plain_text_input' }, { label: plain(n) })),
    sized('hint', 1, 2_000, '/hint/text', (n) => input({ type: 'plain_text_input' }, { hint: plain(n) })),
  ),
  ...inMessage(
    DOCS.block('table'),
    sized('rows of a table', 1, 100, '/rows', (n) => table({ rows: rows(n) })),
    sized('cells of a row', 1, 20, '/rows/0', (n) => table({ rows: rows(1, n) })),
    sized('settings of columns', null, 20, '/column_settings', (n) =>
      table({ column_settings: many(n, () => ({})) }),
    ),
  ),
  ...inMessage(
    DOCS.block('data-visualization'),
    sized('title of a chart', 1, 50, '/title', (n) =>
      bars([{ name: 's', data: points('a') }], ['a'], long(n)),
    ),
    sized('points of a series', 1, 20, '/chart/series/0/data', (n) =>
      bars([{ name: 's', data: points(...labels(n)) }], labels(Math.min(Math.max(n, 1), 20))),
    ),
    sized('categories', 1, 20, '/chart/axis_config/categories', (n) =>
      bars([{ name: 's', data: points(...labels(Math.min(Math.max(n, 1), 20))) }], labels(n)),
    ),
    sized('name of a series', 1, 20, '/chart/series/0/name', (n) =>
      bars([{ name: long(n), data: points('a') }], ['a']),
    ),
    sized('label of a point', 1, 20, '/chart/series/0/data/0/label', (n) =>
      bars([{ name: 's', data: points(long(n)) }], [long(n)]),
    ),
  ),
  ...inMessage(
    FOUND,
    sized('series of bar', 1, 12, '/chart/series', (n) =>
      bars(
        many(n, (index) => ({ name: `s${index}`, data: points('a') })),
        ['a'],
      ),
    ),
  ),
];

const ELEMENTS: readonly LimitCase[] = [
  ...inMessage(
    DOCS.element('button'),
    sized('text of a button', 1, 75, '/elements/0/text/text', (n) => actions(button({ text: plain(n) }))),
    sized('value of a button', null, 2_000, '/elements/0/value', (n) => actions(button({ value: long(n) }))),
  ),
  ...inModal(
    DOCS.element('plain-text-input'),
    sized('max_length', 1, 3_000, '/element/max_length', (n) => written({ max_length: n })),
  ),
  ...inModal(
    DOCS.object('dispatch-action-configuration'),
    sized('actions that are dispatched', 1, null, '/element/dispatch_action_config/trigger_actions_on', (n) =>
      written({ dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'].slice(0, n) } }),
    ),
  ),
  // The page says 150 for a value; the types still say 75.
  ...inMessage(
    DOCS.object('option'),
    sized('text of an option', 1, 75, '/elements/0/options/0/text/text', (n) => choose({ text: plain(n) })),
    sized('value of an option', 1, 150, '/elements/0/options/0/value', (n) => choose({ value: long(n) })),
    sized('description of an option', 1, 75, '/elements/0/options/0/description/text', (n) =>
      choose({ description: plain(n) }),
    ),
  ),
  ...inMessage(
    DOCS.element('select-menu'),
    sized('options of a menu', 1, 100, '/elements/0/options', (n) => choices('static_select', n)),
    sized('options of a menu for many', 1, 100, '/accessory/options', (n) =>
      section({
        text: plain(1),
        accessory: {
          type: 'multi_static_select',
          action_id: 'a',
          options: many(n, (index) => option(index)),
        },
      }),
    ),
    sized('groups of a menu', 1, 100, '/elements/0/option_groups', (n) =>
      select({ option_groups: groups(n) }),
    ),
    sized('placeholder', 1, 150, '/elements/0/placeholder/text', (n) =>
      select({ options: [option(0)], placeholder: plain(n) }),
    ),
  ),
  ...inMessage(
    DOCS.object('option-group'),
    sized('options of a group', 1, 100, '/elements/0/option_groups/0/options', (n) =>
      select({ option_groups: groups(1, n) }),
    ),
    sized('label of a group', 1, 75, '/elements/0/option_groups/0/label/text', (n) =>
      select({ option_groups: [{ label: plain(n), options: [option(0)] }] }),
    ),
  ),
  ...inMessage(
    DOCS.element('checkboxes'),
    sized('checkboxes', 1, 10, '/elements/0/options', (n) => choices('checkboxes', n)),
  ),
  ...inMessage(
    DOCS.element('radio-button-group'),
    sized('radio buttons', 1, 10, '/elements/0/options', (n) => choices('radio_buttons', n)),
  ),
  ...(
    [
      ['title', 'title', 100],
      ['text', 'text', 300],
      ['yes', 'confirm', 30],
      ['no', 'deny', 30],
    ] as const
  ).flatMap(([name, field, most]) =>
    inMessage(
      DOCS.object('confirmation-dialog'),
      sized(`${name} of a confirmation`, 1, most, `/elements/0/confirm/${field}/text`, (n) =>
        confirming({ [field]: plain(n) }),
      ),
    ),
  ),
];

const dividers = (count: number) => many(count, () => ({ type: 'divider' }));
/** Sections with this many characters in total. */
const text = (size: number) =>
  many(Math.ceil(size / 3_000), (index) => section({ text: plain(Math.min(3_000, size - index * 3_000)) }));
const push: SlackCall = { method: 'views.push', args: { view: modal([actions(MORE)]) } };

const MESSAGES: readonly LimitCase[] = [
  {
    what: 'blocks of a message',
    most: 50,
    source: DOCS.blocks,
    make: (n) => postBlocks(...dividers(n)),
    word: 'invalid_blocks',
    at: '/blocks',
  },
  {
    // No number is documented: messages of 13,172 characters were refused.
    what: 'characters in all blocks',
    most: 13_171,
    source: 'https://github.com/slackapi/bolt-js/issues/2509',
    make: (n) => postBlocks(...text(n)),
    word: 'msg_blocks_too_long',
    at: null,
  },
  {
    what: 'text of an update',
    most: 4_000,
    source: DOCS.method('chat.update'),
    make: (n) => [{ method: 'chat.update', args: { text: long(n) } }],
    word: 'msg_too_long',
    at: null,
  },
  {
    what: 'characters in all cells',
    most: 10_000,
    source: DOCS.block('table'),
    make: (n) => postBlocks(table({ rows: [[cell(5_000), cell(n - 5_000)]] })),
    word: 'invalid_blocks',
    at: '/blocks',
  },
  {
    what: 'tables of a message',
    most: 1,
    source: DOCS.block('table'),
    make: (n) => postBlocks(...many(n, () => table({}))),
    word: 'invalid_attachments',
    at: '/blocks',
  },
  {
    what: 'charts of a message',
    most: 2,
    source: DOCS.block('data-visualization'),
    make: (n) => postBlocks(...many(n, () => bars([{ name: 's', data: points('a') }], ['a']))),
    word: 'invalid_blocks',
    at: '/blocks',
  },
];

const inView = (most: number, at: string, change: (size: number) => object): LimitCase => ({
  what: `${at.slice('/view/'.length)} of a modal`,
  most,
  source: DOCS.modal,
  make: (n) => open(modal([{ type: 'divider' }], change(n))),
  word: 'invalid_arguments',
  at,
});

const VIEWS: readonly LimitCase[] = [
  {
    what: 'blocks of a modal',
    most: 100,
    source: DOCS.blocks,
    make: (n) => open(modal(dividers(n))),
    word: 'invalid_arguments',
    at: '/view/blocks',
  },
  {
    what: 'blocks of the Home',
    most: 100,
    source: DOCS.home,
    make: (n) => publish(home(dividers(n))),
    word: 'invalid_arguments',
    at: '/view/blocks',
  },
  ...(['title', 'submit', 'close'] as const).map((name) => ({
    ...inView(24, `/view/${name}/text`, (n) => ({ [name]: plain(n) })),
    least: 1,
  })),
  inView(3_000, '/view/private_metadata', (n) => ({ private_metadata: long(n) })),
  inView(255, '/view/callback_id', (n) => ({ callback_id: long(n) })),
  {
    what: 'modals on one another',
    most: 3,
    source: 'https://docs.slack.dev/surfaces/modals',
    make: (n) => [...open(modal([actions(MORE)])), ...many(n - 1, () => push)],
    word: 'push_limit_reached',
    at: null,
  },
];

export const LIMITS: readonly LimitCase[] = [...BLOCKS, ...ELEMENTS, ...MESSAGES, ...VIEWS];

const group = { label: plain(1), options: [option(0)] };
const columns = (second: object | null) =>
  table({ rows: [[cell(1), cell(1)]], column_settings: [{}, second] });
const twoPrimary = actions(button({ style: 'primary' }), button({ action_id: 'b', style: 'primary' }));
const time = (initial_time: string) => actions({ type: 'timepicker', action_id: 'a', initial_time });
const textInput = (change: object = {}) => input({ type: 'plain_text_input', ...change });
const choice = (focus_on_load: boolean) =>
  input({ type: 'radio_buttons', options: [option(0)], focus_on_load });
const dispatching = (...on: readonly string[]) =>
  textInput({ dispatch_action_config: { trigger_actions_on: on } });
const metadata = (value: unknown) => post({ text: 'x', metadata: value });
const METADATA = 'https://docs.slack.dev/messaging/message-metadata';

const BLOCK_RULES: readonly RuleCase[] = [
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
    [textInput({ dispatch_action_config: {} }), textInput({ dispatch_action_config: { on: [] } })],
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
      open(modal([section(), textInput()], { submit: undefined })),
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

/** Rules without a number, from the documentation and from what others saw. */
export const RULES: readonly RuleCase[] = [...BLOCK_RULES, ...PAYLOADS];
