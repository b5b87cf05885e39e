/** One valid element of each type, from its documentation page, and the blocks that may contain it. */
import { mrkdwn, option, picture, plain } from '../limits/limit-cases.ts';

import type { Surface } from './samples.ts';

type Holder = 'actions' | 'section' | 'input';
export type ElementSample = {
  readonly element: { readonly type: string } & Record<string, unknown>;
  readonly inside: readonly Holder[];
  /** docs.slack.dev/reference/block-kit/block-elements; absent: on all surfaces. */
  readonly on?: readonly Surface[];
};

const ANY: readonly Holder[] = ['actions', 'section', 'input'];
const BUT_ACTIONS: readonly Holder[] = ['section', 'input'];
const placeholder = plain(10);
const confirm = { title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1) };
const filter = {
  include: ['public', 'im'],
  exclude_bot_users: true,
  exclude_external_shared_channels: false,
};
const menu = { placeholder, confirm, focus_on_load: false };
const trigger = {
  url: 'https://slack.com/shortcuts/Ft0123ABC456/321',
  customizable_input_parameters: [{ name: 'reason', value: 'kernel' }],
};
const dispatch_action_config = { trigger_actions_on: ['on_enter_pressed', 'on_character_entered'] };
const inBoth: readonly Holder[] = ['actions', 'section'];
const groups = [{ label: plain(1), options: [option(0), option(1)] }];

export const ELEMENT_SAMPLES: readonly ElementSample[] = [
  {
    element: { type: 'button', text: plain(1), url: 'https://example.com', confirm, agent_prompt: 'Help' },
    inside: inBoth,
  },
  {
    element: {
      type: 'workflow_button',
      action_id: 'run',
      text: plain(1),
      workflow: { trigger },
      style: 'primary',
    },
    inside: inBoth,
    on: ['message'],
  },
  { element: { type: 'overflow', options: [option(0)], confirm }, inside: inBoth },
  {
    element: {
      type: 'checkboxes',
      options: [option(0, { text: mrkdwn(1), description: mrkdwn(1) }), option(1)],
      initial_options: [option(1)],
    },
    inside: ANY,
  },
  { element: { type: 'radio_buttons', options: [option(0)], initial_option: option(0) }, inside: ANY },
  {
    element: { type: 'static_select', ...menu, option_groups: groups, initial_option: option(1) },
    inside: ANY,
  },
  {
    element: {
      type: 'multi_static_select',
      ...menu,
      options: [option(0), option(1)],
      initial_options: [option(0)],
      max_selected_items: 2,
    },
    inside: BUT_ACTIONS,
  },
  {
    element: { type: 'external_select', ...menu, min_query_length: 0, initial_option: option(0) },
    inside: ANY,
  },
  { element: { type: 'multi_external_select', ...menu, initial_options: [option(0)] }, inside: BUT_ACTIONS },
  { element: { type: 'users_select', ...menu, initial_user: 'U0OPERATOR1' }, inside: ANY },
  { element: { type: 'multi_users_select', ...menu, initial_users: ['U0OPERATOR1'] }, inside: BUT_ACTIONS },
  { element: { type: 'channels_select', ...menu, initial_channel: 'C0OPS000001' }, inside: ANY },
  {
    element: { type: 'multi_channels_select', ...menu, initial_channels: ['C0OPS000001'] },
    inside: BUT_ACTIONS,
  },
  {
    element: { type: 'conversations_select', ...menu, default_to_current_conversation: true, filter },
    inside: ANY,
  },
  { element: { type: 'multi_conversations_select', ...menu, filter }, inside: BUT_ACTIONS },
  { element: { type: 'datepicker', ...menu, initial_date: '2026-11-20' }, inside: ANY },
  { element: { type: 'timepicker', ...menu, initial_time: '09:30', timezone: 'Europe/Berlin' }, inside: ANY },
  {
    element: { type: 'datetimepicker', initial_date_time: 1_763_629_200 },
    inside: ['actions', 'input'],
    on: ['message', 'modal'],
  },
  {
    element: {
      type: 'rich_text_input',
      action_id: 'words',
      placeholder,
      min_lines: 2,
      max_lines: 10,
      dispatch_action_config,
    },
    inside: ['input'],
    on: ['modal', 'home'],
  },
  {
    element: { type: 'plain_text_input', min_length: 0, initial_value: 'x', dispatch_action_config },
    inside: ['input'],
  },
  {
    element: { type: 'email_text_input', placeholder, initial_value: 'a@example.com' },
    inside: ['input'],
    on: ['modal'],
  },
  {
    element: { type: 'url_text_input', placeholder, initial_value: 'https://example.com' },
    inside: ['input'],
    on: ['modal'],
  },
  {
    element: { type: 'number_input', is_decimal_allowed: true, min_value: '-1', max_value: '1.5' },
    inside: ['input'],
    on: ['modal'],
  },
  { element: { type: 'file_input', filetypes: ['csv'], max_files: 2 }, inside: ['input'], on: ['modal'] },
  { element: { ...picture }, inside: ['section'] },
];
