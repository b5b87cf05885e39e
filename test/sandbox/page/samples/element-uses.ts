/** Every type of element: how a person uses it, and what the bot must receive. */

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { mrkdwn, option, plain } from './messages.ts';

export type ElementScenario = {
  readonly element: { readonly type: string } & Readonly<Record<string, unknown>>;
  /** Uses the element as a person would. */
  readonly use: (parts: { readonly page: Page; readonly within: Locator }) => Promise<void>;
  /** The action's fields, and the state of the element. */
  readonly told: Readonly<Record<string, unknown>>;
};

const options = [option('one'), option('two'), option('three')];
const two = { selected_option: option('two') };
const pickFrom =
  (query: string, name: string): ElementScenario['use'] =>
  async ({ page, within }) => {
    const field = within.getByRole('combobox');
    await field.click();
    if (query !== '') await field.pressSequentially(query);
    await page.getByRole('listbox').getByRole('option', { name }).click();
  };
const typeIn =
  (words: string): ElementScenario['use'] =>
  async ({ page, within }) => {
    await within.getByRole('textbox').fill(words);
    await page.keyboard.press('Enter');
  };

/** Elements that dispatch on their own, in an actions block, a section or a context_actions block. */
export const menus: readonly ElementScenario[] = [
  { element: { type: 'static_select', options }, use: pickFrom('tw', 'Option two'), told: two },
  {
    element: {
      type: 'static_select',
      option_groups: [
        { label: plain('First'), options: [option('one')] },
        { label: plain('Second'), options: [option('two')] },
      ],
    },
    use: pickFrom('', 'Option two'),
    told: two,
  },
  {
    element: { type: 'multi_static_select', options, max_selected_items: 2 },
    async use({ page, within }) {
      await pickFrom('', 'Option one')({ page, within });
      await page.getByRole('option', { name: 'Option three' }).click();
    },
    told: { selected_options: [option('one'), option('three')] },
  },
  {
    element: { type: 'external_select', min_query_length: 1 },
    use: pickFrom('w', 'Option two'),
    told: two,
  },
  {
    element: { type: 'multi_external_select', min_query_length: 0 },
    use: pickFrom('', 'Option two'),
    told: { selected_options: [option('two')] },
  },
  {
    element: { type: 'users_select' },
    use: pickFrom('view', 'viewer'),
    told: { selected_user: 'U0VIEWER001' },
  },
  {
    element: { type: 'multi_users_select', initial_users: ['U0ADMIN0001'] },
    use: pickFrom('view', 'viewer'),
    told: { selected_users: ['U0ADMIN0001', 'U0VIEWER001'] },
  },
  {
    element: { type: 'channels_select' },
    use: pickFrom('rand', '#random'),
    told: { selected_channel: 'C0RANDOM001' },
  },
  {
    element: { type: 'multi_channels_select' },
    use: pickFrom('rand', '#random'),
    told: { selected_channels: ['C0RANDOM001'] },
  },
  {
    element: { type: 'conversations_select' },
    use: pickFrom('appro', '#approvals'),
    told: { selected_conversation: 'C0APPROVALS' },
  },
  {
    element: { type: 'multi_conversations_select', default_to_current_conversation: true },
    use: pickFrom('appro', '#approvals'),
    told: { selected_conversations: ['C0OPS000001', 'C0APPROVALS'] },
  },
  {
    element: { type: 'datepicker', initial_date: '2026-11-20' },
    use: ({ within }) => within.getByTitle('Select a date').fill('2026-12-01'),
    told: { selected_date: '2026-12-01' },
  },
  {
    element: { type: 'timepicker' },
    use: ({ within }) => within.getByTitle('Select a time').fill('14:07'),
    told: { selected_time: '14:07' },
  },
];

export const choices: readonly ElementScenario[] = [
  {
    element: { type: 'checkboxes', options, initial_options: [option('one')] },
    use: ({ within }) => within.getByLabel('Option three').check(),
    told: { selected_options: [option('one'), option('three')] },
  },
  {
    element: { type: 'radio_buttons', options },
    use: ({ within }) => within.getByLabel('Option two').check(),
    told: two,
  },
];

export const buttons: readonly ElementScenario[] = [
  {
    element: { type: 'button', text: plain('Press'), value: 'v1', style: 'primary' },
    use: ({ within }) => within.getByRole('button', { name: 'Press' }).click(),
    told: { value: 'v1', text: plain('Press') },
  },
  {
    element: {
      type: 'button',
      text: plain('Press'),
      value: 'v1',
      confirm: { title: plain('Sure?'), text: mrkdwn('*Really*'), confirm: plain('Yes'), deny: plain('No') },
    },
    async use({ page, within }) {
      await within.getByRole('button', { name: 'Press' }).click();
      await page.getByRole('dialog', { name: 'Sure?' }).getByRole('button', { name: 'Yes' }).click();
    },
    told: { value: 'v1' },
  },
  {
    element: { type: 'overflow', options: [option('one'), option('two')] },
    async use({ page, within }) {
      await within.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Option two' }).click();
    },
    told: two,
  },
];

export const smallElements: readonly ElementScenario[] = [
  {
    element: {
      type: 'feedback_buttons',
      positive_button: { text: plain('Good'), value: 'up' },
      negative_button: { text: plain('Bad'), value: 'down' },
    },
    use: ({ within }) => within.getByRole('button', { name: 'Bad' }).click(),
    told: { value: 'down' },
  },
  {
    element: { type: 'icon_button', icon: 'trash', text: plain('Delete'), value: 'v1' },
    use: ({ within }) => within.getByRole('button', { name: 'Delete' }).click(),
    told: { value: 'v1' },
  },
];

/** In the zone of the browser, which is an hour east of UTC. */
const dateAndTime: ElementScenario = {
  element: { type: 'datetimepicker' },
  use: ({ within }) => within.getByTitle('Select a date and time').fill('2026-11-20T16:00'),
  told: { selected_date_time: Date.UTC(2026, 10, 20, 15) / 1000 },
};

/** Elements of input blocks only, each with `dispatch_action`. */
export const textElements: readonly ElementScenario[] = [
  dateAndTime,
  { element: { type: 'plain_text_input' }, use: typeIn('because'), told: { value: 'because' } },
  {
    element: { type: 'plain_text_input', multiline: true },
    use: typeIn('because'),
    told: { value: 'because' },
  },
  {
    element: {
      type: 'plain_text_input',
      dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
    },
    use: ({ within }) => within.getByRole('textbox').fill('because'),
    told: { value: 'because' },
  },
  { element: { type: 'email_text_input' }, use: typeIn('a@b.example'), told: { value: 'a@b.example' } },
  {
    element: { type: 'url_text_input' },
    use: typeIn('https://b.example'),
    told: { value: 'https://b.example' },
  },
  { element: { type: 'number_input', is_decimal_allowed: true }, use: typeIn('2.5'), told: { value: '2.5' } },
  {
    element: { type: 'rich_text_input' },
    async use({ page, within }) {
      await within.getByRole('textbox').click();
      await page.keyboard.type('see ');
      await within.getByRole('button', { name: 'Bold' }).click();
      await page.keyboard.type('this');
      await page.keyboard.press('Enter');
    },
    told: {
      rich_text_value: {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'see ' },
              { type: 'text', text: 'this', style: { bold: true } },
            ],
          },
        ],
      },
    },
  },
];

/** Uses the element and checks only that the page shows no error. */
export async function performUse({ use }: ElementScenario, page: Page, within: Locator): Promise<void> {
  await use({ page, within });
  await expect.poll(() => within.locator('.failure').count()).toBe(0);
}
