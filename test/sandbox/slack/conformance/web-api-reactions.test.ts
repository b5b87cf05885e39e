/** reactions.*: https://docs.slack.dev/reference/methods?family=reactions. */
import { describe, expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { BOT, OPS, RANDOM } from '../harness/workspace-harness.ts';
import { bench, METHODS, posted, type RefusalRow, refusals, typed } from './conformance-harness.ts';

const on = bench({
  scopes: ['chat:write', 'channels:read', 'channels:history', 'reactions:read', 'reactions:write'],
  events: ['reaction_added'],
});
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
const eyes = { channel: OPS, name: 'eyes' };

describe('refusals', () => {
  refusals(
    on,
    [
      ['reactions.add', 'no message', eyes, 'no_item_specified'],
      ['reactions.add', 'no channel', { name: 'eyes', timestamp: '1.000001' }, 'no_item_specified'],
      ['reactions.add', 'a timestamp that is none', { ...eyes, timestamp: 'x' }, 'bad_timestamp'],
      ['reactions.add', 'an unknown message', { ...eyes, timestamp: '1.000001' }, 'message_not_found'],
      [
        'reactions.add',
        'an unknown channel',
        { ...eyes, channel: 'C1', timestamp: '1.000001' },
        'channel_not_found',
      ],
      [
        'reactions.add',
        'a name that is none',
        async (it) => ({ ...eyes, name: ':Eyes:', timestamp: await posted(it) }),
        'invalid_name',
      ],
      [
        'reactions.remove',
        'what is not there',
        async (it) => ({ ...eyes, timestamp: await posted(it) }),
        'no_reaction',
      ],
      ['reactions.get', 'no message', { channel: OPS }, 'no_item_specified'],
      ['reactions.add', 'a file', { name: 'eyes', file: 'F1' }, 'not_reactable'],
      ['reactions.add', 'a comment', { name: 'eyes', file_comment: 'Fc1' }, 'not_reactable'],
      [
        'reactions.add',
        'a skin tone of what has none',
        async (it) => ({ ...eyes, name: 'eyes::skin-tone-3', timestamp: await posted(it) }),
        'invalid_name',
      ],
      ...['reactions.add', 'reactions.remove'].map(
        (method): RefusalRow => [
          method,
          'a channel without the bot',
          async (it) => ({ channel: RANDOM, name: 'eyes', timestamp: await typed(it, 'mine', 'random') }),
          'not_in_channel',
        ],
      ),
    ],
    error,
  );
});

it(`${METHODS}reactions.add puts one of each kind under a message`, async () => {
  const timestamp = await typed(on);
  expect(await on.call('reactions.add', { ...eyes, timestamp })).toMatchObject({ ok: true });
  await on.call('reactions.add', { ...eyes, name: 'wave::skin-tone-3', timestamp });
  error(await on.call('reactions.add', { ...eyes, timestamp }), 'already_reacted');
  const { message } = await on.call('reactions.get', { channel: OPS, timestamp });
  expect(message).toMatchObject({
    reactions: [
      { name: 'eyes', users: [BOT], count: 1 },
      { name: 'wave::skin-tone-3', users: [BOT], count: 1 },
    ],
    // docs.slack.dev/reference/methods/reactions.get, its example
    permalink: `https://sandbox.slack.com/archives/${OPS}/p${timestamp.replace('.', '')}`,
  });
  expect(on.workspace.messages({ channel: 'ops', user: 'operator' })).toMatchObject([
    { reactions: [{ name: 'eyes' }, { name: 'wave::skin-tone-3' }] },
  ]);
});

it(`${METHODS}reactions.remove takes it away again`, async () => {
  const timestamp = await posted(on);
  await on.call('reactions.add', { ...eyes, timestamp });
  expect(await on.call('reactions.remove', { ...eyes, timestamp })).toMatchObject({ ok: true });
  const { message } = await on.call('reactions.get', { channel: OPS, timestamp });
  expect(message).not.toHaveProperty('reactions');
});

it('https://docs.slack.dev/reference/events/reaction_added: the bot hears of it where it subscribes', async () => {
  const bot = await startRawBot(on.workspace);
  const timestamp = await posted(on);
  await on.call('reactions.add', { ...eyes, timestamp });
  await expect
    .poll(() => bot.last()['event'])
    .toMatchObject({
      type: 'reaction_added',
      reaction: 'eyes',
      item: { type: 'message', channel: OPS, ts: timestamp, channel_type: 'channel' },
    });
});
