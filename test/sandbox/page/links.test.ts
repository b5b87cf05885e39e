/** Links in texts: to channels, and to addresses that an app wrote in one way or another. */
import { expect, test } from 'vitest';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { mrkdwn } from './samples/messages.ts';

const enter = pageWithBotStage();

// docs.slack.dev/messaging/formatting-message-text, “Linking to channels”
test('a channel in a text leads to that channel, in rich text too', async () => {
  const { page, post } = await enter();
  const mention = { type: 'channel', channel_id: 'C0APPROVALS' };
  await post([
    { type: 'section', text: mrkdwn('Why not join <#C0APPROVALS>?') },
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [mention] }] },
  ]);
  const links = page.locator('#messages').getByRole('link', { name: '#approvals' });
  await expect.poll(() => links.count()).toBe(2);
  await links.last().click();
  await expect.poll(() => page.evaluate('location.hash')).toBe('#operator/approvals');
});
