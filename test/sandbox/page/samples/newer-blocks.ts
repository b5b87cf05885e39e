/** One block of each newer type, as the bot may send them. */
import { mrkdwn, option, plain } from './messages.ts';

const section = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
const rich = (text: string) => ({ type: 'rich_text', elements: [section(text)] });
const raw = (text: string) => ({ type: 'raw_text', text });
const number = (value: number) => ({ type: 'raw_number', value, text: `${value} %` });
const image = (alt_text: string) => ({ type: 'image', image_url: 'https://example.com/a.png', alt_text });
const button = (action_id: string, text: string, more: Record<string, unknown> = {}) => ({
  type: 'button',
  action_id,
  text: plain(text),
  ...more,
});
const WEEKS = ['Week 43', 'Week 44', 'Week 45', 'Week 46'];
const series = (name: string, values: readonly number[]) => ({
  name,
  data: WEEKS.map((label, at) => ({ label, value: values[at] ?? 0 })),
});
const plotted = (type: string) => ({
  type,
  series: [series('Linux', [4, 9, 6, 12]), series('Windows', [11, 7, 3, 5])],
  axis_config: { categories: WEEKS, x_label: 'Week', y_label: 'Failures' },
});
const chart = (title: string, content: unknown) => ({ type: 'data_visualization', title, chart: content });

export const charts: readonly unknown[] = [
  chart('Failures by system', {
    type: 'pie',
    segments: [
      { label: 'Linux', value: 31 },
      { label: 'Windows', value: 26 },
      { label: 'macOS', value: 4 },
    ],
  }),
  chart('Failures by week', plotted('bar')),
  chart('Failures by week, as a line', plotted('line')),
  chart('Failures by week, as an area', plotted('area')),
];

const card = (at: number) => ({
  type: 'card',
  block_id: `card-${at}`,
  hero_image: image(`Rack ${at}`),
  slack_icon: { type: 'icon', name: 'rocket' },
  title: mrkdwn(`*web-0${at}*`),
  subtitle: mrkdwn('Debian 12'),
  body: mrkdwn('Three patches are missing; the newest is two days old.'),
  actions: [button(`open-${at}`, 'Open', { style: 'primary' }), button(`hide-${at}`, 'Hide')],
});

export const tables: readonly unknown[] = [
  {
    type: 'data_table',
    block_id: 'n1',
    caption: 'Devices by failures',
    page_size: 3,
    row_header_column_index: 0,
    rows: [
      [raw('Device'), raw('Failing')],
      [raw('web-10'), number(9)],
      [raw('web-2'), number(31)],
      [raw('db-01'), number(4)],
      [raw('mail-01'), number(12)],
    ],
  },
];

export const cards: readonly unknown[] = [
  { ...card(1), block_id: 'n2' },
  { type: 'carousel', block_id: 'n3', elements: [card(2), card(3), card(4), card(5)] },
  {
    type: 'container',
    block_id: 'n4',
    title: plain('Maintenance tonight'),
    subtitle: mrkdwn('22:00 to 23:00'),
    icon: image('A wrench'),
    is_collapsible: true,
    child_blocks: [
      { type: 'section', block_id: 'n5', text: mrkdwn('Four devices of *Linux servers* restart.') },
      { type: 'actions', block_id: 'n6', elements: [button('skip', 'Skip it', { style: 'danger' })] },
    ],
  },
  {
    type: 'plan',
    block_id: 'n7',
    title: 'Patching web-01',
    tasks: [
      { type: 'task_card', task_id: 't1', title: 'Read what is missing', status: 'complete' },
      {
        type: 'task_card',
        task_id: 't2',
        title: 'Install 3 patches',
        status: 'in_progress',
        details: rich('2 of 3 are installed'),
        sources: [{ type: 'url', url: 'https://example.com/kb', text: 'KB5031356' }],
      },
      { type: 'task_card', task_id: 't3', title: 'Restart', status: 'pending' },
    ],
  },
  {
    type: 'task_card',
    block_id: 'n8',
    task_id: 't4',
    title: 'Verify',
    status: 'error',
    output: rich('The device did not answer'),
  },
  {
    type: 'video',
    block_id: 'n9',
    title: plain('How a patch is approved'),
    title_url: 'https://example.com/video',
    description: plain('Two minutes'),
    video_url: 'https://example.com/embed',
    thumbnail_url: 'https://example.com/thumb.png',
    alt_text: 'A card with two buttons',
    provider_name: 'Example',
    author_name: 'Ada',
  },
  { type: 'file', block_id: 'n10', external_id: 'report-2026-11', source: 'remote' },
  {
    type: 'context_actions',
    block_id: 'n11',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'helped',
        positive_button: { text: plain('Good answer'), value: 'up' },
        negative_button: { text: plain('Bad answer'), value: 'down' },
      },
      { type: 'icon_button', action_id: 'delete', icon: 'trash', text: plain('Delete') },
      {
        type: 'icon_button',
        action_id: 'secret',
        icon: 'trash',
        text: plain('Not for you'),
        visible_to_user_ids: ['U0NOBODY'],
      },
    ],
  },
];

export const texts: readonly unknown[] = [
  {
    type: 'rich_text',
    block_id: 'n12',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'broadcast', range: 'here' },
          { type: 'text', text: ' at ' },
          { type: 'date', timestamp: 1_795_183_400, format: '{date_short_pretty} {time}', fallback: 'soon' },
          { type: 'text', text: ' in ' },
          { type: 'color', value: '#e01e5a' },
          { type: 'text', text: ' ' },
          { type: 'emoji', name: 'wave', skin_tone: 3 },
          { type: 'text', text: ' gone', style: { strike: true } },
        ],
      },
      { type: 'rich_text_list', style: 'ordered', elements: [section('first'), section('second')] },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section('deeper')] },
      { type: 'rich_text_list', style: 'ordered', offset: 2, elements: [section('third')] },
    ],
  },
  {
    type: 'markdown',
    block_id: 'n13',
    text: '# One\n### Three\n1. first\n   - inner *one*\n   - inner two\n2. second\n\n- [x] done\n- [ ] open\n\n| Device | Failing |\n|:--|--:|\n| `web-01` | 3 |\n| web-02 \\| b | **12** |\n\nSee ![a picture](https://example.com/x.png) and https://example.com/y.',
  },
  {
    type: 'section',
    block_id: 'n14',
    text: mrkdwn(Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join('\n')),
    accessory: { type: 'overflow', action_id: 'more', options: [option('1')] },
  },
];

/** Modals and the Home only. */
export const alerts: readonly unknown[] = ['default', 'info', 'success', 'warning', 'error'].map((level) => ({
  type: 'alert',
  block_id: `alert-${level}`,
  level,
  text: mrkdwn(`An alert of the level *${level}*`),
}));
