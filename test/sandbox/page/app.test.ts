/** Tabs of the app: Home, Messages, About. */
import { expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { plain } from './samples/messages.ts';

const { control, open } = pageStage();

const home = (words: string) => ({
  id: 'V9',
  type: 'home',
  blocks: [
    { type: 'section', block_id: 's', text: plain(words) },
    {
      type: 'actions',
      block_id: 'a',
      elements: [{ type: 'button', action_id: 'mine', text: plain('My devices') }],
    },
  ],
});

test('the Home tab sends the bot its event, and shows what it publishes', async () => {
  const page = await open('operator/@operator');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByText('Patchbay hasn’t published a Home tab for you.').waitFor();
  await expect
    .poll(() => control().posts)
    .toContainEqual({ call: 'POST /sandbox/home', body: { user: 'operator', tab: 'home' } });
  control().homes.set('operator', home('3 devices need you'));
  control().changed();
  await page.getByText('3 devices need you').waitFor();
  control().homes.set('operator', home('2 devices need you'));
  control().changed();
  await page.getByText('2 devices need you').waitFor();
  await expect.poll(() => page.getByText('3 devices need you').count()).toBe(0);
  await expect.poll(() => page.locator('#composer').isVisible()).toBe(false);
});

test('an element of Home clicks with the id of its view', async () => {
  control().homes.set('operator', home('Hello'));
  const page = await open('operator/@operator/home');
  await page.getByRole('button', { name: 'My devices' }).click();
  await expect
    .poll(() => control().posts.at(-1))
    .toMatchObject({
      call: 'POST /sandbox/click',
      body: { user: 'operator', view_id: 'V9', action_id: 'mine', block_id: 'a' },
    });
});

test('everybody has a Home of their own', async () => {
  control().homes.set('operator', home('For the operator'));
  control().homes.set('approver', home('For the approver'));
  const page = await open('operator/@operator/home');
  await page.getByText('For the operator').waitFor();
  await page.locator('[data-person]').selectOption('approver');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByText('For the approver').waitFor();
  await expect.poll(() => page.getByText('For the operator').count()).toBe(0);
});

test('an app whose manifest has no Home says so', async () => {
  control().answer('/sandbox/home', { ok: false, error: 'home_tab_disabled' });
  const page = await open('operator/@operator/home');
  await page.getByText('Patchbay’s manifest turns the Home tab off.').waitFor();
});

test('About lists what the manifest offers, and Messages leads back', async () => {
  const page = await open('operator/@operator/about');
  await expect
    .poll(() => page.locator('#about dt').allTextContents())
    .toEqual(['/fleet', '/flag', 'Find a device', 'Note it down']);
  await expect
    .poll(() => page.getByRole('link', { name: 'About' }).getAttribute('aria-current'))
    .toBe('page');
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByText('This is the very beginning of your messages with Patchbay').waitFor();
  await expect.poll(() => page.locator('#about').isVisible()).toBe(false);
});
