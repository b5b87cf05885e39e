/** Links in texts: to channels, messages and the app, which open here, and other addresses. */
import { expect, test } from 'vitest';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { mrkdwn } from './samples/messages.ts';

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
