/** Every type of element, used by a person, with what the bot receives. */
import { describe, expect, test } from 'vitest';
import { isElementOn } from '../../../src/sandbox/slack/validate/placement-rules.ts';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import {
  buttons,
  choices,
  type ElementScenario,
  menus,
  performUse,
  smallElements,
  textElements,
} from './samples/element-uses.ts';
import { option, plain } from './samples/messages.ts';

const enter = pageWithBotStage();
const SUGGESTED = { options: [option('one'), option('two')] };

/** Whether this type holds a value, so that it is also in the state. */
const holdsValue = ({ element }: ElementScenario) =>
  !['button', 'overflow', 'feedback_buttons', 'icon_button'].includes(element.type);

async function checkDeed(action: ElementScenario, block: Record<string, unknown>) {
  const { page, post, lastBotRequest, botRequests, answer } = await enter();
  answer('block_suggestion', SUGGESTED);
  await post([{ block_id: 'b', ...block }]);
  await performUse(action, page, page.locator('.content > [data-block]'));
  await expect
    .poll(() => botRequests('block_actions').at(-1)?.['actions'])
    .toMatchObject([{ type: action.element.type, action_id: 'a', block_id: 'b', ...action.told }]);
  const { state } = await lastBotRequest('block_actions');
  const entry = { type: action.element.type, ...action.told };
  if (holdsValue(action)) expect(state).toMatchObject({ values: { b: { a: entry } } });
}

const named = (deeds: readonly ElementScenario[]) =>
  deeds.map((action, at): [string, ElementScenario] => [`${action.element.type} (${at + 1})`, action]);
const isForMany = ({ element }: ElementScenario) => element.type.startsWith('multi_');
const withId = ({ element }: ElementScenario) => ({ ...element, action_id: 'a' });
const acting = (deed: ElementScenario) => ({
  type: 'input',
  label: plain('In'),
  dispatch_action: true,
  element: withId(deed),
});

describe('in a message', () => {
  test.each(named([...menus.filter((menu) => !isForMany(menu)), ...choices, ...buttons]))(
    '%s in an actions block',
    (_name, deed) => checkDeed(deed, { type: 'actions', elements: [withId(deed)] }),
  );

  test.each(named([...menus.slice(0, 1), ...menus.filter(isForMany), ...choices, ...buttons]))(
    '%s beside a section',
    (_name, deed) => checkDeed(deed, { type: 'section', text: plain('A section'), accessory: withId(deed) }),
  );

  test.each(named(smallElements))('%s below an answer', (_name, deed) =>
    checkDeed(deed, { type: 'context_actions', elements: [withId(deed)] }),
  );

  test.each(named(textElements.filter(({ element }) => isElementOn(element.type, 'message'))))(
    '%s in an input block that acts',
    (_name, deed) => checkDeed(deed, acting(deed)),
  );

  test('a button of a card in a carousel in sight', async () => {
    const { page, post, lastBotRequest } = await enter();
    const action = { type: 'button', action_id: 'a', text: plain('Take it'), value: 'v1' };
    const card = { type: 'card', block_id: 'c', title: { type: 'mrkdwn', text: 'One' }, actions: [action] };
    await post([{ type: 'carousel', block_id: 'b', elements: [card] }]);
    await page.getByRole('button', { name: 'Take it' }).click();
    expect(await lastBotRequest('block_actions')).toMatchObject({
      actions: [{ action_id: 'a', block_id: 'c', value: 'v1' }],
    });
  });

  test('values of fields that do not dispatch are sent with the next press', async () => {
    const { page, post, lastBotRequest } = await enter();
    await post([
      {
        type: 'input',
        block_id: 'why',
        label: plain('Reason'),
        element: { type: 'plain_text_input', action_id: 'text' },
      },
      {
        type: 'actions',
        block_id: 'do',
        elements: [{ type: 'button', action_id: 'go', text: plain('Go') }],
      },
    ]);
    await page.locator('.message').getByLabel('Reason').fill('kernel');
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    expect(await lastBotRequest('block_actions')).toMatchObject({
      actions: [{ action_id: 'go' }],
      state: { values: { why: { text: { type: 'plain_text_input', value: 'kernel' } } } },
    });
  });

  test('declining the confirm dialog undoes a choice', async () => {
    const { page, post, botRequests } = await enter();
    const confirm = {
      title: plain('Sure?'),
      text: plain('Really'),
      confirm: plain('Yes'),
      deny: plain('No'),
    };
    const element = { type: 'static_select', action_id: 'a', options: [option('one')], confirm };
    await post([{ type: 'actions', block_id: 'b', elements: [element] }]);
    await page.getByRole('combobox', { name: 'Select an option' }).click();
    await page.getByRole('option', { name: 'Option one' }).click();
    await page.getByRole('dialog', { name: 'Sure?' }).getByRole('button', { name: 'No' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Select an option' }).inputValue()).toBe('');
    expect(botRequests('block_actions')).toEqual([]);
  });
});

describe('in a modal', () => {
  test.each(named(textElements.filter(({ element }) => !isElementOn(element.type, 'message'))))(
    '%s in an input block that acts',
    async (_name, deed) => {
      const { page, openModal, botRequests } = await enter();
      const blocks = [{ ...acting(deed), block_id: 'b' }];
      await openModal({ type: 'modal', title: plain('Form'), submit: plain('Send'), blocks });
      await performUse(deed, page, page.locator('dialog [data-block]'));
      const told = { type: deed.element.type, ...deed.told };
      await expect
        .poll(() => botRequests('block_actions').at(-1))
        .toMatchObject({
          actions: [{ action_id: 'a', block_id: 'b', ...told }],
          view: { state: { values: { b: { a: told } } } },
        });
    },
  );
});

// slack-morphism 2.30.0, SlackDataTableActionCell
test('a button in a cell of a data table tells the bot, also after the table was sorted', async () => {
  const { page, post, lastBotRequest } = await enter();
  const raw = (text: string) => ({ type: 'raw_text', text });
  const cell = (text: string, change: object = {}) => ({
    type: 'action_cell',
    element: { type: 'button', text: plain(text), value: text, ...change },
    fallback: raw(text),
  });
  const rows = [
    [raw('Device'), raw('Action')],
    [raw('web-01'), cell('Reboot', { action_id: 'a' })],
    [raw('web-02'), cell('Patch')],
  ];
  await post([{ type: 'data_table', block_id: 't', caption: 'Devices', rows }]);
  const table = page.locator('#messages').getByRole('table');
  await table.getByRole('button', { name: 'Action' }).click();
  await expect.poll(() => table.getByRole('rowheader').allInnerTexts()).toEqual(['web-02', 'web-01']);
  await table.getByRole('button', { name: 'Patch' }).click();
  await expect
    .poll(() => lastBotRequest('block_actions'))
    .toMatchObject({
      actions: [{ type: 'button', block_id: 't', action_id: expect.any(String), value: 'Patch' }],
    });
});
