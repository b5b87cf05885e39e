import { describe, expect, it } from 'vitest';
import {
  answerOf,
  BOT,
  clientOf,
  errorOf,
  OPERATOR,
  OPS,
  OUTSIDER,
  RANDOM,
  startWorkspace,
} from '../harness/workspace-harness.ts';

describe('conversations.list', () => {
  it('has the public channels, and says where the bot is a member', async () => {
    const { workspace } = await startWorkspace();
    const { channels = [] } = await clientOf(workspace).conversations.list();
    const membership = channels.map(({ name, is_member }) => [name, is_member]);
    expect(membership).toEqual([
      ['ops', true],
      ['approvals', true],
      ['patch-alerts', true],
      ['new-devices', true],
      ['random', false],
      ['old-alerts', true],
    ]);
  });

  it('has direct messages once they are open', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    expect((await client.conversations.list({ types: 'im' })).channels).toEqual([]);
    await client.conversations.open({ users: OPERATOR });
    expect((await client.conversations.list({ types: 'im' })).channels).toMatchObject([{ user: OPERATOR }]);
  });

  it('goes page by page', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    const names: (string | undefined)[] = [];
    let cursor = '';
    do {
      const page = await client.conversations.list({ limit: 2, cursor });
      names.push(...(page.channels ?? []).map(({ name }) => name));
      cursor = page.response_metadata?.next_cursor ?? '';
    } while (cursor !== '');
    expect(names).toEqual(['ops', 'approvals', 'patch-alerts', 'new-devices', 'random', 'old-alerts']);
  });

  it.each([
    ['unknown types', { types: 'public_channel,forum' }, 'invalid_types'],
    ['a limit out of range', { limit: 1_001 }, 'invalid_limit'],
    ['a limit that is no number', { limit: 'many' }, 'invalid_limit'],
    ['a cursor of somebody else', { cursor: 'bmV4dDpY' }, 'invalid_cursor'],
    ['a type without its scope', { types: 'private_channel' }, 'missing_scope'],
  ])('refuses %s', async (_what, args, error) => {
    const { workspace } = await startWorkspace();
    expect(await answerOf(workspace, 'conversations.list', args)).toMatchObject({ ok: false, error });
  });
});

it('conversations.info tells of a channel', async () => {
  const { workspace } = await startWorkspace();
  const client = clientOf(workspace);
  expect((await client.conversations.info({ channel: OPS })).channel).toMatchObject({
    id: OPS,
    name: 'ops',
    is_private: false,
    is_archived: false,
    is_member: true,
  });
  expect(await errorOf(client.conversations.info({ channel: 'ops' }))).toBe('channel_not_found');
  expect(await answerOf(workspace, 'conversations.info', {})).toMatchObject({ error: 'invalid_arguments' });
});

it('conversations.members has the people of a channel, and the bot', async () => {
  const { workspace } = await startWorkspace();
  const { members } = await clientOf(workspace).conversations.members({ channel: OPS });
  expect(members).toContain(OPERATOR);
  expect(members).toContain(BOT);
  expect(members).not.toContain(OUTSIDER);
});

describe('conversations.open', () => {
  it('opens one direct message for each person', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    const first = await client.conversations.open({ users: OPERATOR });
    const again = await client.conversations.open({ users: OPERATOR, return_im: true });
    expect(again).toMatchObject({ already_open: true, channel: { id: first.channel?.id, user: OPERATOR } });
  });

  it('resumes a direct message only with the scope for its type', async () => {
    const { workspace } = await startWorkspace({ scopes: ['chat:write', 'mpim:write'] });
    const { channel } = await clientOf(workspace).chat.postMessage({ channel: OPERATOR, text: 'hi' });
    expect(await answerOf(workspace, 'conversations.open', { channel })).toMatchObject({
      error: 'missing_scope',
      needed: 'im:write',
    });
  });

  it.each([
    ['nobody', {}, 'users_list_not_supplied'],
    ['an unknown person', { users: 'U0NOBODY001' }, 'user_not_found'],
    ['several people without the scope for it', { users: `${OPERATOR},${OUTSIDER}` }, 'missing_scope'],
    ['a channel', { channel: OPS }, 'method_not_supported_for_channel_type'],
  ])('refuses %s', async (_what, args, error) => {
    const { workspace } = await startWorkspace();
    expect(await answerOf(workspace, 'conversations.open', args)).toMatchObject({ ok: false, error });
  });
});

it('conversations.join takes the bot into public channels only', async () => {
  const { workspace } = await startWorkspace();
  const client = clientOf(workspace);
  const { channel } = await client.conversations.open({ users: OPERATOR });
  expect(await errorOf(client.conversations.join({ channel: channel?.id ?? '' }))).toBe(
    'method_not_supported_for_channel_type',
  );
  const joined = await client.conversations.join({ channel: RANDOM });
  expect(joined.channel).toMatchObject({ is_member: true });
  expect(await client.chat.postMessage({ channel: RANDOM, text: 'hi' })).toMatchObject({ ok: true });
});

describe('people', () => {
  it('are listed with the bot', async () => {
    const { workspace } = await startWorkspace();
    const { members = [] } = await clientOf(workspace).users.list({});
    expect(members.map(({ name }) => name)).toEqual([
      'operator',
      'operator2',
      'approver',
      'approver2',
      'viewer',
      'admin',
      'outsider',
      'patchbay',
    ]);
  });

  it('are distinguished from bots, and show an address only with its scope', async () => {
    const { workspace } = await startWorkspace({ scopes: ['users:read'] });
    const client = clientOf(workspace);
    expect((await client.users.info({ user: BOT })).user).toMatchObject({ is_bot: true });
    const { user } = await client.users.info({ user: OPERATOR });
    expect(user).toMatchObject({ name: 'operator', is_bot: false });
    expect(user?.profile?.email).toBeUndefined();
    const withEmail = await startWorkspace({ scopes: ['users:read', 'users:read.email'] });
    const known = await clientOf(withEmail.workspace).users.info({ user: OPERATOR });
    expect(known.user?.profile?.email).toBe('operator@sandbox.example');
    expect(await errorOf(client.users.info({ user: 'U0NOBODY001' }))).toBe('user_not_found');
  });

  it('stand in user groups', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    const { usergroups = [] } = await client.usergroups.list({ include_users: true });
    expect(usergroups.map(({ handle, users }) => [handle, users])).toEqual([
      ['fleet-approvers', ['U0APPROVER1', 'U0APPROVER2']],
      ['fleet-operators', ['U0OPERATOR1', 'U0OPERATOR2']],
    ]);
    const bare = await client.usergroups.list();
    expect(bare.usergroups?.[0]?.users).toBeUndefined();
    const { users } = await client.usergroups.users.list({ usergroup: 'S0APPROVERS' });
    expect(users).toEqual(['U0APPROVER1', 'U0APPROVER2']);
    expect(await errorOf(client.usergroups.users.list({ usergroup: 'S1' }))).toBe('no_such_subteam');
  });
});

it('bots.info and team.info tell of the app and the workspace', async () => {
  const { workspace } = await startWorkspace();
  const client = clientOf(workspace);
  const { bot } = await client.bots.info({ bot: 'B0PATCHBAY1' });
  expect(bot).toMatchObject({ app_id: 'A0PATCHBAY1', user_id: BOT, name: 'patchbay' });
  expect(await errorOf(client.bots.info({ bot: 'B1' }))).toBe('bot_not_found');
  expect((await client.team.info({})).team).toMatchObject({ id: 'T0SANDBOX01', domain: 'sandbox' });
  expect(await errorOf(client.team.info({ team: 'T1' }))).toBe('team_not_found');
});
