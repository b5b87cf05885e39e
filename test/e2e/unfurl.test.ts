import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { startTown, type Town } from './town.ts';

let town: Town;
beforeAll(async () => {
  town = await startTown();
});
afterAll(() => town.stop());

it('a link to a device shows how it stands, and its button the device to who presses it', async () => {
  const { text } = await town.asks('operator', 'device web-01');
  expect(text).toContain('web-01');
  const found = await town.asks('operator', 'devices web-01');
  const [, id = ''] = /"device\\":(\d+)/.exec(JSON.stringify(found.blocks)) ?? [];
  const url = `https://console.example.com/device/${id}`;
  await town.message({ user: 'operator', channel: 'ops', text: `look at <${url}>` });
  const unfurled = () =>
    until(async () => {
      const messages = await town.messages('ops', 'operator');
      return messages.find((message) => JSON.stringify(message).includes('is_app_unfurl'));
    });
  const shown = await unfurled();
  expect(JSON.stringify(shown)).toContain('Online');
  expect((await town.journal('slack')).some(({ path }) => path.includes('chat.unfurl'))).toBe(true);
  const answer = await town.presses('viewer', { ...shown, channel: 'ops' }, `device:${id}`);
  expect(answer.text).toMatch(/^web-01: Online/);
});

it('a link alone in a direct message is answered with the card of the device', async () => {
  const channel = '@viewer';
  const answer = await town.says('viewer', '<https://console.example.com/device/4001>', { channel });
  expect(answer.text).toMatch(/^web-01: Online/);
  expect(answer.ephemeral).toBe(false);
  const none = await town.says('viewer', '<https://console.example.com/device/999999>', { channel });
  expect(none.text).toMatch(/#999999/);
});

it('says nothing of a device to a channel for somebody without a role', async () => {
  const before = (await town.journal('slack')).length;
  await town.message({
    user: 'outsider',
    channel: 'random',
    text: 'look at <https://console.example.com/device/1001>',
  });
  // The answer to a later question shows that the link was met and left alone.
  await town.asks('operator', 'status');
  const since = (await town.journal('slack')).slice(before);
  expect(since.filter(({ path }) => path.includes('chat.unfurl'))).toEqual([]);
});
