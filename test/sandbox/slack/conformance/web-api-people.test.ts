/** users.*, usergroups.*, and pages of lists. */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerOf, BOT, OPERATOR, OPS, startWorkspace } from '../harness/workspace-harness.ts';
import { bench, METHODS } from './conformance-harness.ts';

const on = bench();

describe(`${METHODS}users.info`, () => {
  it('tells the language on request, and finds people by address', async () => {
    const { user } = await on.call('users.info', { user: OPERATOR, include_locale: true });
    const profile = { email: 'operator@sandbox.example', image_72: expect.stringMatching(/^https:/) };
    expect(user).toMatchObject({ locale: 'en-US', profile });
    const found = await on.call('users.lookupByEmail', { email: 'Operator@sandbox.example' });
    expect(found['user']).toMatchObject({ id: OPERATOR });
    expect(found['user']).not.toHaveProperty('locale');
  });
});

it('https://docs.slack.dev/reference/objects/user-object: people have a first and a last name', async () => {
  const { user } = await on.call('users.info', { user: OPERATOR });
  expect(user).toMatchObject({
    profile: { real_name: 'Olive Operator', first_name: 'Olive', last_name: 'Operator' },
  });
});

it(`${METHODS}bots.info tells of the bot that is named, and ignores the team of a workspace's token`, async () => {
  expect(await on.call('bots.info')).not.toHaveProperty('bot');
  expect(await on.call('bots.info', { bot: 'B0PATCHBAY1', team_id: 'T1' })).toMatchObject({
    bot: { id: 'B0PATCHBAY1' },
  });
});

it('https://docs.slack.dev/reference/objects: people, bots, groups and channels have real times', async () => {
  const { user } = await on.client.users.info({ user: OPERATOR });
  const { bot } = await on.client.bots.info({ bot: 'B0PATCHBAY1' });
  const { usergroups } = await on.client.usergroups.list();
  const { channel } = await on.client.conversations.info({ channel: OPS });
  const seconds = [user?.updated, bot?.updated, usergroups?.[0]?.date_create, channel?.created];
  for (const time of seconds) expect(new Date(Number(time) * 1000).getUTCFullYear()).toBe(2020);
  const { updated } = z.object({ updated: z.number() }).parse(channel);
  expect(new Date(updated).getUTCFullYear()).toBe(2020);
});

it('https://docs.slack.dev/reference/objects/usergroup-object: a group says who changed it', async () => {
  const { usergroups } = await on.call('usergroups.list');
  expect(usergroups).toMatchObject([
    { is_external: false, updated_by: BOT, deleted_by: null },
    { handle: 'fleet-operators' },
  ]);
});

it.each([
  [-1, 8],
  ['x', 8],
  [5_000, 8],
  [3, 3],
])('https://docs.slack.dev/apis/web-api/pagination: a limit of %s is adjusted', async (limit, count) => {
  const { members } = await on.call('users.list', { limit });
  expect(members).toHaveLength(count);
  expect(await on.call('conversations.history', { channel: OPS, limit })).toMatchObject({ ok: true });
});

it('https://docs.slack.dev/apis/web-api/pagination: a cursor goes on where the page ended', async () => {
  const ids: (string | undefined)[] = [];
  let cursor = '';
  do {
    const page = await on.client.users.list({ limit: 3, cursor });
    ids.push(...(page.members ?? []).map(({ id }) => id));
    cursor = page.response_metadata?.next_cursor ?? '';
  } while (cursor !== '');
  expect(ids).toHaveLength(8);
  expect(new Set(ids).size).toBe(8);
});

it(`${METHODS}conversations.history and others: cursors read like those of the examples`, async () => {
  for (const text of ['1', '2']) await on.call('chat.postMessage', { channel: OPS, text });
  await on.client.conversations.open({ users: OPERATOR });
  await on.client.conversations.open({ users: 'U0VIEWER001' });
  const cursors = [
    await on.client.conversations.history({ channel: OPS, limit: 1 }),
    await on.client.conversations.list({ limit: 1 }),
    await on.client.conversations.list({ types: 'im', limit: 1 }),
    await on.client.conversations.members({ channel: OPS, limit: 1 }),
    await on.client.users.list({ limit: 1 }),
  ].map(({ response_metadata: { next_cursor = '' } = {} }) => Buffer.from(next_cursor, 'base64').toString());
  expect(cursors).toEqual([
    expect.stringMatching(/^next_ts:\d{16}$/),
    expect.stringMatching(/^team:C/),
    expect.stringMatching(/^im_id:D/),
    expect.stringMatching(/^\{user_id: U\w+\}$/),
    expect.stringMatching(/^user:U/),
  ]);
});

it(`${METHODS}team.info knows no domain outside of an Enterprise organization`, async () => {
  expect(await on.call('team.info', { domain: 'sandbox' })).toMatchObject({
    error: 'team_not_on_enterprise',
  });
  expect(await on.call('team.info', { domain: 'sandbox', team: 'T0SANDBOX01' })).toMatchObject({ ok: true });
});

it.each([true, false])(
  'https://docs.slack.dev/apis/web-api/user-presence-and-status: always_active of a bot that is always online: %s',
  async (alwaysOnline) => {
    const { workspace } = await startWorkspace({
      botUser: { display_name: 'Patchbay', always_online: alwaysOnline },
    });
    const { user } = await answerOf(workspace, 'users.info', { user: BOT });
    expect(user).toMatchObject({ profile: { always_active: alwaysOnline } });
  },
);
