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
  many,
  modal,
  mrkdwn,
  open,
  option,
  plain,
  points,
  postBlocks,
  publish,
  section,
  select,
  table,
} from './limit-cases.ts';
import { MORE, type SlackCall } from './limits-harness.ts';

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
    {
      what: 'block_id',
      least: 1,
      most: 255,
      make: (n) => section({ text: plain(1), block_id: long(n) }),
      at: '/block_id',
    },
    {
      what: 'action_id',
      least: 1,
      most: 255,
      make: (n) => actions(button({ action_id: long(n) })),
      at: '/elements/0/action_id',
    },
    {
      what: 'section text',
      least: 1,
      most: 3_000,
      make: (n) => section({ text: mrkdwn(n) }),
      at: '/text/text',
    },
    {
      what: 'fields',
      least: 1,
      most: 10,
      make: (n) => section({ fields: many(n, () => plain(1)) }),
      at: '/fields',
    },
    {
      what: 'a field',
      least: 1,
      most: 2_000,
      make: (n) => section({ fields: [plain(n)] }),
      at: '/fields/0/text',
    },
  ),
  ...inMessage(
    DOCS.object('text'),
    { what: 'plain text', least: 1, most: 3_000, make: (n) => context(plain(n)), at: '/elements/0/text' },
    { what: 'mrkdwn', least: 1, most: 3_000, make: (n) => context(mrkdwn(n)), at: '/elements/0/text' },
  ),
  ...inMessage(DOCS.block('context'), {
    what: 'elements of context',
    least: 1,
    most: 10,
    make: (n) => context(...many(n, () => plain(1))),
    at: '/elements',
  }),
  ...inMessage(DOCS.block('actions'), {
    what: 'elements of actions',
    least: 1,
    most: 25,
    make: (n) => actions(...many(n, (index) => button({ action_id: `a${index}` }))),
    at: '/elements',
  }),
  ...inModal(
    DOCS.block('input'),
    {
      what: 'label',
      least: 1,
      most: 2_000,
      make: (n) => input({ type: 'plain_text_input' }, { label: plain(n) }),
      at: '/label/text',
    },
    {
      what: 'hint',
      least: 1,
      most: 2_000,
      make: (n) => input({ type: 'plain_text_input' }, { hint: plain(n) }),
      at: '/hint/text',
    },
  ),
  ...inMessage(
    DOCS.block('table'),
    { what: 'rows of a table', least: 1, most: 100, make: (n) => table({ rows: rows(n) }), at: '/rows' },
    { what: 'cells of a row', least: 1, most: 20, make: (n) => table({ rows: rows(1, n) }), at: '/rows/0' },
    {
      what: 'settings of columns',
      most: 20,
      make: (n) => table({ column_settings: many(n, () => ({})) }),
      at: '/column_settings',
    },
  ),
  ...inMessage(
    DOCS.block('data-visualization'),
    {
      what: 'title of a chart',
      least: 1,
      most: 50,
      make: (n) => bars([{ name: 's', data: points('a') }], ['a'], long(n)),
      at: '/title',
    },
    {
      what: 'points of a series',
      least: 1,
      most: 20,
      make: (n) => bars([{ name: 's', data: points(...labels(n)) }], labels(Math.min(Math.max(n, 1), 20))),
      at: '/chart/series/0/data',
    },
    {
      what: 'categories',
      least: 1,
      most: 20,
      make: (n) => bars([{ name: 's', data: points(...labels(Math.min(Math.max(n, 1), 20))) }], labels(n)),
      at: '/chart/axis_config/categories',
    },
    {
      what: 'name of a series',
      least: 1,
      most: 20,
      make: (n) => bars([{ name: long(n), data: points('a') }], ['a']),
      at: '/chart/series/0/name',
    },
    {
      what: 'label of a point',
      least: 1,
      most: 20,
      make: (n) => bars([{ name: 's', data: points(long(n)) }], [long(n)]),
      at: '/chart/series/0/data/0/label',
    },
  ),
  ...inMessage(FOUND, {
    what: 'series of bar',
    least: 1,
    most: 12,
    make: (n) =>
      bars(
        many(n, (index) => ({ name: `s${index}`, data: points('a') })),
        ['a'],
      ),
    at: '/chart/series',
  }),
];

const ELEMENTS: readonly LimitCase[] = [
  ...inMessage(
    DOCS.element('button'),
    {
      what: 'text of a button',
      least: 1,
      most: 75,
      make: (n) => actions(button({ text: plain(n) })),
      at: '/elements/0/text/text',
    },
    {
      what: 'value of a button',
      most: 2_000,
      make: (n) => actions(button({ value: long(n) })),
      at: '/elements/0/value',
    },
  ),
  ...inModal(DOCS.element('plain-text-input'), {
    what: 'max_length',
    least: 1,
    most: 3_000,
    make: (n) => written({ max_length: n }),
    at: '/element/max_length',
  }),
  ...inModal(DOCS.object('dispatch-action-configuration'), {
    what: 'actions that are dispatched',
    least: 1,
    make: (n) =>
      written({ dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'].slice(0, n) } }),
    at: '/element/dispatch_action_config/trigger_actions_on',
  }),
  // The page says 150 for a value; the types still say 75.
  ...inMessage(
    DOCS.object('option'),
    {
      what: 'text of an option',
      least: 1,
      most: 75,
      make: (n) => choose({ text: plain(n) }),
      at: '/elements/0/options/0/text/text',
    },
    {
      what: 'value of an option',
      least: 1,
      most: 150,
      make: (n) => choose({ value: long(n) }),
      at: '/elements/0/options/0/value',
    },
    {
      what: 'description of an option',
      least: 1,
      most: 75,
      make: (n) => choose({ description: plain(n) }),
      at: '/elements/0/options/0/description/text',
    },
  ),
  ...inMessage(
    DOCS.element('select-menu'),
    {
      what: 'options of a menu',
      least: 1,
      most: 100,
      make: (n) => choices('static_select', n),
      at: '/elements/0/options',
    },
    {
      what: 'options of a menu for many',
      least: 1,
      most: 100,
      make: (n) =>
        section({
          text: plain(1),
          accessory: {
            type: 'multi_static_select',
            action_id: 'a',
            options: many(n, (index) => option(index)),
          },
        }),
      at: '/accessory/options',
    },
    {
      what: 'groups of a menu',
      least: 1,
      most: 100,
      make: (n) => select({ option_groups: groups(n) }),
      at: '/elements/0/option_groups',
    },
    {
      what: 'placeholder',
      least: 1,
      most: 150,
      make: (n) => select({ options: [option(0)], placeholder: plain(n) }),
      at: '/elements/0/placeholder/text',
    },
  ),
  ...inMessage(
    DOCS.object('option-group'),
    {
      what: 'options of a group',
      least: 1,
      most: 100,
      make: (n) => select({ option_groups: groups(1, n) }),
      at: '/elements/0/option_groups/0/options',
    },
    {
      what: 'label of a group',
      least: 1,
      most: 75,
      make: (n) => select({ option_groups: [{ label: plain(n), options: [option(0)] }] }),
      at: '/elements/0/option_groups/0/label/text',
    },
  ),
  ...inMessage(DOCS.element('checkboxes'), {
    what: 'checkboxes',
    least: 1,
    most: 10,
    make: (n) => choices('checkboxes', n),
    at: '/elements/0/options',
  }),
  ...inMessage(DOCS.element('radio-button-group'), {
    what: 'radio buttons',
    least: 1,
    most: 10,
    make: (n) => choices('radio_buttons', n),
    at: '/elements/0/options',
  }),
  ...(
    [
      ['title', 'title', 100],
      ['text', 'text', 300],
      ['yes', 'confirm', 30],
      ['no', 'deny', 30],
    ] as const
  ).flatMap(([name, field, most]) =>
    inMessage(DOCS.object('confirmation-dialog'), {
      what: `${name} of a confirmation`,
      least: 1,
      most,
      make: (n) => confirming({ [field]: plain(n) }),
      at: `/elements/0/confirm/${field}/text`,
    }),
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
