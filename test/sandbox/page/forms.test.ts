/** Modals: what the bot receives, what the page itself refuses, and how they close. */
import { describe, expect, test } from 'vitest';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { attributes } from './harness/tabs.ts';
import { blockIdOf, formFillings, formWith } from './samples/form-fillings.ts';
import { option, plain } from './samples/messages.ts';

const enter = pageWithBotStage();
const SUGGESTED = { options: [option('one'), option('two')] };

const input = (block_id: string, label: string, element: Record<string, unknown>) => ({
  type: 'input',
  block_id,
  label: plain(label),
  element: { action_id: 'a', ...element },
});
const reason = input('why', 'Reason', { type: 'plain_text_input' });
const modal = (parts: Record<string, unknown>) => ({
  type: 'modal',
  title: plain('First'),
  submit: plain('Send'),
  blocks: [reason],
  ...parts,
});

describe('a form with every kind of input', () => {
  test('has labels, asks for each that is missing, and sends each as Slack does', async () => {
    const { page, openModal, lastBotRequest, answer } = await enter({ height: 1400 });
    answer('block_suggestion', SUGGESTED);
    await openModal(formWith(formFillings));
    const dialog = page.getByRole('dialog', { name: 'Everything' });
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => attributes(dialog.locator('[data-error]'), 'data-error'))
      .toEqual(formFillings.map(blockIdOf));
    for (const { label } of formFillings) await dialog.getByLabel(label).first().waitFor();
    for (const filling of formFillings)
      await filling.fill(dialog.locator(`[data-input-block="${blockIdOf(filling)}"]`), page);
    await dialog.getByRole('button', { name: 'Send' }).click();
    const { view } = await lastBotRequest('view_submission');
    const values = Object.fromEntries(
      formFillings.map((filling) => [
        blockIdOf(filling),
        { a: { type: filling.element.type, ...filling.entry } },
      ]),
    );
    expect(view).toMatchObject({ callback_id: 'all', state: { values } });
    await dialog.waitFor({ state: 'detached' });
  });
});

const faults = [
  {
    element: { type: 'plain_text_input', max_length: 5 },
    words: 'abcdef',
    says: 'Please enter at most 5 characters.',
  },
  { element: { type: 'timepicker' }, words: '02', says: 'Please enter a valid time.' },
];
test.each(faults)(
  '$element.type refuses "$words" at the field, before the bot hears of it',
  async (fault) => {
    const { page, openModal, botRequests } = await enter();
    await openModal(modal({ blocks: [{ ...input('why', 'Reason', fault.element), optional: true }] }));
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Reason');
    await field.focus();
    await page.keyboard.type(fault.words);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => dialog.locator('[data-error=why]').textContent()).toBe(fault.says);
    await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(botRequests('view_submission')).toEqual([]);
  },
);

test('a counter tells how many characters are left', async () => {
  const { page, openModal } = await enter();
  await openModal(modal({ blocks: [input('why', 'Reason', { type: 'plain_text_input', max_length: 10 })] }));
  const counter = page.locator('dialog .counter');
  await expect.poll(() => counter.textContent()).toBe('10');
  await page.getByRole('dialog').getByLabel('Reason').fill('abcdefghijkl');
  await expect.poll(() => counter.textContent()).toBe('-2');
});

describe('a stack of modals', () => {
  const more = {
    type: 'section',
    block_id: 'more',
    text: plain('More?'),
    accessory: { type: 'button', action_id: 'more', text: plain('More') },
  };

  /** Two modals, of which the first was filled in, and how another is put on top. */
  async function pushed() {
    const session = await enter();
    const { page, openModal, botRequests, lastBotRequest, call } = session;
    const push = async (title: string) => {
      const before = botRequests('block_actions').length;
      await page.getByRole('dialog').getByRole('button', { name: 'More' }).click();
      await expect.poll(() => botRequests('block_actions').length).toBe(before + 1);
      const { trigger_id } = await lastBotRequest('block_actions');
      await call('views.push', {
        trigger_id,
        view: modal({ title: plain(title), blocks: [reason, more] }),
      });
      await page.getByRole('dialog', { name: title }).waitFor();
    };
    await openModal(modal({ blocks: [reason, more] }));
    await page.getByRole('dialog', { name: 'First' }).getByLabel('Reason').fill('kept');
    await push('Second');
    return { page, push };
  }

  test.each(['Back', 'Cancel'])('%s shows the view below with what was typed', async (name) => {
    const { page } = await pushed();
    await page.getByRole('dialog').getByRole('button', { name }).click();
    const first = page.getByRole('dialog', { name: 'First' });
    await first.waitFor();
    await expect.poll(() => first.getByLabel('Reason').inputValue()).toBe('kept');
  });

  test('the cross closes all of them', async () => {
    const { page, push } = await pushed();
    await push('Third');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click({ timeout: 4000 });
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  });
});

describe('without a mouse', () => {
  test('a modal is opened, filled in and sent; the focus returns to the button', async () => {
    const { page, openModal, lastBotRequest } = await enter();
    const menu = input('which', 'Which', { type: 'static_select', options: [option('one'), option('two')] });
    await openModal(modal({ blocks: [reason, menu] }));
    await page.keyboard.type('because');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await lastBotRequest('view_submission')).toMatchObject({
      view: {
        state: {
          values: { why: { a: { value: 'because' } }, which: { a: { selected_option: option('two') } } },
        },
      },
    });
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('[data-action-id=open]:focus').waitFor();
  });

  test('Escape closes an open menu first, and then the modal; Tab stays inside', async () => {
    const { page, openModal } = await enter();
    await openModal(
      modal({ blocks: [input('which', 'Which', { type: 'static_select', options: [option('one')] })] }),
    );
    await page.locator('dialog[open] [data-element]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    for (let step = 0; step < 9; step += 1) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(
          'document.activeElement.closest("dialog") !== null || document.activeElement === document.body',
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  });
});
