import { expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();

it('a link to a device shows its state, and its button shows the device to the person who presses it', async () => {
  const { text } = await people.runs('operator', 'device web-01');
  expect(text).toContain('web-01');
  const found = await people.runs('operator', 'devices web-01');
  const [, id = ''] = /"device\\":(\d+)/.exec(JSON.stringify(found.blocks)) ?? [];
  const url = `https://console.example.com/device/${id}`;
  await people.message({ user: 'operator', channel: 'ops', text: `look at <${url}>` });
  const unfurled = () =>
    until(async () => {
      const messages = await people.messages('ops', 'operator');
      return messages.find((message) => JSON.stringify(message).includes('is_app_unfurl'));
    });
  const shown = await unfurled();
  expect(JSON.stringify(shown)).toContain('Online');
  expect((await people.journal('slack')).some(({ path }) => path.includes('chat.unfurl'))).toBe(true);
  const answer = await people.presses('viewer', { ...shown, channel: 'ops' }, `device:${id}`);
  expect(answer.text).toMatch(/^web-01: Online/);
});

it('a link alone in a direct message is answered with the card of the device', async () => {
  const channel = '@viewer';
  const answer = await people.says('viewer', '<https://console.example.com/device/4001>', { channel });
  expect(answer.text).toMatch(/^web-01: Online/);
  expect(answer.ephemeral).toBe(false);
  const none = await people.says('viewer', '<https://console.example.com/device/999999>', { channel });
  expect(none.text).toMatch(/#999999/);
});

it('says nothing of a device to a channel for somebody without a role', async () => {
  const before = (await people.journal('slack')).length;
  await people.message({
    user: 'outsider',
    channel: 'random',
    text: 'look at <https://console.example.com/device/1001>',
  });
  // The answer to a later question shows that the link was seen and left alone.
  await people.runs('operator', 'status');
  const since = (await people.journal('slack')).slice(before);
  expect(since.filter(({ path }) => path.includes('chat.unfurl'))).toEqual([]);
});
