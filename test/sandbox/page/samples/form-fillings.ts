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
    element: { type: 'plain_text_input', multiline: true },
    fill: write('line one\nline two'),
    entry: { value: 'line one\nline two' },
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
    label: 'Time',
    element: { type: 'timepicker' },
    fill: (block) => block.getByLabel('Time').fill('02:00'),
    entry: { selected_time: '02:00' },
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
