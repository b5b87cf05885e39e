/** What messages say of their threads, and direct messages of their last message. */
import { describe, expect, it } from 'vitest';
import { OPERATOR, OPS } from '../harness/workspace-harness.ts';
import { bench, METHODS, posted } from './conformance-harness.ts';

const on = bench();

describe('https://docs.slack.dev/messaging/retrieving-messages', () => {
  const history = async () => (await on.client.conversations.history({ channel: OPS })).messages;

  it('keeps thread_ts of a message whose replies were deleted', async () => {
    const ts = await posted(on);
    const reply = await posted(on, { thread_ts: ts });
    await on.call('chat.delete', { channel: OPS, ts: reply });
    expect(await history()).toMatchObject([{ ts, thread_ts: ts }]);
    expect((await history())?.[0]).not.toHaveProperty('reply_count');
  });

  it('names five of the people who replied, and counts all', async () => {
    const ts = await posted(on);
    const people = ['operator', 'operator2', 'approver', 'approver2', 'viewer', 'admin'];
    for (const user of people)
      await on.workspace.message({ user, channel: 'ops', text: 'yes', thread_ts: ts });
    const [message] = (await history()) ?? [];
    expect(message).toMatchObject({ reply_count: 6, reply_users_count: 6 });
    expect(message?.reply_users).toHaveLength(5);
  });
});

it(`${METHODS}conversations.info has the last message of a direct message`, async () => {
  const { channel } = await on.client.conversations.open({ users: OPERATOR });
  const id = channel?.id ?? '';
  expect(await on.call('conversations.info', { channel: id })).toMatchObject({ channel: { latest: null } });
  const ts = await posted(on, { channel: id, text: 'Psssst!' });
  await posted(on, { channel: id, thread_ts: ts });
  expect(await on.call('conversations.info', { channel: id })).toMatchObject({
    channel: { latest: { type: 'message', text: 'Psssst!', ts } },
  });
});
