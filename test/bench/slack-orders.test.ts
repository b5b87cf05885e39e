import { expect, it } from 'vitest';
import { connectClient } from './slack-client.ts';
import { atOnce, startSlack } from './slack-orders.ts';

it.each(['ours', 'bare'] as const)('sends %s to a client until each is acknowledged', async (kind) => {
  const slack = await startSlack(kind);
  const client = await connectClient(slack);
  try {
    const ms = await slack.perform({ commands: 30, envelope: { type: 'slash_commands', payload: {} } });
    expect(ms).toBeGreaterThan(0);
    expect(client.received()).toBe(30);
    expect(client.envelope()).toMatchObject({ type: 'slash_commands' });
  } finally {
    client.close();
    await slack.stop();
  }
});

it('does a task as often as was asked for, and no oftener', async () => {
  let done = 0;
  await atOnce(50, async () => {
    done += 1;
  });
  expect(done).toBe(50);
});
