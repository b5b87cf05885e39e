/** Payloads of every type of element that a message can contain. Every test is named after the page of its element. */
import { describe, expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { answerOf, button, OPERATOR, OPS, section, startWorkspace } from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const ELEMENTS = 'https://docs.slack.dev/reference/block-kit/block-elements';
const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
const option = (value: string) => ({ text: plain(value), value });
const options = [option('one'), option('two')];
const placeholder = plain('Choose');
const confirm = { title: plain('Sure?'), text: plain('Really?'), confirm: plain('Yes'), deny: plain('No') };
const richText = {
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'hi' }] }],
};
const VIEWER = 'U0VIEWER001';

/** Page, element, the person's action, and the fields of `actions` besides ids and time. */
type Row = readonly [page: string, element: Json, value: unknown, action: Json];
const IN_MESSAGES: readonly Row[] = [
  [
    'button-element',
    button('it', { value: 'v', style: 'danger', confirm }),
    undefined,
    { text: plain('it'), value: 'v', style: 'danger', confirm },
  ],
  [
    'button-element',
    button('it', { url: 'https://example.com/' }),
    undefined,
    { text: plain('it'), url: 'https://example.com/' },
  ],
  [
    'checkboxes-element',
    { type: 'checkboxes', options, initial_options: [option('one')] },
    ['two'],
    { selected_options: [option('two')], initial_options: [option('one')] },
  ],
  ['checkboxes-element', { type: 'checkboxes', options }, [], { selected_options: [] }],
  [
    'radio-button-group-element',
    { type: 'radio_buttons', options },
    'two',
    { selected_option: option('two') },
  ],
  [
    'overflow-menu-element',
    { type: 'overflow', options, confirm },
    'one',
    { selected_option: option('one'), confirm },
  ],
  [
    'date-picker-element',
    { type: 'datepicker', initial_date: '2026-11-20', placeholder },
    '2026-12-24',
    { selected_date: '2026-12-24', initial_date: '2026-11-20', placeholder },
  ],
  ['date-picker-element', { type: 'datepicker' }, null, { selected_date: null }],
  [
    'time-picker-element',
    { type: 'timepicker', initial_time: '10:00' },
    '23:59',
    { selected_time: '23:59', initial_time: '10:00' },
  ],
  [
    'datetime-picker-element',
    { type: 'datetimepicker', initial_date_time: 1_790_000_000 },
    1_795_000_000,
    { selected_date_time: 1_795_000_000, initial_date_time: 1_790_000_000 },
  ],
  [
    'select-menu-element',
    { type: 'static_select', options, initial_option: option('one'), placeholder },
    'two',
    { selected_option: option('two'), initial_option: option('one'), placeholder },
  ],
  ['select-menu-element', { type: 'static_select', options }, null, { selected_option: null }],
  [
    'select-menu-element',
    {
      type: 'static_select',
      option_groups: [
        { label: plain('a'), options: [option('one')] },
        { label: plain('b'), options: [option('two')] },
      ],
    },
    'two',
    { selected_option: option('two') },
  ],
  [
    'select-menu-element',
    { type: 'users_select', initial_user: OPERATOR },
    'viewer',
    { selected_user: VIEWER, initial_user: OPERATOR },
  ],
  ['select-menu-element', { type: 'users_select' }, null, { selected_user: null }],
  ['select-menu-element', { type: 'channels_select' }, 'ops', { selected_channel: OPS }],
  ['select-menu-element', { type: 'conversations_select' }, 'ops', { selected_conversation: OPS }],
  [
    'multi-select-menu-element',
    { type: 'multi_static_select', options, placeholder },
    ['one', 'two'],
    { selected_options: options, placeholder },
  ],
  [
    'multi-select-menu-element',
    { type: 'multi_users_select' },
    ['viewer', OPERATOR],
    { selected_users: [VIEWER, OPERATOR] },
  ],
  ['multi-select-menu-element', { type: 'multi_channels_select' }, ['ops'], { selected_channels: [OPS] }],
  ['multi-select-menu-element', { type: 'multi_conversations_select' }, [], { selected_conversations: [] }],
];
const IN_INPUTS: readonly Row[] = [
  ['plain-text-input-element', { type: 'plain_text_input' }, 'typed', { value: 'typed' }],
  ['plain-text-input-element', { type: 'plain_text_input' }, '', { value: null }],
];
/** Their pages allow them in modals only, or in modals and the Home. */
const IN_MODALS: readonly Row[] = [
  ['email-input-element', { type: 'email_text_input' }, 'a@b.example', { value: 'a@b.example' }],
  ['url-input-element', { type: 'url_text_input' }, 'https://b.example', { value: 'https://b.example' }],
  ['number-input-element', { type: 'number_input', is_decimal_allowed: true }, 1.5, { value: '1.5' }],
  ['rich-text-input-element', { type: 'rich_text_input' }, richText, { rich_text_value: richText }],
];
const HOLDS_NOTHING = ['button', 'overflow', 'icon_button', 'feedback_buttons'];

/** Uses a message of one block; returns the payload. */
async function used(block: Json, value: unknown) {
  const { workspace } = await startWorkspace();
  const bot = await startRawBot(workspace);
  const posted = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'x', blocks: [block] });
  expect(posted).toMatchObject({ ok: true });
  const place = { user: 'operator', channel: 'ops', ts: String(posted['ts']), action_id: 'it' };
  expect(await workspace.click({ ...place, value })).toEqual({ ok: true });
  return bot.last();
}

/** Uses an input of a modal that dispatches its actions; returns the payload. */
async function usedInModal(element: Json, value: unknown) {
  const { workspace } = await startWorkspace({ scopes: ['commands'] });
  const bot = await startRawBot(workspace);
  const command = await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
  const input = { type: 'input', block_id: 'row', label: plain('it'), dispatch_action: true };
  const blocks = [{ ...input, element: { ...element, action_id: 'it' } }];
  const view = { type: 'modal', title: plain('T'), submit: plain('S'), blocks };
  const trigger_id = command.ok ? command.trigger_id : '';
  const opened = await answerOf(workspace, 'views.open', { trigger_id, view });
  const { id: view_id } = opened['view'] as { id: string }; // the view was opened
  const place = { user: 'operator', channel: '', ts: '', view_id, action_id: 'it' };
  expect(await workspace.click({ ...place, value })).toEqual({ ok: true });
  return bot.last();
}

const ids = { action_id: 'it', block_id: 'row', action_ts: expect.stringMatching(/^\d+\.\d{6}$/) };

describe('elements of a message', () => {
  it.each(IN_MESSAGES)(`${ELEMENTS}/%s %j with %j`, async (_page, element, value, action) => {
    const accessory = { ...element, action_id: 'it' };
    const type = String(element['type']);
    // Menus for many are refused in actions.
    const block = type.startsWith('multi_')
      ? section('x', { accessory })
      : { type: 'actions', elements: [accessory] };
    const payload = await used({ ...block, block_id: 'row' }, value);
    expect(payload['actions']).toEqual([{ type, ...action, ...ids }]);
    const chosen = Object.entries(action).filter(([name]) => name.startsWith('selected_'));
    const values = HOLDS_NOTHING.includes(type)
      ? {}
      : { row: { it: { type, ...Object.fromEntries(chosen) } } };
    expect(payload['state']).toEqual({ values });
  });

  it.each(IN_INPUTS)(`${ELEMENTS}/%s %j with %j`, async (_page, element, value, action) => {
    const input = { type: 'input', block_id: 'row', label: plain('it'), dispatch_action: true };
    const payload = await used({ ...input, element: { ...element, action_id: 'it' } }, value);
    const type = String(element['type']);
    expect(payload['actions']).toEqual([{ type, ...action, ...ids }]);
    expect(payload['state']).toEqual({ values: { row: { it: { type, ...action } } } });
  });

  it.each(IN_MODALS)(`${ELEMENTS}/%s %j with %j`, async (_page, element, value, action) => {
    const payload = await usedInModal(element, value);
    const type = String(element['type']);
    expect(payload['actions']).toEqual([{ type, ...action, ...ids }]);
    expect(payload['view']).toMatchObject({ state: { values: { row: { it: { type, ...action } } } } });
  });

  it.each([
    ['good', plain('+')],
    ['bad', plain('-')],
  ])(`${ELEMENTS}/feedback-buttons-element with %s`, async (value, text) => {
    const element = {
      type: 'feedback_buttons',
      action_id: 'it',
      positive_button: { text: plain('+'), value: 'good' },
      negative_button: { text: plain('-'), value: 'bad' },
    };
    const payload = await used({ type: 'context_actions', block_id: 'row', elements: [element] }, value);
    expect(payload['actions']).toEqual([{ type: 'feedback_buttons', text, value, ...ids }]);
  });

  it(`${ELEMENTS}/icon-button-element`, async () => {
    const element = {
      type: 'icon_button',
      icon: 'trash',
      text: plain('Delete'),
      value: 'v',
      action_id: 'it',
    };
    const payload = await used({ type: 'context_actions', block_id: 'row', elements: [element] }, undefined);
    expect(payload['actions']).toEqual([
      { type: 'icon_button', icon: 'trash', text: plain('Delete'), value: 'v', ...ids },
    ]);
  });
});

describe('elements of a modal', () => {
  /** Opens a modal by a command in #ops and submits it; returns the state of its one element. */
  async function submitted(element: Json, value?: unknown) {
    const { workspace } = await startWorkspace({ scopes: ['commands', 'files:write', 'chat:write'] });
    const bot = await startRawBot(workspace);
    const upload = await answerOf(workspace, 'files.getUploadURLExternal', { filename: 'a.txt', length: 2 });
    await fetch(String(upload['upload_url']), { method: 'POST', body: 'hi' });
    const files = [{ id: upload['file_id'] }];
    await answerOf(workspace, 'files.completeUploadExternal', { files });
    const given = value === 'the file' ? [upload['file_id']] : value;
    const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: '' };
    const command = await workspace.command(asking);
    const blocks = [
      { type: 'input', block_id: 'row', label: plain('it'), element: { ...element, action_id: 'it' } },
    ];
    const view = { type: 'modal', title: plain('T'), submit: plain('S'), blocks };
    const trigger_id = command.ok ? command.trigger_id : '';
    const opened = await answerOf(workspace, 'views.open', { trigger_id, view });
    const { id: view_id } = opened['view'] as { id: string }; // the view was opened
    const values = given === undefined ? {} : { row: { it: given } };
    const answer = await workspace.submit({ user: 'operator', view_id, values });
    return { answer, entry: bot.last()['view'] };
  }
  const said = (entry: Json) => ({ state: { values: { row: { it: entry } } } });

  it.each([
    [{ type: 'conversations_select' }, { selected_conversation: OPS }],
    [{ type: 'multi_conversations_select' }, { selected_conversations: [OPS] }],
    [
      { type: 'conversations_select', initial_conversation: 'C0RANDOM001' },
      { selected_conversation: 'C0RANDOM001' },
    ],
    [
      { type: 'multi_conversations_select', initial_conversations: ['C0RANDOM001'] },
      { selected_conversations: [OPS] },
    ],
  ])(`${ELEMENTS}/select-menu-element %j begins with the conversation`, async (element, chosen) => {
    const { entry } = await submitted({ ...element, default_to_current_conversation: true });
    expect(entry).toMatchObject(said({ type: element.type, ...chosen }));
  });

  it(`${ELEMENTS}/time-picker-element`, async () => {
    const zoned = { type: 'timepicker', timezone: 'America/Chicago' };
    const { answer, entry } = await submitted({ ...zoned, initial_time: '09:15' });
    expect(answer).toEqual({ ok: true });
    expect(entry).toMatchObject(said({ ...zoned, selected_time: '09:15' }));
    expect((await submitted(zoned)).answer).toMatchObject({ error: 'invalid_input' });
  });

  it(`${ELEMENTS}/file-input-element`, async () => {
    const { answer, entry } = await submitted({ type: 'file_input', max_files: 1 }, 'the file');
    expect(answer).toEqual({ ok: true });
    expect(entry).toMatchObject(
      said({ type: 'file_input', files: [expect.objectContaining({ name: 'a.txt', size: 2 })] }),
    );
  });

  it.each([
    ['an unknown file', ['F0NOTHING']],
    ['a word', 'file'],
  ])(`${ELEMENTS}/file-input-element refuses %s`, async (_what, value) => {
    const { answer } = await submitted({ type: 'file_input' }, value);
    expect(answer).toEqual({ ok: false, error: 'invalid_value' });
  });

  it.each([
    [{ type: 'file_input', filetypes: ['png', 'jpg'] }, 'the file', false],
    [{ type: 'file_input', filetypes: ['TXT'] }, 'the file', true],
    [{ type: 'multi_static_select', options, max_selected_items: 1 }, ['one', 'two'], false],
    [{ type: 'multi_static_select', options, max_selected_items: 2 }, ['one', 'two'], true],
  ])(`${ELEMENTS} %j with %j: %s`, async (element, value, ok) => {
    expect((await submitted(element, value)).answer).toMatchObject({ ok });
  });
});
