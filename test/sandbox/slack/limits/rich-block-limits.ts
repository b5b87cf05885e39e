/** Limits of cards, containers, tables and charts, from the documentation. */
import {
  button,
  DOCS,
  FOUND,
  inMessage,
  type LimitCase,
  long,
  many,
  mrkdwn,
  picture,
  plain,
} from './limit-cases.ts';

const card = (change: object) => ({ type: 'card', hero_image: picture, ...change });
const container = (change: object) => ({
  type: 'container',
  title: plain(1),
  child_blocks: [{ type: 'divider' }],
  ...change,
});
const cell = (length: number) => ({ type: 'raw_text', text: long(length) });
const rows = (count: number, cells = 1) => many(count, () => many(cells, () => cell(1)));
const table = (change: object) => ({ type: 'table', rows: rows(1), ...change });
const dataTable = (change: object) => ({ type: 'data_table', caption: 'x', rows: rows(2), ...change });
const labels = (count: number) => many(count, (index) => `p${index}`);
const chart = (inside: object, title = 'x') => ({ type: 'data_visualization', title, chart: inside });
const pie = (count: number, label = 's') =>
  chart({ type: 'pie', segments: many(count, (index) => ({ label: `${label}${index}`, value: 1 })) });
const bars = (names: readonly string[], categories: readonly string[], axes: object = {}, type = 'bar') =>
  chart({
    type,
    series: names.map((name) => ({ name, data: categories.map((label) => ({ label, value: 1 })) })),
    axis_config: { categories, ...axes },
  });

export const RICH_BLOCK_LIMITS: readonly LimitCase[] = [
  ...inMessage(
    'card, carousel',
    DOCS.block('card'),
    {
      what: 'title of a card',
      least: 1,
      most: 150,
      make: (n) => card({ title: mrkdwn(n) }),
      at: '/title/text',
    },
    {
      what: 'subtitle of a card',
      least: 1,
      most: 150,
      make: (n) => card({ subtitle: mrkdwn(n) }),
      at: '/subtitle/text',
    },
    { what: 'body of a card', least: 1, most: 200, make: (n) => card({ body: mrkdwn(n) }), at: '/body/text' },
  ),
  ...inMessage('beyond the notes', FOUND.blocks, {
    what: 'buttons of a card',
    least: 1,
    most: 3,
    make: (n) => card({ actions: many(n, (index) => button({ action_id: `a${index}` })) }),
    at: '/actions',
  }),
  ...inMessage('beyond the notes', FOUND.blocks, {
    what: 'subtext of a card',
    least: 1,
    most: 200,
    make: (n) => card({ subtext: mrkdwn(n) }),
    at: '/subtext/text',
  }),
  ...inMessage('card, carousel', DOCS.block('carousel'), {
    what: 'cards of a carousel',
    least: 1,
    most: 10,
    make: (n) => ({ type: 'carousel', elements: many(n, () => card({})) }),
    at: '/elements',
  }),
  ...inMessage(
    'container',
    DOCS.block('container'),
    {
      what: 'title of a container',
      least: 1,
      most: 150,
      make: (n) => container({ title: plain(n) }),
      at: '/title/text',
    },
    {
      what: 'subtitle of a container',
      least: 1,
      most: 150,
      make: (n) => container({ subtitle: mrkdwn(n) }),
      at: '/subtitle/text',
    },
    {
      what: 'children of a container',
      least: 1,
      most: 10,
      make: (n) => container({ child_blocks: many(n, () => ({ type: 'divider' })) }),
      at: '/child_blocks',
    },
  ),
  ...inMessage(
    'table',
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
    'data_table',
    DOCS.block('data-table'),
    {
      what: 'rows of a data table, the header among them',
      least: 2,
      most: 201,
      make: (n) => dataTable({ rows: rows(n) }),
      at: '/rows',
    },
    {
      what: 'columns of a data table',
      least: 1,
      most: 20,
      make: (n) => dataTable({ rows: rows(2, n) }),
      at: '/rows/0',
    },
    {
      what: 'page_size',
      least: 1,
      most: 100,
      make: (n) => dataTable({ page_size: n }),
      at: '/page_size',
    },
  ),
  ...inMessage(
    'data_visualization',
    DOCS.block('data-visualization'),
    {
      what: 'title of a chart',
      least: 1,
      most: 50,
      make: (n) => ({ ...pie(1), title: long(n) }),
      at: '/title',
    },
    { what: 'segments of a pie', least: 1, most: 12, make: (n) => pie(n), at: '/chart/segments' },
    ...['bar', 'area', 'line'].map((type) => ({
      what: `series of ${type}`,
      least: 1,
      most: 12,
      make: (n: number) => bars(labels(n), ['a'], {}, type),
      at: '/chart/series',
    })),
    {
      what: 'points of a series',
      least: 1,
      most: 20,
      make: (n) => bars(['a'], labels(n)),
      at: '/chart/series/0/data',
    },
    {
      what: 'categories',
      least: 1,
      most: 20,
      make: (n) => bars(['a'], labels(n)),
      at: '/chart/axis_config/categories',
    },
    {
      what: 'label of a segment',
      least: 1,
      most: 20,
      make: (n) => chart({ type: 'pie', segments: [{ label: long(n), value: 1 }] }),
      at: '/chart/segments/0/label',
    },
    {
      what: 'name of a series',
      least: 1,
      most: 20,
      make: (n) => bars([long(n)], ['a']),
      at: '/chart/series/0/name',
    },
    {
      what: 'label of a point',
      least: 1,
      most: 20,
      make: (n) => bars(['a'], [long(n)]),
      at: '/chart/series/0/data/0/label',
    },
  ),
  ...inMessage(
    'beyond the notes',
    DOCS.block('data-visualization'),
    {
      what: 'label of the x axis',
      most: 50,
      make: (n) => bars(['a'], ['a'], { x_label: long(n) }),
      at: '/chart/axis_config/x_label',
    },
    {
      what: 'label of the y axis',
      most: 50,
      make: (n) => bars(['a'], ['a'], { y_label: long(n) }),
      at: '/chart/axis_config/y_label',
    },
  ),
];
