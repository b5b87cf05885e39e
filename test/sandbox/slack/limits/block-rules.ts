/** Rules of blocks in a message, from the documentation. */
import { actions, button, DOCS, mrkdwn, option, picture, plain, postBlocks } from './limit-cases.ts';
import { inMessage, ofFiles, type RuleCase } from './rule-cases.ts';

export const section = (change: object = { text: plain(1) }) => ({ type: 'section', ...change });
const select = (change: object) => actions({ type: 'static_select', action_id: 'a', ...change });
const group = { label: plain(1), options: [option(0)] };
const overflow = (change: object) =>
  actions({ type: 'overflow', action_id: 'a', options: [option(0, change)] });
const cell = (text: string) => ({ type: 'raw_text', text });
const rich = { type: 'rich_text', elements: [] };
const dataTable = (change: object) => ({
  type: 'data_table',
  caption: 'x',
  rows: [[cell('a')], [cell('b')]],
  ...change,
});
export const bars = (series: readonly object[], categories = ['a']) => ({
  type: 'data_visualization',
  title: 'x',
  chart: { type: 'bar', series, axis_config: { categories } },
});
export const points = (label: string) => [{ label, value: -1 }];
const columns = (second: object | null) => ({
  type: 'table',
  rows: [[cell('a'), cell('b')]],
  column_settings: [{}, second],
});
const twoPrimary = actions(button({ style: 'primary' }), button({ action_id: 'b', style: 'primary' }));

export const BLOCK_RULES: readonly RuleCase[] = [
  {
    row: 'block_id / action_id',
    what: 'a block_id of its own for each block',
    source: DOCS.blocks,
    taken: postBlocks({ ...section(), block_id: 'a' }, { ...section(), block_id: 'b' }),
    refused: postBlocks({ ...section(), block_id: 'a' }, { ...section(), block_id: 'a' }),
    word: 'invalid_blocks',
    at: '/blocks/1/block_id',
  },
  {
    row: 'block_id / action_id',
    what: 'an action_id of its own for each element of a block',
    source: DOCS.element('button'),
    taken: postBlocks(actions(button()), actions(button())),
    refused: postBlocks(actions(button(), button())),
    word: 'invalid_blocks',
    at: '/blocks/0/elements/1/action_id',
  },
  inMessage('section', 'text or fields', DOCS.block('section'), [section(), section({})], ''),
  inMessage(
    'header',
    'a header of plain text',
    DOCS.block('header'),
    [
      { type: 'header', text: plain(1) },
      { type: 'header', text: mrkdwn(1) },
    ],
    '/text/type',
  ),
  inMessage(
    'button',
    'a known style, and as often as one likes',
    DOCS.element('button'),
    [twoPrimary, actions(button({ style: 'default' }))],
    '/elements/0/style',
  ),
  inMessage(
    'option',
    'addresses in overflow menus only',
    DOCS.object('option'),
    [
      overflow({ url: 'https://example.com' }),
      select({ options: [option(0, { url: 'https://example.com' })] }),
    ],
    '/elements/0/options/0',
  ),
  inMessage(
    'option',
    'plain text in the options of menus',
    DOCS.object('option'),
    [
      actions({ type: 'checkboxes', action_id: 'a', options: [option(0, { text: mrkdwn(1) })] }),
      select({ options: [option(0, { text: mrkdwn(1) })] }),
    ],
    '/elements/0/options/0/text/type',
  ),
  inMessage(
    'select',
    'options or groups of them',
    DOCS.element('select-menu'),
    [select({ option_groups: [group] }), select({ options: [option(0)], option_groups: [group] })],
    '/elements/0',
  ),
  inMessage(
    'select',
    'the very same option at the start',
    DOCS.element('select-menu'),
    [
      select({ option_groups: [group], initial_option: option(0) }),
      select({ options: [option(0)], initial_option: option(0, { text: plain(2) }) }),
    ],
    '/elements/0/initial_option',
  ),
  inMessage(
    'table',
    'known cells',
    DOCS.block('table'),
    [
      { type: 'table', rows: [[rich, { type: 'raw_number', value: 1, text: '1' }]] },
      { type: 'table', rows: [[plain(1)]] },
    ],
    '/rows/0/0/type',
  ),
  inMessage(
    'table',
    'an object for each column with settings, none skipped by null',
    'https://github.com/NousResearch/hermes-agent/issues/56615',
    [columns({}), columns(null)],
    '/column_settings/1',
  ),
  inMessage(
    'data_table',
    'a caption',
    DOCS.block('data-table'),
    [dataTable({}), dataTable({ caption: undefined })],
    '',
  ),
  inMessage(
    'data_table',
    'no rich text in its header',
    DOCS.block('data-table'),
    [dataTable({ rows: [[cell('a')], [rich]] }), dataTable({ rows: [[rich], [cell('a')]] })],
    '/rows/0/0/type',
  ),
  inMessage(
    'beyond the notes',
    'buttons in the cells of a data table, and nothing else that acts',
    'https://github.com/abdolence/slack-morphism-rust/pull/391',
    [
      dataTable({ rows: [[cell('a')], [{ type: 'action_cell', element: button(), fallback: cell('b') }]] }),
      dataTable({ rows: [[cell('a')], [{ type: 'action_cell', element: { type: 'overflow' } }]] }),
    ],
    '/rows/1/0/element/type',
  ),
  inMessage(
    'beyond the notes',
    'no button in the header of a data table',
    'https://github.com/abdolence/slack-morphism-rust/pull/391',
    [dataTable({}), dataTable({ rows: [[{ type: 'action_cell', element: button() }], [cell('a')]] })],
    '/rows/0/0/type',
  ),
  inMessage(
    'data_table',
    'rows of one length',
    DOCS.block('data-table'),
    [dataTable({}), dataTable({ rows: [[cell('a')], [cell('a'), cell('b')]] })],
    '/rows',
  ),
  inMessage(
    'beyond the notes',
    'a column that exists for the names of rows',
    DOCS.block('data-table'),
    [dataTable({ row_header_column_index: 0 }), dataTable({ row_header_column_index: 1 })],
    '/row_header_column_index',
  ),
  inMessage(
    'beyond the notes',
    'series of different names',
    DOCS.block('data-visualization'),
    [
      bars([
        { name: 'x', data: points('a') },
        { name: 'y', data: points('a') },
      ]),
      bars([
        { name: 'x', data: points('a') },
        { name: 'x', data: points('a') },
      ]),
    ],
    '/chart/series/1/name',
  ),
  inMessage(
    'beyond the notes',
    'a point for each category',
    DOCS.block('data-visualization'),
    [bars([{ name: 'x', data: points('a') }]), bars([{ name: 'x', data: points('b') }])],
    '/chart/series/0/data',
  ),
  inMessage(
    'beyond the notes',
    'emoji as a flag of plain text only',
    DOCS.object('text'),
    [section({ text: { ...plain(1), emoji: true } }), section({ text: { ...mrkdwn(1), emoji: true } })],
    '/text',
  ),
  inMessage(
    'beyond the notes',
    'verbatim as a flag of mrkdwn only',
    DOCS.object('text'),
    [section({ text: { ...mrkdwn(1), verbatim: true } }), section({ text: { ...plain(1), verbatim: true } })],
    '/text',
  ),
  inMessage(
    'beyond the notes',
    'one source of a picture',
    DOCS.block('image'),
    [picture, { ...picture, slack_file: { id: 'F00000001' } }],
    '',
  ),
  ofFiles(
    'an id or an address of a file',
    DOCS.object('slack-file'),
    [
      { type: 'image', alt_text: 'x', slack_file: { id: 'F00000001' } },
      { type: 'image', alt_text: 'x', slack_file: {} },
    ],
    '/slack_file',
  ),
  inMessage(
    'beyond the notes',
    'a title, a picture, text or buttons on a card',
    DOCS.block('card'),
    [
      { type: 'card', title: mrkdwn(1) },
      { type: 'card', subtitle: mrkdwn(1) },
    ],
    '',
  ),
];
