/** Elements that act at once, used by a person, with what the bot receives. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { option, plain } from './samples/messages.ts';

const enter = pageWithBotStage();
const options = [option('one'), option('two'), option('three')];
const confirm = { title: plain('Sure?'), text: plain('Really?'), confirm: plain('Yes'), deny: plain('No') };

type Scenario = {
  readonly element: { readonly type: string } & Readonly<Record<string, unknown>>;
  /** Uses the element as a person would. */
  readonly use: (within: Locator, page: Page) => Promise<void>;
  /** The action's fields, and the state of an element that holds a value. */
  readonly told: Readonly<Record<string, unknown>>;
};

const pickFrom =
  (query: string, name: string): Scenario['use'] =>
  async (within, page) => {
    const field = within.getByRole('combobox');
    await field.click();
    if (query !== '') await field.pressSequentially(query);
    await page.getByRole('listbox').getByRole('option', { name }).click();
  };
const two = { selected_option: option('two') };
const button = { type: 'button', text: plain('Press'), value: 'v1', style: 'primary' };
const press = (within: Locator) => within.getByRole('button', { name: 'Press' }).click();

const buttons: readonly Scenario[] = [
  { element: button, use: press, told: { value: 'v1', text: plain('Press') } },
  {
    element: { ...button, confirm },
    async use(within, page) {
      await press(within);
      await page.getByRole('dialog', { name: 'Sure?' }).getByRole('button', { name: 'Yes' }).click();
    },
    told: { value: 'v1' },
  },
];
const menu: Scenario = {
  element: { type: 'static_select', options },
  use: pickFrom('tw', 'Option two'),
  told: two,
};
/** Fields of a form that changes with them. */
const fields: readonly Scenario[] = [
  menu,
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
    element: { type: 'multi_static_select', options },
    async use(within, page) {
      await pickFrom('', 'Option one')(within, page);
      await page.getByRole('option', { name: 'Option three' }).click();
    },
    told: { selected_options: [option('one'), option('three')] },
  },
  { element: { type: 'external_select', min_query_length: 1 }, use: pickFrom('w', 'Option two'), told: two },
  {
    element: { type: 'multi_external_select', min_query_length: 0 },
    use: pickFrom('', 'Option two'),
    told: { selected_options: [option('two')] },
  },
  {
    element: { type: 'checkboxes', options, initial_options: [option('one')] },
    use: (within) => within.getByLabel('Option three').check(),
    told: { selected_options: [option('one'), option('three')] },
  },
  {
    element: { type: 'radio_buttons', options },
    use: (within) => within.getByLabel('Option two').check(),
    told: two,
  },
  ...[false, true].map((multiline) => ({
    element: { type: 'plain_text_input', multiline },
    async use(within: Locator, page: Page) {
      await within.getByRole('textbox').fill('because');
      await page.keyboard.press('Enter');
    },
    told: { value: 'because' },
  })),
];

const named = (all: readonly Scenario[]) =>
  all.map((each, at): [string, Scenario] => [`${each.element.type} (${at + 1})`, each]);
const withId = ({ element }: Scenario) => ({ ...element, action_id: 'a' });

describe('in a message', () => {
  const places: readonly (readonly [string, (scenario: Scenario) => object])[] = [
    ['in an actions block', (scenario) => ({ type: 'actions', elements: [withId(scenario)] })],
    [
      'beside a section',
      (scenario) => ({ type: 'section', text: plain('A section'), accessory: withId(scenario) }),
    ],
  ];
  describe.each(places)('%s', (_place, blockOf) => {
    test.each(named([...buttons, menu]))('%s tells the bot', async (_name, scenario) => {
      const { page, post, lastBotRequest, botRequests } = await enter();
      await post([{ block_id: 'b', ...blockOf(scenario) }]);
      await scenario.use(page.locator('.content > [data-block]'), page);
      const { element, told } = scenario;
      await expect
        .poll(() => botRequests('block_actions').at(-1)?.['actions'])
        .toMatchObject([{ type: element.type, action_id: 'a', block_id: 'b', ...told }]);
      if (element.type === 'button') return;
      const { state } = await lastBotRequest('block_actions');
      expect(state).toMatchObject({ values: { b: { a: { type: element.type, ...told } } } });
    });
  });
});

describe('in a form', () => {
  test.each(named(fields))('%s that acts tells the bot', async (_name, scenario) => {
    const { page, openModal, botRequests, answer } = await enter();
    answer('block_suggestion', { options });
    const block = { type: 'input', block_id: 'b', label: plain('In'), dispatch_action: true };
    const blocks = [{ ...block, element: withId(scenario) }];
    await openModal({ type: 'modal', title: plain('Form'), submit: plain('Send'), blocks });
    await scenario.use(page.locator('dialog [data-block]'), page);
    const told = { type: scenario.element.type, ...scenario.told };
    await expect
      .poll(() => botRequests('block_actions').at(-1))
      .toMatchObject({
        actions: [{ action_id: 'a', block_id: 'b', ...told }],
        view: { state: { values: { b: { a: told } } } },
      });
    await expect.poll(() => page.locator('.failure').count()).toBe(0);
  });

  test('values of fields that do not act are sent with the next action', async () => {
    const { page, openModal, botRequests } = await enter();
    const input = { type: 'input', block_id: 'why', label: plain('Reason') };
    const menuBlock = { type: 'input', block_id: 'do', label: plain('Which'), dispatch_action: true };
    await openModal({
      type: 'modal',
      title: plain('Form'),
      submit: plain('Send'),
      blocks: [
        { ...input, element: { type: 'plain_text_input', action_id: 'text' } },
        { ...menuBlock, element: { type: 'radio_buttons', action_id: 'go', options } },
      ],
    });
    await page.getByRole('dialog').getByLabel('Reason').fill('kernel');
    await page.getByRole('dialog').getByLabel('Option two').check();
    await expect
      .poll(() => botRequests('block_actions').at(-1))
      .toMatchObject({
        actions: [{ action_id: 'go' }],
        view: { state: { values: { why: { text: { type: 'plain_text_input', value: 'kernel' } } } } },
      });
  });
});
