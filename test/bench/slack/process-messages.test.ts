import { expect, it } from 'vitest';
import { connectClient } from './client.ts';
import { inParallel, startSlackProcess } from './process-messages.ts';

it.each(['ours', 'bare'] as const)('sends %s to a client until each is acknowledged', async (kind) => {
  const slack = await startSlackProcess(kind);
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

it('runs a task exactly as often as requested', async () => {
  let done = 0;
  await inParallel(50, async () => {
    done += 1;
  });
  expect(done).toBe(50);
});
