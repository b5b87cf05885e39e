/** Payloads of every type of element, in messages and in modals. Every test is named after the page of its element. */
import { describe, expect, it } from 'vitest';
import { startWithBot } from '../harness/bots.ts';
import { answerOf, button, OPS, section } from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const ELEMENTS = 'https://docs.slack.dev/reference/block-kit/block-elements';
const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
const option = (value: string) => ({ text: plain(value), value });
const options = [option('one'), option('two')];
const placeholder = plain('Choose');
const confirm = { title: plain('Sure?'), text: plain('Really?'), confirm: plain('Yes'), deny: plain('No') };
const option_groups = ['one', 'two'].map((value) => ({ label: plain(value), options: [option(value)] }));

/** Page, element, the person's action, and the fields of `actions` besides ids and time. */
type Row = readonly [page: string, element: Json, value: unknown, action: Json];
const ROWS: readonly Row[] = [
  [
    'button-element',
    button('it', { value: 'v', style: 'danger', confirm }),
    undefined,
    { text: plain('it'), value: 'v', style: 'danger', confirm },
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
    'time-picker-element',
    { type: 'timepicker', initial_time: '10:00' },
    '23:59',
    { selected_time: '23:59', initial_time: '10:00' },
  ],
  [
    'select-menu-element',
    { type: 'static_select', options, initial_option: option('one'), placeholder },
    option('two'),
    { selected_option: option('two'), initial_option: option('one'), placeholder },
  ],
  ['select-menu-element', { type: 'static_select', options }, null, { selected_option: null }],
  [
    'select-menu-element',
    { type: 'static_select', option_groups },
    'two',
    { selected_option: option('two') },
  ],
  [
    'multi-select-menu-element',
    { type: 'multi_static_select', options, placeholder },
    ['one', 'two'],
    { selected_options: options, placeholder },
  ],
  ['plain-text-input-element', { type: 'plain_text_input' }, 'typed', { value: 'typed' }],
  ['plain-text-input-element', { type: 'plain_text_input' }, '', { value: null }],
];

/** The block that can hold the element. */
function blockAround(element: Json): Json {
  const type = String(element['type']);
  const named = { ...element, action_id: 'it' };
  if (type === 'plain_text_input')
    return { type: 'input', block_id: 'row', label: plain('it'), dispatch_action: true, element: named };
  // Menus for many are refused in actions.
  return type.startsWith('multi_')
    ? section('x', { block_id: 'row', accessory: named })
    : { type: 'actions', block_id: 'row', elements: [named] };
}

const ids = { action_id: 'it', block_id: 'row', action_ts: expect.stringMatching(/^\d+\.\d{6}$/) };

describe('elements', () => {
  it.each(ROWS)(`${ELEMENTS}/%s %j with %j`, async (_page, element, value, action) => {
    const { workspace, bot } = await startWithBot();
    const type = String(element['type']);
    const said = Object.entries(action).filter(
      ([name]) => name.startsWith('selected_') || (type === 'plain_text_input' && name === 'value'),
    );
    const values = type === 'button' ? {} : { row: { it: { type, ...Object.fromEntries(said) } } };
    const blocks = [blockAround(element)];

    const posted = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'x', blocks });
    const inMessage = { channel: 'ops', ts: String(posted['ts']) };
    expect(await workspace.click({ user: 'operator', ...inMessage, action_id: 'it', value })).toEqual({
      ok: true,
    });
    expect(bot.last()['actions']).toEqual([{ type, ...action, ...ids }]);
    expect(bot.last()['state']).toEqual({ values });

    const command = await workspace.command({
      user: 'operator',
      channel: 'ops',
      command: '/fleet',
      text: '',
    });
    const trigger_id = command.ok ? command.trigger_id : '';
    const view = { type: 'modal', title: plain('T'), submit: plain('S'), blocks };
    const opened = await answerOf(workspace, 'views.open', { trigger_id, view });
    const { id: view_id } = opened['view'] as { id: string }; // the view was opened
    const inView = { channel: '', ts: '', view_id };
    expect(await workspace.click({ user: 'operator', ...inView, action_id: 'it', value })).toEqual({
      ok: true,
    });
    expect(bot.last()['actions']).toEqual([{ type, ...action, ...ids }]);
    expect(bot.last()['view']).toMatchObject({ state: { values } });
  });
});
