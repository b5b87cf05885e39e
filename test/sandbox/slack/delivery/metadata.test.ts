/** Metadata of a message in what the bot receives: https://docs.slack.dev/messaging/message-metadata. */
import { expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { answerOf, button, OPS, section, startWorkspace } from '../harness/workspace-harness.ts';

const metadata = { event_type: 'task_added', event_payload: { id: '11223', priority: 'high' } };

it('“If a message has metadata, it will be available in the event payload”, also of a change', async () => {
  const { workspace } = await startWorkspace({ events: ['message.channels'] });
  const bot = await startRawBot(workspace);
  const events = () => bot.envelopes.map(({ payload }) => payload['event']);
  const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'New', metadata });
  await answerOf(workspace, 'chat.update', { channel: OPS, ts, text: 'Old' });
  await answerOf(workspace, 'chat.delete', { channel: OPS, ts });
  await expect.poll(events).toMatchObject([
    { text: 'New', app_id: 'A0PATCHBAY1', metadata },
    { subtype: 'message_changed', message: { metadata }, previous_message: { metadata } },
    { subtype: 'message_deleted', previous_message: { metadata } },
  ]);
});

// slackapi/bolt-python, issue 863
it('the message of a press and of a shortcut has all metadata', async () => {
  const shortcuts = [{ callback_id: 'look', type: 'message' }] as const;
  const { workspace } = await startWorkspace({ shortcuts });
  const bot = await startRawBot(workspace);
  const blocks = [section('card', { accessory: button('go') })];
  const posted = await answerOf(workspace, 'chat.postMessage', {
    channel: OPS,
    text: 'card',
    blocks,
    metadata,
  });
  const place = { user: 'operator', channel: 'ops', ts: String(posted['ts']) };
  await workspace.click({ ...place, action_id: 'go' });
  expect(bot.last()).toMatchObject({ type: 'block_actions', message: { metadata } });
  await workspace.shortcut({ ...place, callback_id: 'look' });
  expect(bot.last()).toMatchObject({ type: 'message_action', message: { metadata } });
});
