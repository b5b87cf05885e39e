/** The page with a whole sandbox and the real bot. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedSandbox, startSandbox } from '../../harness/start-sandbox.ts';
import { launchBrowser } from './harness/browser.ts';

let browser: Browser;
let sandbox: StartedSandbox;
let page: Page;
beforeAll(async () => {
  [browser, sandbox] = await Promise.all([launchBrowser(), startSandbox()]);
  page = await browser.newPage({ viewport: { width: 1300, height: 860 } });
  await page.goto(`${sandbox.address}/#operator/ops`);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

test('a command is answered by a card that only its author sees, and its buttons work', async () => {
  await page.locator('#composer [data-composer]').fill('/fleet device web-01');
  await page.keyboard.press('Enter');
  const card = page.locator('.ephemeral', { hasText: 'web-01' });
  await card.getByRole('button', { name: 'Queue' }).click();
  await page.locator('.ephemeral').nth(1).waitFor();
});

test('a device is found by typing, and its failure appears as unread elsewhere', async () => {
  const form = page.locator('form', { has: page.locator('[data-outside=patch-fails]') });
  await form.getByLabel('Device').fill('db-');
  await form.locator('option[value="db-01"]').waitFor({ state: 'attached' });
  await form.getByLabel('Device').fill('db-01');
  await form.getByRole('button', { name: 'Make a patch fail' }).click();
  await page.locator('[data-outside=clock]').click();
  await page.locator('[data-channel=patch-alerts][data-unread]').click();
  await page.locator('#messages .new + .message', { hasText: 'db-01' }).waitFor();
});

test('a reaction and a reply are kept by the workspace', async () => {
  await page.locator('[data-channel=random]').click();
  await page.locator('#composer [data-composer]').fill('who is on call?');
  await page.keyboard.press('Enter');
  const message = page.locator('#messages .message').first();
  await message.hover();
  await message.locator('[data-more]').click();
  await page.locator('[data-menu=react-eyes]').click();
  await message.locator('[data-reaction=eyes][aria-pressed=true]').waitFor();
  await message.hover();
  await message.locator('[data-reply]').click();
  await page.locator('#thread [data-composer]').fill('it is me');
  await page.keyboard.press('Enter');
  await message.getByText('1 reply').waitFor();
  await message.locator('[data-reaction=eyes]').click();
  await message.locator('[data-reaction=eyes]').waitFor({ state: 'detached' });
  await page.locator('#thread-close').click();
});

test('who mentions Patchbay where it is no member is offered to invite it, and then it answers', async () => {
  await page.locator('[data-channel=random]').click();
  await page.locator('#composer [data-composer]').fill('@Patchbay device web-01');
  await page.keyboard.press('Enter');
  await page.getByText('You mentioned @Patchbay, but they’re not in this channel.').waitFor();
  await page.locator('[data-invite]').click();
  await page.locator('[data-invite]').waitFor({ state: 'detached' });
  await page.locator('#messages .ephemeral', { hasText: 'web-01' }).waitFor();
});

test('somebody who is not in a channel reads it, joins, and writes', async () => {
  await page.locator('[data-person]').selectOption('outsider');
  await page.locator('[data-channel=ops]').click();
  await page.getByRole('button', { name: 'Join' }).click();
  await page.locator('#composer [data-composer]').fill('hello, I am new');
  await page.keyboard.press('Enter');
  await page.locator('#messages .message', { hasText: 'hello, I am new' }).waitFor();
  await expect.poll(() => page.locator('#outsider').isVisible()).toBe(false);
});

test('the configuration file is edited, refused with the place of its fault, and used', async () => {
  const file = page.getByLabel('Configuration file');
  const problems = page.locator('.problems li');
  const use = page.getByRole('button', { name: 'Check and use' });
  await expect.poll(() => file.inputValue()).toContain('S0PRODUCTION');
  const first = await file.inputValue();
  await file.fill(`${first}rules: [{ name: lab, run: { perHuor: 3 } }]`);
  await use.click();
  await page.getByText('Check and use failed: the bot still uses the previous file.').waitFor();
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([
      'line 16, column 22: rules.0.run.perHour must be a whole number from 1 to 1000000',
      'line 16, column 29: rules.0.run has an unknown key: perHuor; did you mean perHour?',
    ]);
  await expect.poll(() => file.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => file.inputValue()).toBe((await sandbox.configuration()).text);
  await file.fill(`${first}rules: [{ name: lab, run: { perHour: 3 } }]`);
  await expect.poll(() => problems.count()).toBe(2);
  await use.click();
  await page.getByText('The bot now uses this file.').waitFor();
  await expect.poll(() => problems.count()).toBe(0);
  await sandbox.writeConfiguration(first);
  await expect.poll(() => file.inputValue()).toBe(first);
});

test('a killed bot is shown as stopped, with its exit, and can be started again', async () => {
  await page.locator('[data-outside=bot-kill]').click();
  await page.getByText('The bot isn’t running, so nothing will answer.').waitFor();
  await page.getByText('requested (signal SIGKILL)').waitFor();
  await page.locator('[data-outside=bot-start]').click();
  await page.getByText('The bot isn’t running').waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator('[data-bot=requests] li').count()).toBeGreaterThan(0);
});
