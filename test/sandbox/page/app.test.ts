/** Tabs of the app (Home, Messages, About), and links that open here. */
import { expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { mrkdwn, plain } from './samples/messages.ts';

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

const enter = pageWithBotStage();

// docs.slack.dev/messaging/formatting-message-text, “Linking to channels”
test('a channel in a text leads to that channel, in rich text too', async () => {
  const { page, post, say } = await enter();
  await post([{ type: 'section', text: mrkdwn('Why not join <#C0APPROVALS>?') }]);
  await say('viewer', 'Or #approvals?');
  const links = page.locator('#messages').getByRole('link', { name: '#approvals' });
  await expect.poll(() => links.count()).toBe(2);
  await links.last().click();
  await expect.poll(() => page.evaluate('location.hash')).toBe('#operator/approvals');
});

// docs.slack.dev/interactivity/deep-linking
test('a link to the app leads to its messages', async () => {
  const { page, post } = await enter();
  const address = 'https://slack.com/app_redirect?app=A0PATCHBAY1&team=T0SANDBOX01&tab=home';
  await post([{ type: 'section', text: mrkdwn(`See <${address}|the place>`) }]);
  await page.getByRole('link', { name: 'the place' }).click();
  await expect.poll(() => page.evaluate('location.hash')).toBe('#operator/%40operator');
});

// docs.slack.dev/reference/methods/chat.getPermalink: “a friendly HTTP-based permalink to that message. Handles message threads”
test('the permalink of a reply opens its thread, in another channel too', async () => {
  const { page, call, post } = await enter();
  for (const channel of ['C0OPS000001', 'C0APPROVALS']) {
    const { ts } = await call('chat.postMessage', { channel, text: 'The question' });
    const reply = await call('chat.postMessage', { channel, thread_ts: ts, text: `In ${channel}` });
    const { permalink } = await call('chat.getPermalink', { channel, message_ts: reply['ts'] });
    await post([{ type: 'section', text: mrkdwn(`<${permalink}|the reply in ${channel}>`) }]);
    await page.getByRole('link', { name: `the reply in ${channel}` }).click();
    await page.locator('#thread').getByText(`In ${channel}`, { exact: true }).waitFor();
  }
  await expect.poll(() => page.evaluate('location.hash')).toBe('#operator/approvals');
});

test('the permalink of a reply leads to that reply of a long thread', async () => {
  const { page, call, post } = await enter();
  const channel = 'C0OPS000001';
  const { ts } = await call('chat.postMessage', { channel, text: 'The question' });
  const answer = (text: string) => call('chat.postMessage', { channel, thread_ts: ts, text });
  await answer('zero');
  const { ts: message_ts } = await answer('The answer');
  for (let index = 0; index < 30; index += 1) await answer(`More ${index}`);
  const { permalink } = await call('chat.getPermalink', { channel, message_ts });
  await post([{ type: 'section', text: mrkdwn(`<${permalink}|the reply>`) }]);
  await page.getByRole('link', { name: 'the reply' }).click();
  const reply = page.locator('#thread').getByText('The answer');
  await expect.poll(() => reply.evaluate((node) => node.getBoundingClientRect().top)).toBeGreaterThan(0);
});
