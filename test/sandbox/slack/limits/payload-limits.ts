/** Limits of whole messages and views, from the documentation. */
import {
  actions,
  DOCS,
  FOUND,
  home,
  type LimitCase,
  long,
  many,
  modal,
  open,
  plain,
  post,
  postBlocks,
  publish,
  validate,
} from './limit-cases.ts';
import { MORE, type SlackCall } from './limits-harness.ts';

const dividers = (count: number) => many(count, () => ({ type: 'divider' }));
/** Sections with this many characters in total. */
const text = (size: number) =>
  many(Math.ceil(size / 3_000), (index) => ({
    type: 'section',
    text: plain(Math.min(3_000, size - index * 3_000)),
  }));
const markdown = (...lengths: readonly number[]) =>
  postBlocks(...lengths.map((length) => ({ type: 'markdown', text: long(length) })));
const cell = (length: number) => ({ type: 'raw_text', text: long(length) });
const chart = { type: 'pie', segments: [{ label: 'x', value: 1 }] };
const push: SlackCall = { method: 'views.push', args: { view: modal([actions(MORE)]) } };

const MESSAGES: readonly LimitCase[] = [
  {
    row: 'blocks per message / modal / Home',
    what: 'blocks of a message',
    most: 50,
    source: DOCS.blocks,
    make: (n) => postBlocks(...dividers(n)),
    word: 'invalid_blocks',
    at: '/blocks',
  },
  {
    // No number is documented: messages of 13,172 characters were refused.
    row: 'sum of all blocks',
    what: 'characters in all blocks',
    most: 13_171,
    source: 'https://github.com/slackapi/bolt-js/issues/2509',
    make: (n) => postBlocks(...text(n)),
    word: 'msg_blocks_too_long',
    at: null,
  },
  {
    row: 'message text',
    what: 'text of an update',
    most: 4_000,
    source: DOCS.method('chat.update'),
    make: (n) => [{ method: 'chat.update', args: { text: long(n) } }],
    word: 'msg_too_long',
    at: null,
  },
  {
    row: 'markdown_text',
    what: 'markdown_text',
    most: 12_000,
    source: DOCS.method('chat.postMessage'),
    make: (n) => post({ markdown_text: long(n) }),
    word: 'msg_too_long',
    at: null,
  },
  {
    row: 'attachments',
    what: 'attachments',
    most: 100,
    source: DOCS.method('chat.postMessage'),
    make: (n) => post({ text: 'x', attachments: many(n, () => ({ text: 'x' })) }),
    word: 'too_many_attachments',
    at: null,
  },
  {
    row: 'markdown',
    what: 'one markdown block',
    most: 12_000,
    source: DOCS.block('markdown'),
    make: (n) => markdown(n),
    word: 'invalid_blocks',
    at: '/blocks/0/text',
  },
  {
    row: 'markdown',
    what: 'all markdown blocks together',
    most: 12_000,
    source: DOCS.block('markdown'),
    make: (n) => markdown(6_000, n - 6_000),
    word: 'invalid_blocks',
    at: '/blocks',
  },
  {
    row: 'table',
    what: 'characters in all cells',
    most: 10_000,
    source: DOCS.block('table'),
    make: (n) => postBlocks({ type: 'table', rows: [[cell(5_000), cell(n - 5_000)]] }),
    word: 'invalid_blocks',
    at: '/blocks',
  },
  {
    row: 'table',
    what: 'characters in all cells of a data table',
    most: 20_000,
    source: FOUND.blocks,
    // A message of so much text is refused for its length, so only the validator shows this limit.
    make: (n) => validate({ type: 'data_table', caption: 'x', rows: [[cell(10_000)], [cell(n - 10_000)]] }),
    word: 'invalid_blocks',
    at: null,
  },
  {
    row: 'table',
    what: 'tables of a message',
    most: 1,
    source: DOCS.block('table'),
    make: (n) => postBlocks(...many(n, () => ({ type: 'table', rows: [[cell(1)]] }))),
    word: 'invalid_attachments',
    at: '/blocks',
  },
  {
    row: 'data_table',
    what: 'tables and data tables of a message',
    most: 1,
    source: DOCS.block('data-table'),
    make: (n) =>
      postBlocks(
        ...[
          { type: 'data_table', caption: 'x', rows: [[cell(1)], [cell(1)]] },
          { type: 'table', rows: [[cell(1)]] },
        ].slice(0, n),
      ),
    word: 'invalid_attachments',
    at: '/blocks',
  },
  {
    row: 'data_visualization',
    what: 'charts of a message',
    most: 2,
    source: DOCS.block('data-visualization'),
    make: (n) => postBlocks(...many(n, () => ({ type: 'data_visualization', title: 'x', chart }))),
    word: 'invalid_blocks',
    at: '/blocks',
  },
  {
    row: 'beyond the notes',
    what: 'plans of a message',
    most: 1,
    source: FOUND.toolkit,
    make: (n) => postBlocks(...many(n, () => ({ type: 'plan', title: 'x', tasks: [] }))),
    word: 'invalid_blocks',
    at: '/blocks',
  },
];

const inView = (
  row: LimitCase['row'],
  most: number,
  at: string,
  change: (size: number) => object,
): Pick<LimitCase, 'row' | 'what' | 'most' | 'source' | 'make' | 'word' | 'at'> => ({
  row,
  what: `${at.slice('/view/'.length)} of a modal`,
  most,
  source: DOCS.modal,
  make: (n) => open(modal([{ type: 'divider' }], change(n))),
  word: 'invalid_arguments',
  at,
});

const VIEWS: readonly LimitCase[] = [
  {
    row: 'blocks per message / modal / Home',
    what: 'blocks of a modal',
    most: 100,
    source: DOCS.blocks,
    make: (n) => open(modal(dividers(n))),
    word: 'invalid_arguments',
    at: '/view/blocks',
  },
  {
    row: 'blocks per message / modal / Home',
    what: 'blocks of the Home',
    most: 100,
    source: DOCS.home,
    make: (n) => publish(home(dividers(n))),
    word: 'invalid_arguments',
    at: '/view/blocks',
  },
  ...(['title', 'submit', 'close'] as const).map((name) => ({
    ...inView('title / submit / close', 24, `/view/${name}/text`, (n) => ({ [name]: plain(n) })),
    least: 1,
  })),
  inView('private_metadata', 3_000, '/view/private_metadata', (n) => ({ private_metadata: long(n) })),
  inView('callback_id', 255, '/view/callback_id', (n) => ({ callback_id: long(n) })),
  // The page has no number for an external id, so it has that of the other ids.
  inView('external_id', 255, '/view/external_id', (n) => ({ external_id: long(n) })),
  {
    row: 'stack',
    what: 'modals on one another',
    most: 3,
    source: 'https://docs.slack.dev/surfaces/modals',
    make: (n) => [...open(modal([actions(MORE)])), ...many(n - 1, () => push)],
    word: 'push_limit_reached',
    at: null,
  },
];

export const PAYLOAD_LIMITS: readonly LimitCase[] = [...MESSAGES, ...VIEWS];
