/** Patchbay's own problems, over the real protocols: what it shows, and whom it notifies. */
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { messageText } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();
beforeEach(async () => {
  await people.reset();
});

/** The bot's direct messages to the admin. */
const notified = async () => {
  const messages = await people.messages('@admin', 'admin');
  return messages.filter(({ bot }) => bot).map(({ text }) => text);
};
const toldOf = (words: RegExp) =>
  until(async () => (await notified()).find((text) => words.test(text)) ?? null, { what: String(words) });

describe('Patchbay in trouble', () => {
  it('tells its admin once that a new database knows nothing of before', async () => {
    expect(await toldOf(/^New database: Patchbay doesn’t know events before .*\.$/)).toBeDefined();
    await people.bot({ do: 'kill' });
    await people.bot({ do: 'start' });
    await people.advance('3m');
    expect((await notified()).filter((text) => text.startsWith('New database'))).toHaveLength(1);
  });

  it('says that alerts are undelivered, though Slack answers otherwise, and tells its admin afterwards', async () => {
    await toldOf(/^New database/);
    await people.fault({ service: 'slack', match: 'chat.postMessage', kind: 'status', status: 500 });
    await people.world({ do: 'patch-fails', device: 'web-01', reason: 'one' });
    // On a busy machine the clock may move in one step: the alert has to be waiting before, not from then on.
    const waits = async () => {
      await people.advance('30s');
      return messageText(await people.runs('admin', 'status')).includes('(1 alert)');
    };
    await until(waits, { what: 'an alert that waits for Slack' });
    await people.advance('15m');
    const status = await until(async () => {
      const text = messageText(await people.runs('admin', 'status'));
      return /waiting for Slack since/.test(text) && text;
    });
    expect(status).toMatch(/⚠️ \*Patchbay needs attention/);
    expect(status).toMatch(/1 alert.* waiting for Slack since/);
    await people.clearFaults();
    await people.advance('10m');
    // The next try of a message is due after a while, and so is the end of the problem.
    const over = async () => {
      await people.advance('1m');
      return (await notified()).some((text) => /^✅ .*: Messages waited for Slack\.\nStarted /.test(text));
    };
    await until(over, { what: 'the end of the trouble' });
    expect((await people.posts('patch-alerts')).length).toBe(1);
    // Other messages waited, too, and each is tried again at its own time.
    const isDone = async () => {
      await people.advance('1m');
      return !/waiting for Slack since/.test(messageText(await people.runs('admin', 'status')));
    };
    await until(isDone, { what: 'a status without messages that wait' });
  });
});
