/** conversations.*, users.*, usergroups.*, bots.info; files.*: https://docs.slack.dev/messaging/working-with-files. */

import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BOT, OPERATOR, OPS, OUTSIDER, RANDOM } from '../harness/workspace-harness.ts';
import {
  ARCHIVED,
  type Args,
  bench,
  type ConformanceBench,
  METHODS,
  posted,
  refusals,
} from './conformance-harness.ts';

const on = bench();
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });

describe('refusals', () => {
  refusals(
    on,
    [
      ['conversations.info', 'a name', { channel: 'ops' }, 'channel_not_found'],
      ['conversations.info', 'an empty channel', { channel: '' }, 'channel_not_found'],
      ['conversations.info', 'no channel', {}, 'invalid_arguments'],
      ['conversations.history', 'a channel without the bot', { channel: RANDOM }, 'not_in_channel'],
      ['conversations.history', 'an unknown channel', { channel: 'C1' }, 'channel_not_found'],
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
      ['conversations.replies', 'an unknown thread', { channel: OPS, ts: '1.000001' }, 'thread_not_found'],
      // https://github.com/brekkylab/backlot/issues/84
      ['conversations.replies', 'an empty thread', { channel: OPS, ts: '' }, 'thread_not_found'],
      ['conversations.replies', 'no thread', { channel: OPS }, 'invalid_arguments'],
      ['conversations.open', 'nobody', {}, 'users_list_not_supplied'],
      ['conversations.open', 'an unknown person', { users: 'U0NOBODY001' }, 'user_not_found'],
      ['conversations.open', 'the app alone', { users: BOT }, 'not_enough_users'],
      ['users.info', 'nobody', { user: 'U0NOBODY001' }, 'user_not_found'],
      // Seen live: github.com/kortix-ai/suna/pull/6616.
      ['users.info', 'no argument', {}, 'user_not_found'],
      ['users.conversations', 'an unknown type', { types: 'public_channel,forum' }, 'invalid_types'],
      ['users.conversations', 'a limit of 1,000', { limit: 1_000 }, 'invalid_limit'],
      ['users.conversations', 'a made-up cursor', { cursor: 'x' }, 'invalid_cursor'],
      ['usergroups.users.list', 'an unknown group', { usergroup: 'S1' }, 'no_such_subteam'],
      ['bots.info', 'an unknown bot', { bot: 'B1' }, 'bot_not_found'],
    ],
    error,
  );

  it.each([
    ['chat.update', 'channel'],
    ['conversations.history', 'channel'],
    ['usergroups.users.list', 'usergroup'],
    ['views.open', 'view'],
  ])('%s names the argument that is missing: %s', async (method, name) => {
    expect(await on.call(method)).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
    });
  });
});

describe(`${METHODS}users.conversations`, () => {
  const names = async (args: Args = {}) => {
    const { channels = [] } = await on.client.users.conversations({ exclude_archived: true, ...args });
    return channels.map(({ name }) => name);
  };

  it('has the channels of the bot, or of a person as far as the bot may see', async () => {
    expect(await names()).toEqual(['ops', 'approvals', 'patch-alerts', 'new-devices']);
    expect(await names({ exclude_archived: false })).toContain('old-alerts');
    expect(await names({ user: OUTSIDER })).toEqual(['random']);
    expect(await names({ types: 'private_channel', user: 'U0ADMIN0001' })).toEqual(['secret-team']);
    expect(await names({ types: 'private_channel', user: OPERATOR })).toEqual([]);
    const { channels } = await on.call('users.conversations');
    for (const name of ['is_member', 'num_members']) expect(channels).not.toHaveProperty(`0.${name}`);
  });

  it('goes page by page, and counts archived channels before it leaves them out', async () => {
    const args = { exclude_archived: true, limit: 4 };
    const { channels, response_metadata } = await on.client.users.conversations(args);
    expect(channels).toHaveLength(4);
    const cursor = response_metadata?.next_cursor ?? '';
    expect(await on.call('users.conversations', { ...args, cursor })).toMatchObject({
      channels: [],
      response_metadata: { next_cursor: '' },
    });
  });
});

describe(`${METHODS}conversations.info`, () => {
  it('tells of a channel what docs.slack.dev/reference/objects/conversation-object has', async () => {
    const { channel } = await on.call('conversations.info', { channel: 'C0SECRET001' });
    expect(channel).toMatchObject({
      name: 'secret-team',
      is_channel: true,
      is_group: false,
      is_private: true,
      is_archived: false,
      is_member: true,
      is_ext_shared: false,
      is_pending_ext_shared: false,
      pending_shared: [],
      pending_connected_team_ids: [],
      shared_team_ids: ['T0SANDBOX01'],
      previous_names: [],
    });
    const archived = await on.call('conversations.info', { channel: ARCHIVED });
    expect(archived).toMatchObject({ channel: { is_archived: true } });
    const random = await on.call('conversations.info', { channel: RANDOM });
    expect(random).toMatchObject({ channel: { is_member: false } });
  });

  it('tells of a direct message', async () => {
    const { channel: direct } = await on.client.conversations.open({ users: OPERATOR });
    const { channel } = await on.call('conversations.info', { channel: direct?.id });
    expect(channel).toMatchObject({ is_im: true, user: OPERATOR });
  });
});

it(`${METHODS}conversations.open opens one direct message for each person`, async () => {
  const first = await on.call('conversations.open', { users: OPERATOR });
  expect(first).toMatchObject({ channel: { id: 'D0OPERATOR1' } });
  expect(first).not.toHaveProperty('already_open');
  const again = await on.call('conversations.open', { users: OPERATOR });
  expect(again).toMatchObject({ already_open: true, no_op: true, channel: { id: 'D0OPERATOR1' } });
});

/** A channel with the messages 1, 2 and 3, a second apart. */
async function threeMessages() {
  const metadata = { event_type: 'notice', event_payload: { key: 'n_1' } };
  const stamps: string[] = [];
  for (const text of ['1', '2', '3']) {
    stamps.push(await posted(on, { text, metadata }));
    await on.clock.advance(1_000);
  }
  const [first = '', , third = ''] = stamps;
  const texts = async (args: Args) => {
    const { messages = [] } = await on.client.conversations.history({ channel: OPS, ...args });
    return messages.map(({ text }) => text).join(' ');
  };
  return { metadata, first, third, texts };
}

describe(`${METHODS}conversations.history`, () => {
  it('has the newest message first, between two times', async () => {
    const { texts, first, third } = await threeMessages();
    expect(await texts({})).toBe('3 2 1');
    expect(await texts({ oldest: first })).toBe('3 2');
    expect(await texts({ latest: third })).toBe('2 1');
    expect(await texts({ oldest: first, latest: third })).toBe('2');
    expect(await texts({ oldest: '99999999999' })).toBe('');
    // An `oldest` of more than six decimals matches nothing.
    expect(await texts({ oldest: `${first}0` })).toBe('');
  });

  it('goes page by page with a cursor', async () => {
    await threeMessages();
    const first = await on.client.conversations.history({ channel: OPS, limit: 2 });
    expect(first).toMatchObject({ has_more: true, messages: [{ text: '3' }, { text: '2' }] });
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await on.client.conversations.history({ channel: OPS, limit: 2, cursor });
    expect(second).toMatchObject({ has_more: false, messages: [{ text: '1' }] });
  });

  it('has all metadata only when asked for it', async () => {
    const { metadata } = await threeMessages();
    const read = async (args: Args) => on.call('conversations.history', { channel: OPS, limit: 1, ...args });
    expect(await read({})).toMatchObject({ messages: [{ metadata: { event_type: 'notice' } }] });
    expect(await read({})).not.toHaveProperty('messages.0.metadata.event_payload');
    expect(await read({ include_all_metadata: true })).toMatchObject({ messages: [{ metadata }] });
  });

  it('repeats the times that were asked for', async () => {
    const args = { channel: OPS, latest: '2.000000', oldest: '1.000000' };
    expect(await on.call('conversations.history', args)).toMatchObject({
      latest: '2.000000',
      oldest: '1.000000',
    });
    const bare = await on.call('conversations.history', { channel: OPS });
    for (const name of ['latest', 'oldest']) expect(bare).not.toHaveProperty(name);
  });

  it.each([[-1], ['x'], [5_000]])(
    'adjusts a limit of %s (docs.slack.dev/apis/web-api/pagination)',
    async (limit) => {
      const { texts } = await threeMessages();
      expect(await texts({ limit })).toBe('3 2 1');
    },
  );

  it('shows the reactions of people, in the order of the first of each', async () => {
    const ts = await posted(on);
    const react = (user: string, name: string, remove = false) =>
      on.workspace.react({ user, channel: 'ops', ts, name, remove });
    for (const [user, name] of [
      ['operator', ':eyes:'],
      ['viewer', '+1'],
      ['viewer', 'eyes'],
    ] as const)
      expect(await react(user, name)).toEqual({ ok: true });
    expect(await react('viewer', 'eyes')).toEqual({ ok: false, error: 'already_reacted' });
    const { messages } = await on.call('conversations.history', { channel: OPS });
    const reactions = [
      { name: 'eyes', users: [OPERATOR, 'U0VIEWER001'], count: 2 },
      { name: '+1', users: ['U0VIEWER001'], count: 1 },
    ];
    expect(messages).toMatchObject([{ reactions }]);
    expect(await react('viewer', '+1', true)).toEqual({ ok: true });
    expect(await react('viewer', '+1', true)).toEqual({ ok: false, error: 'no_reaction' });
    expect(on.workspace.messages({ user: 'admin', channel: 'ops' })).toMatchObject([
      { reactions: [{ name: 'eyes' }] },
    ]);
  });

  it.each([
    ['a name that is none', { name: 'Not A Name' }, 'invalid_name'],
    ['an unknown message', { ts: '1.000001' }, 'message_not_found'],
    ['a person who is no member', { user: 'outsider' }, 'not_in_channel'],
  ])('a reaction is refused for %s', async (_what, change, word) => {
    const order = { user: 'operator', channel: 'ops', ts: await posted(on), name: 'eyes', ...change };
    expect(await on.workspace.react(order)).toEqual({ ok: false, error: word });
  });
});

describe(`${METHODS}conversations.replies`, () => {
  it('has a thread page by page, and a message alone where it has no replies', async () => {
    const parent = await posted(on, { text: 'parent' });
    const alone = await posted(on, { text: 'alone' });
    for (const text of ['1', '2', '3']) await posted(on, { thread_ts: parent, text });
    const texts = async (args: { ts: string; limit?: number; cursor?: string }) => {
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

describe('https://docs.slack.dev/messaging/retrieving-messages: threads', () => {
  const history = async () => (await on.client.conversations.history({ channel: OPS })).messages;

  it('stay out of the history, and are told by their first message', async () => {
    const ts = await posted(on);
    const reply = await posted(on, { thread_ts: ts });
    const summary = { reply_count: 1, latest_reply: reply, is_locked: false, subscribed: false };
    expect(await history()).toMatchObject([{ ts, thread_ts: ts, ...summary }]);
    await on.call('chat.delete', { channel: OPS, ts: reply });
    expect(await history()).toMatchObject([{ ts, thread_ts: ts }]);
    expect((await history())?.[0]).not.toHaveProperty('reply_count');
  });

  it('name five of the people who replied, and count all', async () => {
    const ts = await posted(on);
    const people = ['operator', 'operator2', 'approver', 'approver2', 'viewer', 'admin'];
    for (const user of people)
      await on.workspace.message({ user, channel: 'ops', text: 'yes', thread_ts: ts });
    const [message] = (await history()) ?? [];
    expect(message).toMatchObject({ reply_count: 6, reply_users_count: 6 });
    expect(message?.reply_users).toHaveLength(5);
  });
});

describe(`${METHODS}users.info`, () => {
  it('distinguishes people from bots, and has their names', async () => {
    const { user } = await on.call('users.info', { user: OPERATOR });
    const names = { real_name: 'Olive Operator', first_name: 'Olive', last_name: 'Operator' };
    expect(user).toMatchObject({
      name: 'operator',
      is_bot: false,
      deleted: false,
      tz: 'Etc/UTC',
      profile: names,
    });
    expect(await on.call('users.info', { user: BOT })).toMatchObject({ user: { is_bot: true } });
  });

  // slack-ruby/slack-ruby-client, spec/fixtures/slack/web, users_info.yml
  it('has what a person has not said, and empty', async () => {
    const profile = { title: '', phone: '', skype: '', fields: null, status_text: '', status_emoji: '' };
    for (const id of [OPERATOR, BOT])
      expect(await on.call('users.info', { user: id })).toMatchObject({
        user: {
          color: expect.stringMatching(/^[0-9a-f]{6}$/),
          who_can_share_contact_card: 'EVERYONE',
          profile,
        },
      });
  });
});

it(`${METHODS}usergroups: a group has its people and who changed it`, async () => {
  expect(await on.call('usergroups.list', { include_disabled: true })).toMatchObject({
    usergroups: [
      { handle: 'fleet-approvers', is_external: false, date_delete: 0, updated_by: BOT, deleted_by: null },
      { handle: 'fleet-operators', team_id: 'T0SANDBOX01' },
      { handle: 'production-approvers' },
    ],
  });
  expect(await on.call('usergroups.users.list', { usergroup: 'S0APPROVERS' })).toMatchObject({
    users: ['U0APPROVER1', 'U0APPROVER2'],
  });
});

it(`${METHODS}bots.info tells of the bot that is named`, async () => {
  expect(await on.call('bots.info')).not.toHaveProperty('bot');
  expect(await on.call('bots.info', { bot: 'B0PATCHBAY1' })).toMatchObject({
    bot: { id: 'B0PATCHBAY1', app_id: 'A0PATCHBAY1', user_id: BOT, name: 'patchbay' },
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

const seen = (channel = 'ops') => on.workspace.messages({ channel, user: 'operator' }) ?? [];

async function begun({ call }: ConformanceBench, length = 5) {
  const answer = await call('files.getUploadURLExternal', { filename: 'my report.csv', length });
  return { id: String(answer['file_id']), url: String(answer['upload_url']) };
}

async function uploaded(it: ConformanceBench): Promise<string> {
  const { id, url } = await begun(it);
  expect(await (await fetch(url, { method: 'POST', body: 'a,b,c' })).text()).toBe('OK - 5');
  return id;
}

const complete = (id: string, args: Args = {}) =>
  on.call('files.completeUploadExternal', { files: [{ id, title: 'Report' }], channel_id: OPS, ...args });

describe('refusals', () => {
  const begin = (what: string, args: Args, word: string) =>
    ['files.getUploadURLExternal', what, args, word] as const;
  const end = (what: string, args: Args, word: string) =>
    [
      'files.completeUploadExternal',
      what,
      async (it: ConformanceBench) => ({ files: [{ id: await uploaded(it) }], ...args }),
      word,
    ] as const;
  refusals(
    on,
    [
      begin('an empty file', { filename: 'a', length: 0 }, 'missing_argument'),
      begin('a length that is none', { filename: 'a', length: 'x' }, 'invalid_arguments'),
      begin('no name', { length: 1 }, 'invalid_arguments'),
      begin('a huge file', { filename: 'a', length: 2 ** 25 }, 'file_upload_size_restricted'),
      end('no files', { files: [], channel_id: OPS }, 'invalid_arguments'),
      end('an unknown file', { files: [{ id: 'F1' }], channel_id: OPS }, 'file_not_found'),
      end('an unknown channel', { channel_id: 'C0NOBODY001' }, 'channel_not_found'),
      end('a person', { channel_id: OPERATOR }, 'invalid_arguments'),
      end('a channel without the bot', { channel_id: RANDOM }, 'not_in_channel'),
      end('an archived channel', { channel_id: ARCHIVED }, 'posting_to_channel_denied'),
    ],
    error,
  );
});

describe(`${METHODS}files.getUploadURLExternal`, () => {
  it.each([6, 4])('answers five bytes with a failure where %i were announced', async (length) => {
    const { id, url } = await begun(on, length);
    expect((await fetch(url, { method: 'POST', body: 'a,b,c' })).status).toBe(400);
    error(await complete(id), 'file_not_found');
  });

  it('does not know other addresses, and writes the secret one nowhere', async () => {
    const { url } = await begun(on);
    const other = `${url.slice(0, -4)}0000`;
    expect((await fetch(other, { method: 'POST', body: 'x' })).status).toBe(404);
    expect(on.wire.journal('slack').at(-1)?.path).toBe('/upload/v1/[masked]');
  });
});

describe(`${METHODS}files.completeUploadExternal`, () => {
  it('shows the file in a channel, with its comment', async () => {
    const id = await uploaded(on);
    const answer = await complete(id, { initial_comment: 'https://a.example' });
    // Slack looks at a file only after its answer.
    const file = { id, title: 'Report', name: 'my report.csv', size: 5, user: BOT };
    const permalink = expect.stringMatching(/\/my%20report\.csv$/);
    expect(answer).toMatchObject({ files: [{ ...file, mimetype: '', channels: [], permalink }] });
    const shown = { id, name: 'my report.csv', title: 'Report', mimetype: 'text/csv', size: 5 };
    expect(seen()).toMatchObject([{ text: '<https://a.example>', bot: true, files: [shown] }]);
    const { messages } = await on.call('conversations.history', { channel: OPS });
    const told = { ...file, filetype: 'csv', mimetype: 'text/csv', is_public: true, channels: [OPS] };
    expect(messages).toMatchObject([{ files: [told], upload: true, display_as_bot: false }]);
    expect(messages).toEqual([expect.not.objectContaining({ subtype: 'file_share' })]);
  });

  it('can be called once', async () => {
    const id = await uploaded(on);
    expect(await complete(id)).toMatchObject({ ok: true });
    error(await complete(id), 'file_not_found');
    expect(seen()).toHaveLength(1);
  });

  it('shows people only what was shared where they read', async () => {
    const id = await uploaded(on);
    expect(on.workspace.file({ user: 'operator', id })).toBeNull();
    await on.client.conversations.open({ users: OPERATOR });
    await complete(id, { channel_id: 'D0OPERATOR1' });
    const file = on.workspace.file({ user: 'operator', id });
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe('a,b,c');
    expect(on.workspace.file({ user: 'viewer', id })).toBeNull();
    on.workspace.reset();
    expect(on.workspace.file({ user: 'operator', id })).toBeNull();
  });
});
