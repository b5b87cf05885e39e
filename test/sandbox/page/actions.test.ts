/** What a person does to messages, also after the world went on: the bot is behind the clock, or the message is another by now. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { approvalCard, botMessage, plain, scanForm, tsBefore } from './samples/messages.ts';

const { control, open, openWith } = pageStage();

describe('elements of a message', () => {
  test('a button with a confirm dialog posts only after a yes', async () => {
    const card = approvalCard();
    control().channels.set('ops', [card]);
    const page = await open('approver/ops');
    await page.locator('[data-action-id=approve]').click();
    const dialog = page.getByRole('dialog', { name: 'Reboot web-01?' });
    await expect.poll(() => dialog.locator('b').textContent()).toBe('2 people');
    await dialog.getByRole('button', { name: 'Keep running' }).click();
    await page.locator('[data-action-id=approve]').click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(control().posts).toEqual([]);
    await page.locator('[data-action-id=approve]').click();
    await dialog.getByRole('button', { name: 'Reboot' }).click();
    await expect
      .poll(() => control().posts)
      .toEqual([
        {
          call: 'POST /sandbox/click',
          body: {
            user: 'approver',
            channel: 'ops',
            ts: card.ts,
            action_id: 'approve',
            block_id: 'decide',
            confirm: true,
          },
        },
      ]);
  });

  test('an error is shown at the element', async () => {
    control().channels.set('ops', [approvalCard()]);
    control().answer('/sandbox/click', { ok: false, error: 'operation_timeout' });
    const page = await open('approver/ops');
    await page.locator('[data-action-id=deny]').click();
    await expect
      .poll(() => page.getByRole('alert').filter({ hasText: 'This didn’t work' }).textContent())
      .toContain('operation_timeout');
  });

  test('an open menu stays open while messages above it are deleted and others arrive', async () => {
    const [first, second] = [
      botMessage({ text: 'first', ts: tsBefore(60) }),
      botMessage({ text: 'second', ts: tsBefore(30) }),
    ];
    const card = approvalCard();
    const page = await openWith(first, second, card);
    await page.locator('[data-action-id=more]').click();
    const item = page.getByRole('option', { name: 'Option withdraw' });
    await item.waitFor();
    control().channels.set('ops', [second, card, botMessage({ text: 'third', ts: tsBefore(-1) })]);
    control().changed();
    await page.getByText('third').waitFor();
    await expect.poll(() => page.getByText('first', { exact: true }).count()).toBe(0);
    await expect.poll(() => item.isVisible()).toBe(true);
  });
});

describe('modals', () => {
  test('ask for what is missing, send the rest, and show the errors of the bot at their fields', async () => {
    control().views.set('operator', [scanForm]);
    control().answer('/sandbox/submit', { ok: true, errors: { reason: 'Say more than that.' } });
    const page = await open();
    const modal = page.getByRole('dialog', { name: 'Scan devices' });
    await modal.getByRole('button', { name: 'Scan', exact: true }).click();
    await expect.poll(() => modal.locator('[data-error]').count()).toBe(2);
    expect(control().posts).toEqual([]);
    await modal.getByLabel('Reason').fill('because');
    await modal.getByLabel('Group').fill('linux');
    await page.keyboard.press('Enter');
    await modal.getByLabel('Option quiet').check();
    await modal.getByLabel('Reason').press('Enter');
    await expect.poll(() => modal.locator('[data-error=reason]').textContent()).toBe('Say more than that.');
    expect(control().posts.at(-1)).toEqual({
      call: 'POST /sandbox/submit',
      body: {
        user: 'operator',
        view_id: 'V1',
        values: {
          reason: { text: 'because' },
          group: { name: 'linux' },
          flags: { set: ['quiet'] },
          device: { one: null },
        },
      },
    });
    await expect.poll(() => modal.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
  });

  test.each([
    { by: 'Escape', all: false, close: (page: Page) => page.keyboard.press('Escape') },
    {
      by: 'the cross',
      all: true,
      close: (page: Page) => page.locator('[data-modal] .view-head [aria-label=Close]').click(),
    },
  ])('close by $by through the workspace', async ({ all, close }) => {
    control().views.set('operator', [scanForm]);
    const page = await open();
    const modal = page.locator('[data-modal][open]');
    await modal.waitFor();
    await close(page);
    await expect
      .poll(() => control().posts)
      .toEqual([{ call: 'POST /sandbox/close', body: { user: 'operator', view_id: 'V1', all } }]);
    await expect.poll(() => modal.count()).toBe(1);
    control().views.set('operator', []);
    control().changed();
    await modal.waitFor({ state: 'detached' });
  });

  test('keep what was typed, and the focus, through an update and under a pushed view', async () => {
    control().views.set('operator', [scanForm]);
    const page = await open();
    await page.getByRole('dialog').getByLabel('Reason').fill('because');
    const updated = { ...scanForm, title: plain('Scan 12 devices') };
    control().views.set('operator', [updated]);
    control().changed();
    await page.getByRole('dialog', { name: 'Scan 12 devices' }).waitFor();
    await page.keyboard.type(' of it');
    const reason = page.getByRole('dialog').getByLabel('Reason');
    await expect.poll(() => reason.inputValue()).toBe('because of it');
    control().views.set('operator', [updated, { id: 'V2', title: plain('Which ones'), blocks: [] }]);
    control().changed();
    await page.getByRole('dialog', { name: 'Which ones' }).waitFor();
    control().views.set('operator', [updated]);
    control().changed();
    await page.getByRole('dialog', { name: 'Scan 12 devices' }).waitFor();
    await expect.poll(() => reason.inputValue()).toBe('because of it');
  });

  test('their elements click with the id of the view', async () => {
    const block = {
      type: 'actions',
      block_id: 'a',
      elements: [{ type: 'button', action_id: 'next', text: plain('Next') }],
    };
    control().views.set('operator', [{ ...scanForm, blocks: [block] }]);
    const page = await open();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect
      .poll(() => control().posts.at(-1)?.body)
      .toMatchObject({
        view_id: 'V1',
        action_id: 'next',
        block_id: 'a',
      });
  });
});

const enter = pageWithBotStage();

const button = (more: Record<string, unknown> = {}) => [
  {
    type: 'actions',
    block_id: 'b',
    elements: [{ type: 'button', action_id: 'go', text: plain('Go'), ...more }],
  },
];

test('a press counts once the bot has caught up with the clock, and the page says that it is behind', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { page, post, botRequests, lastBotRequest } = await enter({ follow: () => arrived });
  await post(button());
  await page.evaluate(() =>
    fetch('/sandbox/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advance":"1d"}',
    }),
  );
  const notice = page.getByText('The bot is catching up with the clock.');
  await notice.waitFor();
  await page.locator('[data-action-id=go]').click();
  await page.locator('[data-action-id=go][aria-busy=true]').waitFor();
  expect(botRequests('block_actions')).toEqual([]);
  arrive();
  expect(await lastBotRequest('block_actions')).toMatchObject({ actions: [{ action_id: 'go' }] });
  await notice.waitFor({ state: 'hidden' });
});

test('a confirmation that is answered after the message changed says so', async () => {
  const { page, post, call, botRequests } = await enter();
  const confirm = { title: plain('Sure?'), text: plain('Really'), confirm: plain('Yes'), deny: plain('No') };
  const ts = await post(button({ confirm }));
  await page.locator('[data-action-id=go]').click();
  const blocks = [{ type: 'section', text: plain('Somebody else decided.') }];
  await call('chat.update', { channel: 'C0OPS000001', ts, text: 'card', blocks });
  await page.getByText('Somebody else decided.').waitFor();
  await page.locator('[data-confirm=yes]').click();
  await page.getByText('This message changed before you answered, so nothing was sent.').waitFor();
  expect(botRequests('block_actions')).toEqual([]);
});
