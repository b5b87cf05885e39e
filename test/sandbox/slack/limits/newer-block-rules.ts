/** Rules of containers, charts, lists, code and dates in a message, from the documentation and from what others saw. */
import { bars, points, section } from './block-rules.ts';
import { actions, DOCS, FOUND, input, plain } from './limit-cases.ts';
import { inMessage, type RuleCase } from './rule-cases.ts';

const date = (initial_date: string) => actions({ type: 'datepicker', action_id: 'a', initial_date });
const time = (initial_time: string) => actions({ type: 'timepicker', action_id: 'a', initial_time });
const code = (element: object) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [element] }],
});
const container = (change: object) => ({
  type: 'container',
  title: plain(1),
  child_blocks: [section()],
  ...change,
});

export const NEWER_BLOCK_RULES: readonly RuleCase[] = [
  inMessage(
    'beyond the notes',
    'a container that can be opened when it begins closed',
    DOCS.block('container'),
    [container({ is_collapsible: true, default_collapsed: true }), container({ default_collapsed: true })],
    '/default_collapsed',
  ),
  inMessage(
    'beyond the notes',
    'a divider of the header, or a container that can be closed',
    'https://github.com/slackapi/python-slack-sdk/pull/1949',
    [container({ has_header_divider: true }), container({ has_header_divider: true, is_collapsible: true })],
    '/has_header_divider',
  ),
  inMessage(
    'beyond the notes',
    'each category once',
    FOUND.blocks,
    [
      bars([{ name: 'x', data: [...points('a'), ...points('b')] }], ['a', 'b']),
      bars([{ name: 'x', data: [...points('a'), ...points('a')] }], ['a', 'a']),
    ],
    '/chart/axis_config/categories',
  ),
  inMessage(
    'rich_text',
    'a style for a list, which may be empty',
    'https://github.com/slackapi/python-slack-sdk/pull/1576',
    [
      { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: [] }] },
      { type: 'rich_text', elements: [{ type: 'rich_text_list', elements: [] }] },
    ],
    '/elements/0',
  ),
  inMessage(
    'beyond the notes',
    'no container in a container',
    DOCS.block('container'),
    [
      { type: 'container', title: plain(1), child_blocks: [section()] },
      {
        type: 'container',
        title: plain(1),
        child_blocks: [{ type: 'container', title: plain(1), child_blocks: [section()] }],
      },
    ],
    '/child_blocks/0/type',
  ),
  inMessage(
    'beyond the notes',
    'only text and links in a code block',
    DOCS.element('rich-text-preformatted'),
    [code({ type: 'link', url: 'https://a.b' }), code({ type: 'user', user_id: 'U01' })],
    '/elements/0/elements/0/type',
  ),
  inMessage(
    'beyond the notes',
    'videos over HTTPS',
    DOCS.block('video'),
    [
      {
        type: 'video',
        video_url: 'https://a.b',
        thumbnail_url: 'http://a.b',
        alt_text: 'x',
        title: plain(1),
      },
      { type: 'video', video_url: 'http://a.b', thumbnail_url: 'http://a.b', alt_text: 'x', title: plain(1) },
    ],
    '/video_url',
  ),
  inMessage(
    'beyond the notes',
    'dates of the calendar',
    DOCS.element('date-picker'),
    [date('2026-11-20'), date('2026-13-20')],
    '/elements/0/initial_date',
  ),
  inMessage(
    'beyond the notes',
    'times of the day',
    DOCS.element('time-picker'),
    [time('23:59'), time('24:00')],
    '/elements/0/initial_time',
  ),
  inMessage(
    'beyond the notes',
    'files in modals only',
    DOCS.element('file-input'),
    [input({ type: 'plain_text_input' }), input({ type: 'file_input' })],
    '/element/type',
  ),
];
