/** One valid block and one valid element of each type, from its documentation page, and where it may stand. */
import type { Surface } from '../../../../src/sandbox/slack/validate/block-rules.ts';
import {
  actions,
  bars,
  button,
  cell,
  input,
  mrkdwn,
  option,
  plain,
  points,
  richCell,
  section,
} from '../limits/limit-cases.ts';

export type Sample = { readonly type: string } & Record<string, unknown>;
export type Holder = 'actions' | 'section' | 'input';

export const SURFACES: readonly Surface[] = ['message', 'modal', 'home'];
const BUT_MODALS: readonly Surface[] = ['message', 'home'];

export const SAMPLES: readonly { readonly block: Sample; readonly on: readonly Surface[] }[] = [
  { block: actions(button()), on: SURFACES },
  { block: { type: 'context', elements: [plain(1), mrkdwn(1)] }, on: SURFACES },
  { block: bars([{ name: 'x', data: points('a') }], ['a']), on: BUT_MODALS },
  { block: { type: 'divider', block_id: 'a' }, on: SURFACES },
  {
    block: input({ type: 'plain_text_input' }, { hint: plain(1), optional: true, dispatch_action: true }),
    on: SURFACES,
  },
  {
    block: section({ text: mrkdwn(1), fields: [plain(1)], accessory: button(), expand: true }),
    on: SURFACES,
  },
  {
    block: {
      type: 'table',
      rows: [
        [
          cell(1),
          richCell(
            { type: 'text', text: 'x' },
            { type: 'user', user_id: 'U0OPERATOR1' },
            { type: 'date', timestamp: 1_795_168_800, format: '{date}', fallback: 'x' },
          ),
        ],
      ],
      column_settings: [{ align: 'right', is_wrapped: true }],
    },
    on: BUT_MODALS,
  },
];

const ANY: readonly Holder[] = ['actions', 'section', 'input'];
const BUT_ACTIONS: readonly Holder[] = ['section', 'input'];
const placeholder = plain(10);
const options = [option(0), option(1, { description: plain(1) })];
const option_groups = [{ label: plain(1), options }];

export const ELEMENT_SAMPLES: readonly { readonly element: Sample; readonly inside: readonly Holder[] }[] = [
  { element: button({ value: 'v', style: 'danger' }), inside: ['actions', 'section'] },
  { element: { type: 'checkboxes', options, initial_options: [option(0)] }, inside: ANY },
  {
    element: { type: 'external_select', placeholder, min_query_length: 0, initial_option: option(0) },
    inside: ANY,
  },
  {
    element: { type: 'multi_external_select', placeholder, initial_options: [option(0)] },
    inside: BUT_ACTIONS,
  },
  {
    element: { type: 'multi_static_select', placeholder, option_groups, initial_options: [option(0)] },
    inside: BUT_ACTIONS,
  },
  {
    element: {
      type: 'plain_text_input',
      multiline: true,
      max_length: 10,
      initial_value: 'x',
      dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
    },
    inside: ['input'],
  },
  {
    element: { type: 'radio_buttons', options, initial_option: option(0), focus_on_load: true },
    inside: ANY,
  },
  { element: { type: 'static_select', placeholder, options, initial_option: option(0) }, inside: ANY },
  { element: { type: 'timepicker', initial_time: '09:15' }, inside: ANY },
];
