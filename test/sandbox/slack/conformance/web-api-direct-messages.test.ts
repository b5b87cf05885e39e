/** conversations.open: direct messages of the bot with one person or several. */
import { describe, expect, it } from 'vitest';
import { BOT, OPERATOR, OUTSIDER } from '../harness/workspace-harness.ts';
import { bench, METHODS } from './conformance-harness.ts';

const on = bench();
const openGroup = async (users: string) => {
  const { channel } = await on.client.conversations.open({ users });
  return channel?.id ?? '';
};

describe(`${METHODS}conversations.open`, () => {
  it('opens the same direct message for the same people, in whatever order', async () => {
    const id = await openGroup(`${OPERATOR},${OUTSIDER}`);
    const again = await on.call('conversations.open', { users: `${OUTSIDER}, ${OPERATOR}`, return_im: true });
    expect(again).toMatchObject({ already_open: true, no_op: true, channel: { id, is_mpim: true } });
    expect(await openGroup(`${OPERATOR},U0VIEWER001`)).not.toBe(id);
    expect(await openGroup(OPERATOR)).toMatch(/^D/);
    expect(await openGroup(`${OPERATOR},${BOT}`)).toBe(await openGroup(OPERATOR));
  });

  it('resumes one by its id', async () => {
    const id = await openGroup(`${OPERATOR},${OUTSIDER}`);
    const again = await on.call('conversations.open', { channel: id });
    expect(again).toMatchObject({ ok: true, already_open: true, channel: { id } });
    const { members } = await on.client.conversations.members({ channel: id });
    expect(members).toEqual([OPERATOR, OUTSIDER, BOT]);
  });
});

it('https://docs.slack.dev/reference/objects/mpim-object: a group has who opened it, and when', async () => {
  const byPerson = await on.workspace.open({ user: OPERATOR, people: ['admin'] });
  const byBot = await openGroup(`${OPERATOR},U0APPROVER2`);
  const now = Math.floor(on.clock.now() / 1_000);
  for (const [channel, creator] of [
    [byPerson.channel, OPERATOR],
    [byBot, BOT],
  ]) {
    const found = await on.call('conversations.info', { channel });
    expect(found).toMatchObject({
      channel: { creator, created: now, updated: now * 1_000, topic: { creator } },
    });
  }
});
