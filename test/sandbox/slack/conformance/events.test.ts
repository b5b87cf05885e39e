/**
 * Events against Slack's reference pages: shapes, recipients, and only what was subscribed to. Every block is named
 * after the page for its behavior.
 */
import { describe, expect, it } from 'vitest';
import { listening, settled } from '../harness/listening-bot.ts';
import {
  answerOf,
  BOT,
  clientOf,
  OPERATOR,
  OPS,
  RANDOM,
  startBolt,
  startWorkspace,
} from '../harness/workspace-harness.ts';

const EVENTS = 'https://docs.slack.dev/reference/events';
const TS = expect.stringMatching(/^\d+\.\d{6}$/);

describe(`${EVENTS}/message`, () => {
  it('is sent for people and for the bot itself, for changes and deletions', async () => {
    const { workspace, heard } = await listening(['message.channels']);
    await workspace.message({ user: 'operator', channel: 'ops', text: 'hi' });
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'mine' });
    await answerOf(workspace, 'chat.update', { channel: OPS, ts, text: 'changed' });
    await answerOf(workspace, 'chat.delete', { channel: OPS, ts });
    await answerOf(workspace, 'chat.postEphemeral', { channel: OPS, user: OPERATOR, text: 'secret' });
    await expect.poll(() => heard().length).toBe(4);
    const place = { type: 'message', channel: OPS, channel_type: 'channel', event_ts: TS };
    const hidden = { ...place, hidden: true, ts: TS };
    expect(heard()).toEqual([
      expect.objectContaining({ ...place, user: OPERATOR, text: 'hi', ts: TS, team: 'T0SANDBOX01' }),
      expect.objectContaining({ ...place, user: BOT, bot_id: 'B0PATCHBAY1', text: 'mine', ts }),
      {
        ...hidden,
        subtype: 'message_changed',
        message: expect.objectContaining({ ts, text: 'changed', edited: { user: 'B0PATCHBAY1', ts: TS } }),
        previous_message: expect.objectContaining({ ts, text: 'mine' }),
      },
      {
        ...hidden,
        subtype: 'message_deleted',
        deleted_ts: ts,
        previous_message: expect.objectContaining({ ts, text: 'changed' }),
      },
    ]);
  });

  it(`${EVENTS}/message/file_share: says that it shares files, whoever sends it`, async () => {
    const scopes = ['files:write', 'channels:history', 'im:history', 'commands'];
    const { workspace, heard } = await listening(['message.channels', 'message.im'], { scopes });
    const upload = { filename: 'a.txt', length: 5 };
    const { upload_url, file_id: id } = await clientOf(workspace).files.getUploadURLExternal(upload);
    await fetch(String(upload_url), { method: 'POST', body: 'hello' });
    const shared = { files: [{ id }], channels: `${OPS},${OPERATOR}`, initial_comment: 'We got one!' };
    await answerOf(workspace, 'files.completeUploadExternal', shared);
    await expect.poll(() => heard().length).toBe(2);
    const event = { type: 'message', subtype: 'file_share', text: 'We got one!', files: [{ id }], user: BOT };
    expect(heard()).toMatchObject([
      { ...event, channel: OPS, channel_type: 'channel', upload: true, display_as_bot: false },
      { ...event, channel_type: 'im' },
    ]);
    const { messages } = await answerOf(workspace, 'conversations.history', { channel: OPS });
    expect(messages).toEqual([expect.not.objectContaining({ subtype: 'file_share' })]);
  });

  it.each([
    ['message.channels', 'channels:history', 'ops', 'channel'],
    ['message.im', 'im:history', '@operator', 'im'],
    ['message.mpim', 'mpim:history', null, 'mpim'],
  ])(`${EVENTS}/%s needs %s`, async (event, scope, channel, channel_type) => {
    for (const scopes of [[scope], []]) {
      const { workspace, heard } = await listening([event], { scopes: [...scopes, 'commands'] });
      const group = await workspace.open({ user: 'operator', people: ['viewer'] });
      const place = channel ?? String(group.channel);
      expect(await workspace.message({ user: 'operator', channel: place, text: 'hi' })).toMatchObject({
        ok: true,
      });
      await settled(workspace);
      const told = scopes.length === 0 ? [undefined] : [{ type: 'message', channel_type }, undefined];
      expect(heard()).toMatchObject(told);
    }
  });

  it('is not sent where the bot is not a member', async () => {
    const { workspace, heard } = await listening(['message.channels', 'app_mention']);
    await workspace.message({ user: 'operator', channel: 'random', text: '@patchbay' });
    await settled(workspace);
    expect(heard()).toEqual([undefined]);
  });
});

describe(`${EVENTS}/app_mention`, () => {
  it.each([
    ['@patchbay help', `<@${BOT}> help`],
    [`<@${BOT}> help`, `<@${BOT}> help`],
    [`<@${BOT}|patchbay> help`, `<@${BOT}|patchbay> help`],
  ])('is sent for %j', async (typed, text) => {
    const { workspace, heard } = await listening(['app_mention']);
    const { ts } = await workspace.message({ user: 'operator', channel: 'ops', text: typed });
    await expect.poll(() => heard().length).toBe(1);
    expect(heard()[0]).toEqual({
      type: 'app_mention',
      client_msg_id: expect.any(String),
      user: OPERATOR,
      ts,
      text,
      team: 'T0SANDBOX01',
      channel: OPS,
      event_ts: ts,
      blocks: [
        {
          type: 'rich_text',
          block_id: expect.any(String),
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'user', user_id: BOT },
                { type: 'text', text: ' help' },
              ],
            },
          ],
        },
      ],
    });
  });

  it('is not sent in a direct message', async () => {
    const { workspace, heard } = await listening(['app_mention']);
    await workspace.message({ user: 'operator', channel: '@operator', text: '@patchbay' });
    await settled(workspace);
    expect(heard()).toEqual([undefined]);
  });

  it('needs app_mentions:read', async () => {
    const { workspace, heard } = await listening(['app_mention'], { scopes: ['commands'] });
    await workspace.message({ user: 'operator', channel: 'ops', text: '@patchbay' });
    await settled(workspace);
    expect(heard()).toEqual([undefined]);
  });
});

describe(`${EVENTS}/app_home_opened`, () => {
  const opening = { user: 'operator' };

  it('tells of the tab, and of the view once one was published', async () => {
    const { workspace, heard } = await listening(['app_home_opened']);
    expect(await workspace.home(opening)).toEqual({ ok: true });
    await answerOf(workspace, 'views.publish', { user_id: OPERATOR, view: { type: 'home', blocks: [] } });
    await workspace.home(opening);
    await workspace.home({ ...opening, tab: 'messages' });
    await expect.poll(() => heard().length).toBe(3);
    const event = { type: 'app_home_opened', user: OPERATOR, channel: 'D0OPERATOR1', event_ts: TS };
    expect(heard()).toEqual([
      { ...event, tab: 'home' },
      { ...event, tab: 'home', view: expect.objectContaining({ type: 'home', blocks: [] }) },
      { ...event, tab: 'messages' },
    ]);
  });

  it.each([
    ['home', { home_tab_enabled: false }, 'home_tab_disabled'],
    ['messages', { messages_tab_enabled: false }, 'messages_tab_disabled'],
  ] as const)('a tab %s that the manifest does not have cannot be opened', async (tab, appHome, error) => {
    const { workspace } = await listening(['app_home_opened'], { appHome });
    expect(await workspace.home({ ...opening, tab })).toEqual({ ok: false, error });
  });

  it.each(['socket', 'http'] as const)('Bolt publishes the Home over %s', async (transport) => {
    const started = await startWorkspace({ events: ['app_home_opened'], transport });
    await startBolt(started, transport, (app) =>
      app.event('app_home_opened', async ({ event, client }) => {
        await client.views.publish({ user_id: event.user, view: { type: 'home', blocks: [] } });
      }),
    );
    await started.workspace.home(opening);
    await expect.poll(() => started.workspace.views('operator').home).toMatchObject({ type: 'home' });
  });
});

describe(`${EVENTS}/link_shared`, () => {
  const options = { unfurlDomains: ['example.com'], scopes: ['links:read', 'commands'] };

  it('tells of links into the app’s domains, also where it is no member', async () => {
    const { workspace, heard } = await listening(['link_shared'], options);
    const text =
      'see https://example.com/a?b=1&c=2, https://sub.example.com and https://notexample.com/ or example.com';
    const { ts } = await workspace.message({ user: 'operator', channel: 'random', text });
    await expect.poll(() => heard().length).toBe(1);
    expect(heard()).toEqual([
      {
        type: 'link_shared',
        channel: RANDOM,
        is_bot_user_member: false,
        user: OPERATOR,
        message_ts: ts,
        unfurl_id: expect.any(String),
        source: 'conversations_history',
        links: [
          { domain: 'example.com', url: 'https://example.com/a?b=1&c=2' },
          { domain: 'example.com', url: 'https://sub.example.com' },
        ],
        user_locale: 'en-US',
        event_ts: TS,
      },
    ]);
  });

  it.each([
    ['without such a link', 'see https://example.org', options],
    ['without links:read', 'see https://example.com', { ...options, scopes: ['commands'] }],
    ['without domains', 'see https://example.com', { ...options, unfurlDomains: [] }],
  ])('is not sent %s', async (_what, text, change) => {
    const { workspace, heard } = await listening(['link_shared'], change);
    await workspace.message({ user: 'operator', channel: 'ops', text });
    await settled(workspace);
    expect(heard()).toEqual([undefined]);
  });
});

describe(`${EVENTS}/reaction_added`, () => {
  const scopes = ['reactions:read', 'commands', 'chat:write', 'channels:history'];
  const subscriptions = ['reaction_added', 'reaction_removed', 'message.channels'];

  it('tells of a reaction given and taken back, and of no change of the message', async () => {
    const { workspace, heard } = await listening(subscriptions.slice(0, 2), { scopes });
    const { ts = '' } = await workspace.message({ user: 'viewer', channel: 'ops', text: 'hi' });
    const eyes = { user: 'operator', channel: 'ops', ts, name: ':eyes:' };
    expect(await workspace.react(eyes)).toEqual({ ok: true });
    expect(await workspace.react(eyes)).toEqual({ ok: false, error: 'already_reacted' });
    expect(await workspace.react({ ...eyes, remove: true })).toEqual({ ok: true });
    expect(await workspace.react({ ...eyes, remove: true })).toEqual({ ok: false, error: 'no_reaction' });
    await expect.poll(() => heard().length).toBe(2);
    const event = {
      user: OPERATOR,
      reaction: 'eyes',
      item: { type: 'message', channel: OPS, ts, channel_type: 'channel' },
      item_user: 'U0VIEWER001',
      event_ts: TS,
    };
    expect(heard()).toEqual([
      { type: 'reaction_added', ...event },
      { type: 'reaction_removed', ...event },
    ]);
  });

  it('leaves the message unchanged', async () => {
    const { workspace, heard } = await listening(subscriptions.slice(2), { scopes });
    const { ts = '' } = await workspace.message({ user: 'viewer', channel: 'ops', text: 'hi' });
    await workspace.react({ user: 'operator', channel: 'ops', ts, name: 'eyes' });
    await settled(workspace);
    expect(heard()).toMatchObject([{ text: 'hi' }, undefined]);
    const seen = workspace.messages({ user: 'admin', channel: 'ops' });
    expect(seen).toMatchObject([{ text: 'hi' }]);
  });

  it.each([
    ['a name that is none', { name: 'Not A Name' }, 'invalid_name'],
    ['an unknown message', { ts: '1.000001' }, 'message_not_found'],
    ['a person who is no member', { user: 'outsider' }, 'not_in_channel'],
  ])('is refused for %s', async (_what, change, error) => {
    const { workspace } = await listening(subscriptions, { scopes });
    const { ts = '' } = await workspace.message({ user: 'viewer', channel: 'ops', text: 'hi' });
    const order = { user: 'operator', channel: 'ops', ts, name: 'eyes', ...change };
    expect(await workspace.react(order)).toEqual({ ok: false, error });
  });
});

describe('https://docs.slack.dev/apis/events-api: subscriptions', () => {
  it('without one, nothing is told', async () => {
    const { workspace, heard } = await listening([], { unfurlDomains: ['example.com'] });
    const { ts = '' } = await workspace.message({
      user: 'operator',
      channel: 'ops',
      text: '@patchbay https://example.com/',
    });
    await workspace.react({ user: 'viewer', channel: 'ops', ts, name: 'eyes' });
    await workspace.home({ user: 'operator' });
    await workspace.invite({ user: 'viewer', channel: 'random' });
    await settled(workspace);
    expect(heard()).toEqual([undefined]);
  });
});
