/** Links into Slack open here: docs.slack.dev/interactivity/deep-linking. */
import { expect, test } from 'vitest';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { mrkdwn } from './samples/messages.ts';

const enter = pageWithBotStage();
const TEAM = 'team=T0SANDBOX01';

test.each([
  [`slack://channel?${TEAM}&id=C0APPROVALS`, '#operator/approvals'],
  ['https://slack.com/app_redirect?channel=C0APPROVALS', '#operator/approvals'],
  ['https://slack.com/app_redirect?channel=approvals', '#operator/approvals'],
  [`https://slack.com/app_redirect?app=A0PATCHBAY1&${TEAM}`, '#operator/%40operator'],
  [`slack://user?${TEAM}&id=U0PATCHBAY1`, '#operator/%40operator'],
])('%s', async (address, hash) => {
  const { page, post } = await enter();
  await post([{ type: 'section', text: mrkdwn(`See <${address}|the place>`) }]);
  await page.getByRole('link', { name: 'the place' }).click();
  await expect.poll(() => page.evaluate('location.hash')).toBe(hash);
});

test('the address of Slack itself, and one that it does not know, stay here', async () => {
  const { page, post } = await enter();
  const addresses = [`slack://open?${TEAM}`, 'slack://nowhere'];
  await post([{ type: 'section', text: mrkdwn(addresses.map((each) => `<${each}|go>`).join(' ')) }]);
  const left = `[...document.querySelectorAll('#messages a')].filter((link) => link.dispatchEvent(
    new MouseEvent('click', { bubbles: true, cancelable: true }))).length`;
  await expect.poll(() => page.getByRole('link', { name: 'go' }).count()).toBe(2);
  expect(await page.evaluate(left)).toBe(0);
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
  const top = () =>
    page
      .locator('#thread')
      .getByText('The answer')
      .evaluate((node) => node.getBoundingClientRect().top);
  await expect.poll(top).toBeGreaterThan(0);
});
