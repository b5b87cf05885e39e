/** Events of joining and archiving against Slack's reference pages. */
import { describe, expect, it } from 'vitest';
import { listening } from '../harness/listening-bot.ts';
import { answerOf, BOT, OPS, RANDOM } from '../harness/workspace-harness.ts';

const EVENTS = 'https://docs.slack.dev/reference/events';
const TS = expect.stringMatching(/^\d+\.\d{6}$/);

describe(`${EVENTS}/member_joined_channel`, () => {
  it('tells of the bot and of people where it is', async () => {
    const { workspace, heard } = await listening(['member_joined_channel']);
    await workspace.invite({ user: 'viewer', channel: 'random' });
    await workspace.join({ user: 'outsider', channel: 'ops' });
    await expect.poll(() => heard().length).toBe(2);
    const event = { type: 'member_joined_channel', channel_type: 'C', team: 'T0SANDBOX01', event_ts: TS };
    expect(heard()).toEqual([
      { ...event, user: BOT, channel: RANDOM, inviter: 'U0VIEWER001' },
      { ...event, user: 'U0OUTSIDER1', channel: OPS },
    ]);
  });
});

it.each([
  ['channel_archive', 'channels', OPS],
  ['group_archive', 'groups', 'C0SECRET001'],
])(`${EVENTS}/%s needs %s:read`, async (type, kind, channel) => {
  for (const needed of [[`${kind}:read`], []]) {
    const scopes = ['commands', 'channels:manage', 'groups:write', ...needed];
    const { workspace, heard } = await listening([type], { scopes });
    expect(await answerOf(workspace, 'conversations.archive', { channel })).toMatchObject({ ok: true });
    await workspace.command({ user: 'operator', channel: 'approvals', command: '/fleet', text: '' });
    const told = needed.map(() => ({ type, channel, user: BOT, event_ts: TS }));
    expect(heard()).toEqual([...told, undefined]);
  }
});
