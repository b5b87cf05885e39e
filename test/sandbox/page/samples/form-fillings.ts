/** A form with every type of input, and how a person fills it in. */
import type { Locator, Page } from 'playwright-core';
import { option, plain } from './messages.ts';

export type FormFilling = {
  readonly label: string;
  readonly element: { readonly type: string } & Readonly<Record<string, unknown>>;
  readonly fill: (block: Locator, page: Page) => Promise<void>;
  /** The entry in `view.state.values`. */
  readonly entry: Readonly<Record<string, unknown>>;
};

const options = [option('one'), option('two')];
const write =
  (words: string): FormFilling['fill'] =>
  (block) =>
    block.getByRole('textbox').fill(words);
const pick =
  (name: string): FormFilling['fill'] =>
  async (block, page) => {
    await block.getByRole('combobox').click();
    await page.getByRole('listbox').getByRole('option', { name, exact: true }).click();
    await page.keyboard.press('Tab');
  };

export const formFillings: readonly FormFilling[] = [
  {
    label: 'Reason',
    element: { type: 'plain_text_input', max_length: 20 },
    fill: write('kernel update'),
    entry: { value: 'kernel update' },
  },
  {
    label: 'Notes',
    element: { type: 'plain_text_input', multiline: true, min_length: 3 },
    fill: write('line one\nline two'),
    entry: { value: 'line one\nline two' },
  },
  {
    label: 'Mail',
    element: { type: 'email_text_input' },
    fill: write('a@b.example'),
    entry: { value: 'a@b.example' },
  },
  {
    label: 'Address',
    element: { type: 'url_text_input' },
    fill: write('https://b.example/'),
    entry: { value: 'https://b.example/' },
  },
  {
    label: 'How many',
    element: { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' },
    fill: write('7'),
    entry: { value: '7' },
  },
  {
    label: 'Rich',
    element: { type: 'rich_text_input' },
    async fill(block, page) {
      await block.getByRole('button', { name: 'Bulleted list' }).click();
      await page.keyboard.type('first');
      await page.keyboard.press('Enter');
      await block.getByRole('button', { name: 'Italic' }).click();
      await page.keyboard.type('second');
    },
    entry: {
      rich_text_value: {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_list',
            style: 'bullet',
            indent: 0,
            elements: [
              { type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] },
              {
                type: 'rich_text_section',
                elements: [{ type: 'text', text: 'second', style: { italic: true } }],
              },
            ],
          },
        ],
      },
    },
  },
  {
    label: 'One',
    element: { type: 'static_select', options },
    fill: pick('Option two'),
    entry: { selected_option: option('two') },
  },
  {
    label: 'Several',
    element: { type: 'multi_static_select', options },
    fill: pick('Option one'),
    entry: { selected_options: [option('one')] },
  },
  {
    label: 'Found',
    element: { type: 'external_select', min_query_length: 0 },
    fill: pick('Option two'),
    entry: { selected_option: option('two') },
  },
  {
    label: 'Several found',
    element: { type: 'multi_external_select', min_query_length: 0 },
    fill: pick('Option one'),
    entry: { selected_options: [option('one')] },
  },
  {
    label: 'Who',
    element: { type: 'users_select' },
    fill: pick('viewer'),
    entry: { selected_user: 'U0VIEWER001' },
  },
  {
    label: 'Several people',
    element: { type: 'multi_users_select' },
    fill: pick('admin'),
    entry: { selected_users: ['U0ADMIN0001'] },
  },
  {
    label: 'Channel',
    element: { type: 'channels_select' },
    fill: pick('#ops'),
    entry: { selected_channel: 'C0OPS000001' },
  },
  {
    label: 'Several channels',
    element: { type: 'multi_channels_select' },
    fill: pick('#random'),
    entry: { selected_channels: ['C0RANDOM001'] },
  },
  {
    label: 'Conversation',
    element: { type: 'conversations_select', default_to_current_conversation: true },
    fill: async () => undefined,
    entry: { selected_conversation: 'C0OPS000001' },
  },
  {
    label: 'Several conversations',
    element: { type: 'multi_conversations_select' },
    fill: pick('#approvals'),
    entry: { selected_conversations: ['C0APPROVALS'] },
  },
  {
    label: 'Day',
    element: { type: 'datepicker' },
    async fill(block, page) {
      await block.getByLabel('Day').focus();
      await page.keyboard.type('11282026');
    },
    entry: { selected_date: '2026-11-28' },
  },
  {
    label: 'Time',
    element: { type: 'timepicker' },
    fill: (block) => block.getByLabel('Time').fill('02:00'),
    entry: { selected_time: '02:00' },
  },
  {
    label: 'When',
    element: { type: 'datetimepicker', initial_date_time: Date.UTC(2026, 10, 20, 15) / 1000 },
    fill: (block) => block.getByLabel('When').fill('2026-11-20T02:30'),
    entry: { selected_date_time: Date.UTC(2026, 10, 20, 1, 30) / 1000 },
  },
  {
    label: 'Also',
    element: { type: 'checkboxes', options },
    fill: (block) => block.getByLabel('Option one').check(),
    entry: { selected_options: [option('one')] },
  },
  {
    label: 'Which',
    element: { type: 'radio_buttons', options },
    fill: (block) => block.getByLabel('Option two').check(),
    entry: { selected_option: option('two') },
  },
];

const idOf = (label: string) => label.toLowerCase().replaceAll(' ', '-');
export const blockIdOf = ({ label }: FormFilling) => idOf(label);

/** The form with these inputs, all of them required. */
export function formWith(some: readonly FormFilling[]) {
  return {
    type: 'modal',
    callback_id: 'all',
    title: plain('Everything'),
    submit: plain('Send'),
    close: plain('Not now'),
    blocks: some.map(({ label, element }) => ({
      type: 'input',
      block_id: idOf(label),
      label: plain(label),
      element: { ...element, action_id: 'a' },
    })),
  };
}
