/** One valid block of each type, from its documentation page, and where it is allowed. */
import { actions, button, input, mrkdwn, option, picture, plain } from '../limits/limit-cases.ts';

export type Surface = 'message' | 'modal' | 'home';
export type Sample = {
  readonly block: { readonly type: string } & Record<string, unknown>;
  /** docs.slack.dev/blocks.json; differences have a comment. */
  readonly on: readonly Surface[];
};

const EVERYWHERE: readonly Surface[] = ['message', 'modal', 'home'];
/** All of docs.slack.dev/reference/block-kit/block-elements/rich-text-section-element. */
export const RICH_TEXT_ELEMENTS = [
  { type: 'text', text: 'Patched ', style: { bold: true, italic: true, strike: true, code: true } },
  { type: 'link', url: 'https://example.com', text: 'web-01', unsafe: false, style: { bold: true } },
  { type: 'user', user_id: 'U0OPERATOR1' },
  { type: 'usergroup', usergroup_id: 'S0OPERATORS' },
  { type: 'channel', channel_id: 'C0OPS000001', style: { bold: true } },
  { type: 'emoji', name: 'wave', unicode: '1f44b' },
  { type: 'broadcast', range: 'here' },
  { type: 'color', value: '#F405B3' },
  { type: 'date', timestamp: 1_720_710_212, format: '{date_num} at {time}', fallback: 'some day' },
  { type: 'team', team_id: 'T0000000001' },
  {
    type: 'attachment_mention',
    url: 'https://example.com',
    text: 'x',
    app_id: 'A01',
    ts: '1720710212.000100',
  },
  { type: 'canvas', file_id: 'F01', label: 'x', hide_title: true, section_id: 'x', text: 'x' },
  { type: 'canvas_message_unfurl', root_message_ts: '1720710212', root_message_channel: 'C01' },
  { type: 'canvas_user_mention', user_id: 'U01', thread_id: 'x' },
  { type: 'citation', url: 'https://example.com', text: 'x', index: 1, details: { citation_type: 'web' } },
  { type: 'file', file_id: 'F01', text: 'x' },
  { type: 'list_record', file_id: 'F01', record_id: 'x' },
  { type: 'message_mention', channel_id: 'C01', message_ts: '1720710212.000100' },
  { type: 'salesforce_data_field', salesforce_record_id: 'x' },
  { type: 'tag', text: 'x', color: 'gray' },
  { type: 'work_object_mention', entity_id: 'x', app_id: 'A01', text: 'x', url: 'https://example.com' },
  { type: 'workflow_mention', workflow_id: 'Wf01', function_trigger_id: 'Ft01', text: 'x' },
];
const textSample = { type: 'rich_text_section', elements: RICH_TEXT_ELEMENTS };
const richText = (block_id?: string) => ({
  type: 'rich_text',
  ...(block_id === undefined ? {} : { block_id }),
  elements: [
    textSample,
    { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, border: 0, elements: [textSample] },
    { type: 'rich_text_quote', border: 1, elements: RICH_TEXT_ELEMENTS },
    { type: 'rich_text_preformatted', border: 0, language: 'sh', elements: [{ type: 'text', text: 'ls' }] },
  ],
});
const card = {
  type: 'card',
  icon: picture,
  title: mrkdwn(10),
  subtitle: mrkdwn(10),
  hero_image: picture,
  body: mrkdwn(10),
  subtext: mrkdwn(10),
  actions: [button()],
};
const task = {
  type: 'task_card',
  task_id: 'task_1',
  title: 'Reading the queue',
  status: 'in_progress',
  details: richText(),
  output: richText(),
  sources: [{ type: 'url', url: 'https://example.com', text: 'example.com' }],
  icon: { type: 'icon', name: 'check' },
  hide_title: true,
};
const cell = (text: string) => ({ type: 'raw_text', text });
const number = { type: 'raw_number', value: 4, text: '4' };

export const SAMPLES: readonly Sample[] = [
  { block: { ...actions(button({ style: 'danger', value: 'v' }), overflow()) }, on: EVERYWHERE },
  { block: { type: 'alert', text: mrkdwn(10), level: 'warning' }, on: ['modal'] },
  // In a modal it was seen not to be drawn.
  { block: card, on: EVERYWHERE },
  {
    block: { type: 'carousel', elements: [card, { type: 'card', title: mrkdwn(1) }] },
    on: ['message', 'home'],
  },
  {
    block: {
      type: 'container',
      title: plain(10),
      subtitle: mrkdwn(10),
      icon: picture,
      width: 'wide',
      is_collapsible: true,
      default_collapsed: true,
      child_blocks: [{ type: 'section', text: mrkdwn(1) }, { type: 'divider' }, actions(button())],
    },
    on: ['message', 'home'],
  },
  { block: { type: 'context', elements: [picture, mrkdwn(10), plain(10)] }, on: EVERYWHERE },
  {
    block: {
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'feedback',
          positive_button: { text: plain(1), value: 'y', accessibility_label: 'good' },
          negative_button: { text: plain(1), value: 'n' },
        },
        { type: 'icon_button', action_id: 'delete', icon: 'trash', text: plain(6), value: 'delete' },
      ],
    },
    on: ['message'],
  },
  {
    // In the Home it was seen not to be drawn.
    block: {
      type: 'data_table',
      caption: 'Devices',
      page_size: 5,
      row_header_column_index: 0,
      rows: [
        [cell('Name'), cell('Patches')],
        [richText('name'), number],
      ],
    },
    on: ['message', 'home'],
  },
  {
    block: {
      type: 'data_visualization',
      title: 'Patches by week',
      chart: {
        type: 'line',
        series: [{ name: 'Linux', data: [point('1'), point('2')] }],
        axis_config: { categories: ['1', '2'], x_label: 'Week', y_label: 'Patches' },
      },
    },
    on: ['message', 'home'],
  },
  { block: { type: 'divider' }, on: EVERYWHERE },
  // For files that were added before, which this workspace cannot do.
  { block: { type: 'file', source: 'remote', external_id: 'x' }, on: [] },
  { block: { type: 'header', text: { ...plain(10), emoji: true }, level: 2 }, on: EVERYWHERE },
  { block: { ...picture, title: plain(10) }, on: EVERYWHERE },
  {
    block: input(
      { type: 'plain_text_input', multiline: true, max_length: 100, placeholder: plain(1) },
      { optional: true, hint: plain(1) },
    ),
    on: EVERYWHERE,
  },
  { block: { type: 'markdown', text: '# Title\n\n- one\n- two' }, on: ['message'] },
  { block: { type: 'plan', title: 'Scanning', tasks: [task] }, on: ['message'] },
  { block: richText(), on: EVERYWHERE },
  {
    block: {
      type: 'section',
      text: { ...mrkdwn(10), verbatim: true },
      fields: [plain(10), mrkdwn(10)],
      accessory: picture,
      expand: true,
    },
    on: EVERYWHERE,
  },
  {
    // In the Home it was seen not to be drawn.
    block: {
      type: 'table',
      column_settings: [{ is_wrapped: true }, {}, { align: 'right' }],
      rows: [
        [cell('Name'), cell('Patches'), cell('Note')],
        [richText(), number, cell('none')],
      ],
    },
    on: ['message', 'home'],
  },
  { block: task, on: ['message'] },
  {
    block: {
      type: 'video',
      title: plain(10),
      title_url: 'https://example.com/watch',
      description: plain(10),
      video_url: 'https://example.com/embed',
      alt_text: 'A film',
      thumbnail_url: 'https://example.com/a.png',
      author_name: 'Somebody',
      provider_name: 'Somewhere',
      provider_icon_url: 'https://example.com/b.png',
    },
    on: EVERYWHERE,
  },
];

function overflow() {
  return {
    type: 'overflow',
    action_id: 'more',
    options: [option(0, { url: 'https://example.com', description: plain(1) })],
    confirm: { title: plain(1), text: mrkdwn(1), confirm: plain(1), deny: plain(1), style: 'danger' },
  };
}

function point(label: string) {
  return { label, value: -0.5 };
}
