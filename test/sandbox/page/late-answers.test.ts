/** What a person does after the world went on: the bot is behind the clock, or the message is another by now. */
import { expect, test } from 'vitest';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { plain } from './samples/messages.ts';

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
