/** conversations.*, and the refusals of users.*, usergroups.*, bots.*, team.*. */
import { describe, expect, it } from 'vitest';
import { BOT, OPERATOR, OPS, OUTSIDER, RANDOM } from '../harness/workspace-harness.ts';
import { ARCHIVED, bench, METHODS, posted, type RefusalRow, refusals } from './conformance-harness.ts';

const on = bench();
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
const NINE = Array.from({ length: 9 }, (_, index) => `U0PERSON${index}`).join(',');
const openGroup = async (users: string) => {
  const { channel } = await on.client.conversations.open({ users });
  return channel?.id ?? '';
};

describe('refusals', () => {
  refusals(
    on,
    [
      ['conversations.list', 'a limit of 1,000', { limit: 1_000 }, 'invalid_limit'],
      ['conversations.list', 'a negative limit', { limit: -1 }, 'invalid_limit'],
      ['conversations.list', 'an unknown type', { types: 'forum' }, 'invalid_types'],
      ['conversations.list', 'a made-up cursor', { cursor: 'x' }, 'invalid_cursor'],
      ['conversations.info', 'a name', { channel: 'ops' }, 'channel_not_found'],
      ['conversations.members', 'a limit of 1,000', { channel: OPS, limit: 1_000 }, 'invalid_limit'],
      ['conversations.members', 'an unknown channel', { channel: 'C1' }, 'channel_not_found'],
      ['conversations.members', 'a made-up cursor', { channel: OPS, cursor: 'x' }, 'invalid_cursor'],
      ['conversations.history', 'a channel without the bot', { channel: RANDOM }, 'not_in_channel'],
      [
        'conversations.history',
        'an oldest that is no time',
        { channel: OPS, oldest: 'x' },
        'invalid_ts_oldest',
      ],
      [
        'conversations.history',
        'a latest that is no time',
        { channel: OPS, latest: 'x' },
        'invalid_ts_latest',
      ],
      ['conversations.history', 'a made-up cursor', { channel: OPS, cursor: 'x' }, 'invalid_cursor'],
      [
        'conversations.replies',
        'a channel without the bot',
        { channel: RANDOM, ts: '1.1' },
        'not_in_channel',
      ],
      ...['conversations.history', 'conversations.replies'].map(
        (method): RefusalRow => [
          method,
          'keys of metadata that are no list',
          { channel: OPS, ts: '1.000001', metadata_keys_to_include: 'x' },
          'invalid_metadata_filter_keys',
        ],
      ),
      ['conversations.replies', 'an unknown thread', { channel: OPS, ts: '1.000001' }, 'thread_not_found'],
      // https://github.com/brekkylab/backlot/issues/84
      ['conversations.replies', 'an empty thread', { channel: OPS, ts: '' }, 'thread_not_found'],
      ['conversations.replies', 'no thread', { channel: OPS }, 'invalid_arguments'],
      ['conversations.info', 'an empty channel', { channel: '' }, 'channel_not_found'],
      ['conversations.info', 'no channel', {}, 'invalid_arguments'],
      [
        'conversations.replies',
        'a made-up cursor',
        async (it) => ({ channel: OPS, ts: await posted(it), cursor: 'x' }),
        'invalid_cursor',
      ],
      ['conversations.join', 'an archived channel', { channel: ARCHIVED }, 'is_archived'],
      ['conversations.join', 'an unknown channel', { channel: 'C1' }, 'channel_not_found'],
      ['conversations.archive', 'an archived channel', { channel: ARCHIVED }, 'already_archived'],
      ['conversations.archive', 'a channel without the bot', { channel: RANDOM }, 'not_in_channel'],
      [
        'conversations.archive',
        'a direct message',
        async () => ({ channel: await openGroup(`${OPERATOR},${OUTSIDER}`) }),
        'method_not_supported_for_channel_type',
      ],
      ['conversations.open', 'nobody', {}, 'users_list_not_supplied'],
      ['conversations.open', 'an unknown person', { users: `${OPERATOR},U0NOBODY001` }, 'user_not_found'],
      ['conversations.open', 'the app alone', { users: BOT }, 'not_enough_users'],
      ['conversations.open', 'nine people', { users: NINE }, 'too_many_users'],
      ['conversations.open', 'a channel', { channel: OPS }, 'method_not_supported_for_channel_type'],
      [
        'conversations.open',
        'what would have to be made',
        { users: OUTSIDER, prevent_creation: true },
        'channel_not_found',
      ],
      ['users.info', 'nobody', { user: 'U0NOBODY001' }, 'user_not_found'],
      // Seen live: github.com/kortix-ai/suna/pull/6616.
      ['users.info', 'no argument', {}, 'user_not_found'],
      ['users.list', 'a made-up cursor', { cursor: 'x' }, 'invalid_cursor'],
      ['users.lookupByEmail', 'an unknown address', { email: 'x@y.example' }, 'users_not_found'],
      ['users.conversations', 'an unknown type', { types: 'forum' }, 'invalid_types'],
      ['usergroups.users.list', 'an unknown group', { usergroup: 'S1' }, 'no_such_subteam'],
      ['bots.info', 'an unknown bot', { bot: 'B1' }, 'bot_not_found'],
      ['team.info', 'an unknown team', { team: 'T1' }, 'team_not_found'],
    ],
    error,
  );

  it.each([
    ['chat.postMessage', 'channel'],
    ['chat.update', 'channel'],
    ['conversations.info', 'channel'],
    ['conversations.history', 'channel'],
    ['users.lookupByEmail', 'email'],
    ['usergroups.users.list', 'usergroup'],
    ['views.open', 'view'],
    ['files.info', 'file'],
  ])('%s names the argument that is missing: %s', async (method, name) => {
    expect(await on.call(method)).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
    });
  });
});

describe(`${METHODS}conversations.list`, () => {
  it('leaves archived channels out on request', async () => {
    const names = async (args = {}) => {
      const { channels = [] } = await on.client.conversations.list(args);
      return channels.map(({ name }) => name);
    };
    expect(await names()).toContain('old-alerts');
    expect(await names({ exclude_archived: true })).not.toContain('old-alerts');
  });

  it('counts archived channels for the limit before it leaves them out', async () => {
    const args = { exclude_archived: true, limit: 5 };
    const { channels, response_metadata } = await on.client.conversations.list(args);
    expect(channels).toHaveLength(5);
    const cursor = response_metadata?.next_cursor ?? '';
    expect(await on.call('conversations.list', { ...args, cursor })).toMatchObject({
      channels: [],
      response_metadata: { next_cursor: '' },
    });
  });

  it('has the direct messages of several by their type', async () => {
    const id = await openGroup(`${OPERATOR},${OUTSIDER}`);
    expect(await on.call('conversations.list', { types: 'mpim' })).toMatchObject({
      channels: [
        {
          ...{ id, name: 'mpdm-operator--outsider--patchbay-1', is_mpim: true, num_members: 3, priority: 0 },
          topic: { value: 'Group messaging', creator: BOT },
          purpose: { value: 'Group messaging with: @operator @outsider @patchbay', creator: BOT },
        },
      ],
    });
    expect(await on.call('conversations.list', { types: 'im' })).toMatchObject({ channels: [] });
  });
});

describe(`${METHODS}users.conversations`, () => {
  it('has the channels of the bot, or of a person as far as the bot may see', async () => {
    const names = async (args = {}) => {
      const { channels = [] } = await on.client.users.conversations({ exclude_archived: true, ...args });
      return channels.map(({ name }) => name);
    };
    expect(await names()).toEqual(['ops', 'approvals', 'patch-alerts', 'new-devices']);
    expect(await names({ user: OUTSIDER })).toEqual(['random']);
    const { channels } = await on.call('users.conversations');
    for (const name of ['is_member', 'num_members']) expect(channels).not.toHaveProperty(`0.${name}`);
    await openGroup(`${OPERATOR},${OUTSIDER}`);
    expect(await names({ user: OUTSIDER, types: 'mpim' })).toHaveLength(1);
    expect(await names({ user: 'U0VIEWER001', types: 'mpim' })).toEqual([]);
  });
});

describe(`${METHODS}conversations.info`, () => {
  it('counts members on request', async () => {
    const bare = await on.call('conversations.info', { channel: OPS });
    expect(bare['channel']).not.toHaveProperty('num_members');
    const counted = await on.call('conversations.info', { channel: OPS, include_num_members: true });
    expect(counted['channel']).toHaveProperty('num_members', 7);
  });

  it('counts the two of a direct message too', async () => {
    const channel = await openGroup(OPERATOR);
    const counted = await on.call('conversations.info', { channel, include_num_members: true });
    expect(counted['channel']).toMatchObject({ is_im: true, num_members: 2 });
    const unread = { unread_count: 0, unread_count_display: 0, latest: null };
    expect(await on.call('conversations.open', { channel, return_im: true })).toMatchObject({
      channel: unread,
    });
    const listed = await on.call('conversations.list', { types: 'im' });
    expect(listed['channels']).not.toHaveProperty('0.unread_count');
    expect(listed['channels']).not.toHaveProperty('0.num_members');
  });

  it('https://docs.slack.dev/reference/objects/conversation-object: a private channel is a channel too', async () => {
    const { channel } = await on.call('conversations.info', { channel: 'C0SECRET001' });
    expect(channel).toMatchObject({
      is_channel: true,
      is_group: false,
      is_private: true,
      is_pending_ext_shared: false,
      pending_shared: [],
      pending_connected_team_ids: [],
      shared_team_ids: ['T0SANDBOX01'],
      unlinked: 0,
      parent_conversation: null,
      previous_names: [],
      updated: expect.any(Number),
    });
  });

  it('says what is archived', async () => {
    const { channel } = await on.client.conversations.info({ channel: ARCHIVED });
    expect(channel).toMatchObject({ is_archived: true, is_channel: true });
  });
});

it(`${METHODS}conversations.history repeats the times that were asked for`, async () => {
  const latest = await posted(on);
  const args = { channel: OPS, latest, oldest: '1.000000', inclusive: true };
  expect(await on.call('conversations.history', args)).toMatchObject({ latest, oldest: '1.000000' });
  const bare = await on.call('conversations.history', { channel: OPS });
  for (const name of ['latest', 'oldest']) expect(bare).not.toHaveProperty(name);
});

it(`${METHODS}conversations.join warns a member`, async () => {
  expect(await on.call('conversations.join', { channel: RANDOM })).not.toHaveProperty('warning');
  expect(await on.call('conversations.join', { channel: RANDOM })).toMatchObject({
    ok: true,
    warning: 'already_in_channel',
    response_metadata: { warnings: ['already_in_channel'] },
  });
});

describe(`${METHODS}conversations.replies`, () => {
  it('has a thread page by page, and a message alone where it has no replies', async () => {
    const parent = await posted(on, { text: 'parent' });
    const alone = await posted(on, { text: 'alone' });
    for (const text of ['1', '2', '3']) await posted(on, { thread_ts: parent, text });
    const texts = async (args: { ts: string; limit?: number; cursor?: string; oldest?: string }) => {
      const page = await on.client.conversations.replies({ channel: OPS, ...args });
      const words = (page.messages ?? []).map(({ text }) => text);
      return { words, more: page.has_more, cursor: page.response_metadata?.next_cursor ?? '' };
    };
    const first = await texts({ ts: parent, limit: 2 });
    expect(first).toMatchObject({ words: ['parent', '1'], more: true });
    const rest = await texts({ ts: parent, limit: 2, cursor: first.cursor });
    expect(rest).toEqual({ words: ['2', '3'], more: false, cursor: '' });
    expect((await texts({ ts: alone })).words).toEqual(['alone']);
  });
});

it('the channels of the page and of the control interface stay as they are', () => {
  expect(on.workspace.channels().map(({ name }) => name)).toEqual([
    'ops',
    'approvals',
    'patch-alerts',
    'new-devices',
    'random',
    'secret-team',
  ]);
});

it(`${METHODS}conversations.archive leaves a channel to be read only`, async () => {
  const ts = await posted(on, { text: 'before' });
  expect(await on.call('conversations.archive', { channel: OPS })).toMatchObject({ ok: true });
  error(await on.call('chat.postMessage', { channel: OPS, text: 'after' }), 'is_archived');
  error(await on.call('chat.update', { channel: OPS, ts, text: 'after' }), 'is_inactive');
  error(await on.call('reactions.add', { channel: OPS, timestamp: ts, name: 'eyes' }), 'is_archived');
  const people = { user: 'operator', channel: 'ops' };
  const refused = { ok: false, error: 'is_archived' };
  expect(await on.workspace.message({ ...people, text: 'after' })).toEqual(refused);
  expect(await on.workspace.command({ ...people, command: '/fleet', text: '' })).toEqual(refused);
  expect(await on.workspace.react({ ...people, ts, name: 'eyes' })).toEqual(refused);
  expect(on.workspace.messages(people)).toMatchObject([{ text: 'before' }]);
  on.workspace.reset();
  expect(await on.call('chat.postMessage', { channel: OPS, text: 'again' })).toMatchObject({ ok: true });
});
