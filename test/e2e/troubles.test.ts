/** Patchbay in trouble, over the real protocols: what it says of itself, and whom it tells. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { startTown, type Town, wordsOf } from './town.ts';

let town: Town;
beforeAll(async () => {
  town = await startTown();
});
afterAll(() => town.stop());
beforeEach(async () => {
  await town.reset();
});

/** What the bot wrote to the admin directly. */
const told = async () => {
  const messages = await town.messages('@admin', 'admin');
  return messages.filter(({ bot }) => bot).map(({ text }) => text);
};
const toldOf = (words: RegExp) =>
  until(async () => (await told()).find((text) => words.test(text)) ?? null, { what: String(words) });

describe('Patchbay in trouble', () => {
  it('tells its admin once that a new database knows nothing of before', async () => {
    expect(await toldOf(/^New database: Patchbay doesn’t know events before .*\.$/)).toBeDefined();
    await town.bot({ do: 'kill' });
    await town.bot({ do: 'start' });
    await town.advance('3m');
    expect((await told()).filter((text) => text.startsWith('New database'))).toHaveLength(1);
  });

  it('says that alerts are undelivered, though Slack answers otherwise, and tells its admin afterwards', async () => {
    await toldOf(/^New database/);
    await town.fault({ service: 'slack', match: 'chat.postMessage', kind: 'status', status: 500 });
    await town.world({ do: 'patch-fails', device: 'web-01', reason: 'one' });
    await town.advance('15m');
    const status = wordsOf(await town.asks('admin', 'status'));
    expect(status).toMatch(/⚠️ \*Patchbay needs attention/);
    expect(status).toMatch(/1 alert.* waiting for Slack since/);
    await town.clearFaults();
    await town.advance('10m');
    // The next try of a message is due after some time, and so is the end of the trouble.
    const over = async () => {
      await town.advance('1m');
      return (await told()).some((text) => /^✅ .*: Messages waited for Slack\.\nStarted /.test(text));
    };
    await until(over, { what: 'the end of the trouble', timeoutMs: 20_000 });
    expect((await town.posts('patch-alerts')).length).toBe(1);
    const after = wordsOf(await town.asks('admin', 'status'));
    expect(after).not.toMatch(/waiting for Slack since/);
  });
});
