/** Every limit one below, at, and one above: the last must be refused, where the pointer says. */
import { describe, expect, it } from 'vitest';
import { checkBlocks, problemLines } from '../../../src/sandbox/slack/validate/payload.ts';
import { checkView } from '../../../src/sandbox/slack/validate/views.ts';
import { aModal } from './fixtures.ts';
import { button, section } from './harness.ts';

const long = (length: number) => 'x'.repeat(length);
const plain = (length: number) => ({ type: 'plain_text', text: long(length) });
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const actions = (...elements: readonly unknown[]) => ({ type: 'actions', elements });
const option = (index: number, change: object = {}) => ({ text: plain(1), value: `v${index}`, ...change });
const select = (change: object) => actions({ type: 'static_select', action_id: 'a', ...change });
const choose = (change: object) => select({ options: [option(0, change)] });
const confirming = (change: object) =>
  actions(
    button('a', {
      confirm: { title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1), ...change },
    }),
  );
const input = (element: object, change: object = {}) => ({
  type: 'input',
  label: plain(1),
  element: { action_id: 'a', ...element },
  ...change,
});
const picture = { type: 'image', alt_text: 'x', image_url: 'https://example.com/a.png' };
const address = (length: number) => `https://example.com/${long(length - 20)}`;
const cell = (length: number) => ({ type: 'raw_text', text: long(length) });
const table = (rows: number, cells: number, length = 1) => ({
  type: 'table',
  rows: many(rows, () => many(cells, () => cell(length))),
});

type Row = readonly [what: string, limit: number, make: (size: number) => unknown, pointer: string];

const BLOCK_LIMITS: readonly Row[] = [
  ['section.text', 3_000, (size) => section(long(size)), '/blocks/0/text/text'],
  [
    'section.fields',
    10,
    (size) => ({ type: 'section', fields: many(size, () => plain(1)) }),
    '/blocks/0/fields',
  ],
  ['a field', 2_000, (size) => ({ type: 'section', fields: [plain(size)] }), '/blocks/0/fields/0/text'],
  ['header.text', 150, (size) => ({ type: 'header', text: plain(size) }), '/blocks/0/text/text'],
  [
    'context.elements',
    10,
    (size) => ({ type: 'context', elements: many(size, () => plain(1)) }),
    '/blocks/0/elements',
  ],
  [
    'actions.elements',
    25,
    (size) => actions(...many(size, (index) => button(`a${index}`))),
    '/blocks/0/elements',
  ],
  [
    'context_actions.elements',
    5,
    (size) => ({
      type: 'context_actions',
      elements: many(size, (index) => ({
        type: 'icon_button',
        action_id: `a${index}`,
        icon: 'trash',
        text: plain(1),
      })),
    }),
    '/blocks/0/elements',
  ],
  ['block_id', 255, (size) => section('x', { block_id: long(size) }), '/blocks/0/block_id'],
  [
    'action_id',
    255,
    (size) => actions(button('a', { action_id: long(size) })),
    '/blocks/0/elements/0/action_id',
  ],
  [
    'button.text',
    75,
    (size) => actions(button('a', { text: plain(size) })),
    '/blocks/0/elements/0/text/text',
  ],
  [
    'button.value',
    2_000,
    (size) => actions(button('a', { value: long(size) })),
    '/blocks/0/elements/0/value',
  ],
  ['button.url', 3_000, (size) => actions(button('a', { url: address(size) })), '/blocks/0/elements/0/url'],
  [
    'button.accessibility_label',
    75,
    (size) => actions(button('a', { accessibility_label: long(size) })),
    '/blocks/0/elements/0/accessibility_label',
  ],
  ['option.text', 75, (size) => choose({ text: plain(size) }), '/blocks/0/elements/0/options/0/text/text'],
  ['option.value', 75, (size) => choose({ value: long(size) }), '/blocks/0/elements/0/options/0/value'],
  [
    'option.description',
    75,
    (size) => choose({ description: plain(size) }),
    '/blocks/0/elements/0/options/0/description/text',
  ],
  [
    'select.options',
    100,
    (size) => select({ options: many(size, (index) => option(index)) }),
    '/blocks/0/elements/0/options',
  ],
  [
    'select.option_groups',
    100,
    (size) =>
      select({ option_groups: many(size, (index) => ({ label: plain(1), options: [option(index)] })) }),
    '/blocks/0/elements/0/option_groups',
  ],
  [
    'options in a group',
    100,
    (size) => select({ option_groups: [{ label: plain(1), options: many(size, (index) => option(index)) }] }),
    '/blocks/0/elements/0/option_groups/0/options',
  ],
  [
    'the label of a group',
    75,
    (size) => select({ option_groups: [{ label: plain(size), options: [option(0)] }] }),
    '/blocks/0/elements/0/option_groups/0/label/text',
  ],
  [
    'checkboxes.options',
    10,
    (size) => actions({ type: 'checkboxes', action_id: 'a', options: many(size, (index) => option(index)) }),
    '/blocks/0/elements/0/options',
  ],
  [
    'radio_buttons.options',
    10,
    (size) =>
      actions({ type: 'radio_buttons', action_id: 'a', options: many(size, (index) => option(index)) }),
    '/blocks/0/elements/0/options',
  ],
  [
    'overflow.options',
    5,
    (size) => actions({ type: 'overflow', action_id: 'a', options: many(size, (index) => option(index)) }),
    '/blocks/0/elements/0/options',
  ],
  [
    'placeholder',
    150,
    (size) => select({ placeholder: plain(size), options: [option(0)] }),
    '/blocks/0/elements/0/placeholder/text',
  ],
  [
    'confirm.title',
    100,
    (size) => confirming({ title: plain(size) }),
    '/blocks/0/elements/0/confirm/title/text',
  ],
  [
    'confirm.text',
    300,
    (size) => confirming({ text: plain(size) }),
    '/blocks/0/elements/0/confirm/text/text',
  ],
  [
    'confirm.confirm',
    30,
    (size) => confirming({ confirm: plain(size) }),
    '/blocks/0/elements/0/confirm/confirm/text',
  ],
  ['confirm.deny', 30, (size) => confirming({ deny: plain(size) }), '/blocks/0/elements/0/confirm/deny/text'],
  [
    'input.label',
    2_000,
    (size) => input({ type: 'plain_text_input' }, { label: plain(size) }),
    '/blocks/0/label/text',
  ],
  [
    'input.hint',
    2_000,
    (size) => input({ type: 'plain_text_input' }, { hint: plain(size) }),
    '/blocks/0/hint/text',
  ],
  [
    'min_length',
    3_000,
    (size) => input({ type: 'plain_text_input', min_length: size }),
    '/blocks/0/element/min_length',
  ],
  ['image.alt_text', 2_000, (size) => ({ ...picture, alt_text: long(size) }), '/blocks/0/alt_text'],
  ['image.title', 2_000, (size) => ({ ...picture, title: plain(size) }), '/blocks/0/title/text'],
  ['image.image_url', 3_000, (size) => ({ ...picture, image_url: address(size) }), '/blocks/0/image_url'],
  ['markdown.text', 12_000, (size) => ({ type: 'markdown', text: long(size) }), '/blocks/0/text'],
  ['table.rows', 100, (size) => table(size, 1), '/blocks/0/rows'],
  ['cells in a row', 20, (size) => table(1, size), '/blocks/0/rows/0'],
  ['characters in a table', 10_000, (size) => table(1, 1, size), '/blocks/0/rows/0/0/text'],
  [
    'data_table.page_size',
    100,
    (size) => ({ ...table(2, 1), type: 'data_table', caption: 'x', page_size: size }),
    '/blocks/0/page_size',
  ],
  [
    'card.body',
    200,
    (size) => ({ type: 'card', body: { type: 'mrkdwn', text: long(size) } }),
    '/blocks/0/body/text',
  ],
  [
    'carousel.elements',
    10,
    (size) => ({ type: 'carousel', elements: many(size, () => ({ type: 'card', hero_image: picture })) }),
    '/blocks/0/elements',
  ],
  [
    'container.child_blocks',
    10,
    (size) => ({ type: 'container', title: plain(1), child_blocks: many(size, () => ({ type: 'divider' })) }),
    '/blocks/0/child_blocks',
  ],
  [
    'indent of a list',
    8,
    (size) => ({
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_list',
          style: 'bullet',
          indent: size,
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
        },
      ],
    }),
    '/blocks/0/elements/0/indent',
  ],
];

describe('the limit of', () => {
  it.each(BLOCK_LIMITS)('%s is %i', (_what, limit, make, pointer) => {
    expect(checkBlocks([make(limit - 1)], 'message')).toEqual([]);
    expect(checkBlocks([make(limit)], 'message')).toEqual([]);
    expect(checkBlocks([make(limit + 1)], 'message')).toMatchObject([{ pointer }]);
  });

  it.each([
    ['message', 50],
    ['modal', 100],
    ['home', 100],
  ] as const)('blocks in a %s is %i', (surface, limit) => {
    const dividers = (count: number) => many(count, () => ({ type: 'divider' }));
    expect(checkBlocks(dividers(limit), surface)).toEqual([]);
    const problems = problemLines(checkBlocks(dividers(limit + 1), surface));
    expect(problems).toEqual([`no more than ${limit} items allowed [json-pointer:/blocks]`]);
  });

  it.each([
    ['title', 24, (size: number) => ({ title: plain(size) })],
    ['submit', 24, (size: number) => ({ submit: plain(size) })],
    ['close', 24, (size: number) => ({ close: plain(size) })],
    ['private_metadata', 3_000, (size: number) => ({ private_metadata: long(size) })],
    ['callback_id', 255, (size: number) => ({ callback_id: long(size) })],
    ['external_id', 255, (size: number) => ({ external_id: long(size) })],
  ])('a view’s %s is %i', (_what, limit, change) => {
    const view = (size: number) => ({ ...aModal(), ...change(size) });
    expect(checkView(view(limit), 'modal')).toEqual([]);
    expect(checkView(view(limit + 1), 'modal')).toHaveLength(1);
  });

  it('all markdown in a message is 12,000', () => {
    const blocks = (size: number) => [6_000, size].map((each) => ({ type: 'markdown', text: long(each) }));
    expect(checkBlocks(blocks(6_000), 'message')).toEqual([]);
    expect(checkBlocks(blocks(6_001), 'message')).toHaveLength(1);
  });

  it('all cells of a message is 10,000', () => {
    expect(checkBlocks([table(10, 10, 100)], 'message')).toEqual([]);
    expect(checkBlocks([table(10, 10, 100), section()], 'message')).toEqual([]);
    expect(checkBlocks([table(11, 10, 100)], 'message')).toMatchObject([{ pointer: '/blocks' }]);
  });
});

describe('blocks are refused', () => {
  it.each([
    ['of an unknown type', { type: 'marquee' }, 'unsupported type: marquee [json-pointer:/blocks/0/type]'],
    [
      'named like a property of all objects',
      { type: 'constructor' },
      'unsupported type: constructor [json-pointer:/blocks/0/type]',
    ],
    ['without a type', {}, 'missing required field: type [json-pointer:/blocks/0]'],
    ['that are no objects', 'x', 'must provide an object [json-pointer:/blocks/0]'],
    [
      'with a stray property',
      section('x', { colour: 'red' }),
      'invalid additional property: colour [json-pointer:/blocks/0]',
    ],
    [
      'with nothing to say',
      { type: 'section' },
      'must define either `text` or `fields` [json-pointer:/blocks/0]',
    ],
    ['with empty text', section(''), 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    [
      'with text for a number',
      section('x', { text: { type: 'mrkdwn', text: 5 } }),
      'must be a string [json-pointer:/blocks/0/text/text]',
    ],
    [
      'with mrkdwn in a header',
      { type: 'header', text: { type: 'mrkdwn', text: 'x' } },
      'must be a valid enum value [json-pointer:/blocks/0/text/type]',
    ],
    ['with an empty list', actions(), 'must provide at least 1 items [json-pointer:/blocks/0/elements]'],
    [
      'with an input among actions',
      actions({ type: 'plain_text_input', action_id: 'a' }),
      'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
    ],
    [
      'with an unknown style',
      actions(button('a', { style: 'loud' })),
      'must be a valid enum value [json-pointer:/blocks/0/elements/0/style]',
    ],
    [
      'with a bad address',
      actions(button('a', { url: 'nowhere' })),
      'must be a valid URL [json-pointer:/blocks/0/elements/0/url]',
    ],
    [
      'with neither options nor groups',
      select({}),
      'must define either `options` or `option_groups` [json-pointer:/blocks/0/elements/0]',
    ],
    [
      'with a strange choice at the start',
      select({ options: [option(0)], initial_option: option(1) }),
      'initial option must be one of the options [json-pointer:/blocks/0/elements/0/initial_option]',
    ],
    [
      'with two of one action_id',
      actions(button('a'), button('a')),
      '`action_id` "a" already exists [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      'with a bad date',
      actions({ type: 'datepicker', initial_date: 'soon' }),
      'must be a valid date [json-pointer:/blocks/0/elements/0/initial_date]',
    ],
    [
      'with no source of the picture',
      { type: 'image', alt_text: 'x' },
      'must define either `slack_file` or `image_url` [json-pointer:/blocks/0]',
    ],
    [
      'with uneven rows',
      { type: 'data_table', caption: 'x', rows: [[cell(1)], [cell(1), cell(1)]] },
      'all rows must have the same number of cells [json-pointer:/blocks/0/rows]',
    ],
  ])('%s', (_what, block, line) => {
    expect(problemLines(checkBlocks([block], 'message'))).toEqual([line]);
  });

  it('when two have one block_id', () => {
    const twins = [section('a', { block_id: 'x' }), section('b', { block_id: 'x' })];
    expect(checkBlocks(twins, 'message')).toMatchObject([{ pointer: '/blocks/1/block_id' }]);
  });

  it('when a message has two tables', () => {
    expect(problemLines(checkBlocks([table(1, 1), table(1, 1)], 'message'))).toEqual([
      'only_one_table_allowed [json-pointer:/blocks]',
    ]);
  });

  it.each([
    ['message', { type: 'alert', text: plain(1) }],
    ['modal', { type: 'markdown', text: 'x' }],
    ['modal', { type: 'carousel', elements: [{ type: 'card', hero_image: picture }] }],
    ['home', table(1, 1)],
    ['home', { type: 'file', source: 'remote', external_id: 'x' }],
  ] as const)('on a %s where they do not belong', (surface, block) => {
    expect(checkBlocks([block], surface)).toMatchObject([{ pointer: '/blocks/0/type' }]);
  });
});

describe('blocks are taken', () => {
  it.each([
    ['a divider', { type: 'divider' }],
    ['a section with a picture', section('x', { accessory: picture })],
    ['context with a picture', { type: 'context', elements: [picture, { type: 'mrkdwn', text: 'x' }] }],
    [
      'every choosing element',
      actions(
        ...['users', 'channels', 'conversations', 'external'].map((source) => ({
          type: `multi_${source}_select`,
          action_id: source,
        })),
      ),
    ],
    [
      'a date and a time',
      actions(
        { type: 'datepicker', initial_date: '2026-11-20' },
        { type: 'timepicker', initial_time: '09:00' },
      ),
    ],
    ['a table with a skipped column', { ...table(1, 2), column_settings: [null, { align: 'right' }] }],
    [
      'a plan',
      {
        type: 'plan',
        title: 'x',
        tasks: [{ type: 'task_card', task_id: '1', title: 'x', status: 'pending' }],
      },
    ],
    [
      'a video',
      { type: 'video', video_url: address(30), thumbnail_url: address(30), alt_text: 'x', title: plain(199) },
    ],
    [
      'feedback',
      {
        type: 'context_actions',
        elements: [
          {
            type: 'feedback_buttons',
            action_id: 'a',
            positive_button: { text: plain(1), value: 'y' },
            negative_button: { text: plain(1), value: 'n' },
          },
        ],
      },
    ],
    ['an input', input({ type: 'number_input', is_decimal_allowed: false, min_value: '1' })],
  ])('%s', (_what, block) => {
    expect(checkBlocks([block], 'message')).toEqual([]);
  });
});

describe('a view', () => {
  it('with an input needs a submit button', () => {
    const { submit: _, ...view } = aModal();
    expect(checkView(view, 'modal')).toMatchObject([
      { pointer: '/view/blocks/0', message: expect.stringContaining('submit') },
    ]);
  });

  it('of a modal needs a title, and the Home has none', () => {
    const { title: _, ...untitled } = aModal();
    expect(checkView(untitled, 'modal')).toMatchObject([{ message: 'missing required field: title' }]);
    expect(checkView({ type: 'home', blocks: [], title: plain(1) }, 'home')).toHaveLength(1);
    expect(checkView({ type: 'home', blocks: [section()] }, 'home')).toEqual([]);
  });

  it('must be of the type that is asked for', () => {
    expect(checkView({ type: 'home', blocks: [] }, 'modal')).toMatchObject([{ pointer: '/view/type' }]);
    expect(checkView('x', 'modal')).toMatchObject([{ pointer: '/view' }]);
  });

  it('shows problems of its blocks under its own pointer', () => {
    const view = { ...aModal(), blocks: [{ type: 'marquee' }] };
    expect(checkView(view, 'modal')).toMatchObject([{ pointer: '/view/blocks/0/type' }]);
  });
});
