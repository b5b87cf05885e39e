/**
 * Events against Slack's reference pages: shapes, recipients, and only what was subscribed to. Every block is named
 * after the page for its behavior.
 */
import { describe, expect, it } from 'vitest';
import { listening, settled } from '../harness/bots.ts';
import { answerOf, BOT, OPERATOR, OPS, RANDOM } from '../harness/workspace-harness.ts';

const EVENTS = 'https://docs.slack.dev/reference/events';
const TS = expect.stringMatching(/^\d+\.\d{6}$/);
const UUID = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);

describe(`${EVENTS}/message.im`, () => {
  const metadata = { event_type: 'task_added', event_payload: { id: '11223' } };

  it('is sent for people and for the bot itself, for changes and deletions, with metadata', async () => {
    const { workspace, heard } = await listening(['message.im']);
    const { channel: direct } = await answerOf(workspace, 'conversations.open', { users: OPERATOR });
    const { id: channel } = direct as { id: string }; // it was opened
    await workspace.message({ user: 'operator', channel: '@operator', text: 'hi' });
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel, text: 'mine', metadata });
    await answerOf(workspace, 'chat.update', { channel, ts, text: 'changed' });
    await answerOf(workspace, 'chat.delete', { channel, ts });
    await answerOf(workspace, 'chat.postEphemeral', { channel, user: OPERATOR, text: 'secret' });
    await expect.poll(() => heard().length).toBe(4);
    const place = { type: 'message', channel, channel_type: 'im', event_ts: TS };
    const hidden = { ...place, hidden: true, ts: TS };
    const edited = { user: 'B0PATCHBAY1', ts: TS };
    expect(heard()).toEqual([
      expect.objectContaining({ ...place, user: OPERATOR, text: 'hi', client_msg_id: UUID }),
      expect.objectContaining({ ...place, user: BOT, bot_id: 'B0PATCHBAY1', text: 'mine', ts, metadata }),
      {
        ...hidden,
        subtype: 'message_changed',
        message: expect.objectContaining({ ts, text: 'changed', edited, metadata }),
        previous_message: expect.objectContaining({ ts, text: 'mine' }),
      },
      {
        ...hidden,
        subtype: 'message_deleted',
        deleted_ts: ts,
        previous_message: expect.objectContaining({ ts, text: 'changed', metadata }),
      },
    ]);
    for (const event of heard().slice(1)) expect(event).not.toHaveProperty('client_msg_id');
  });

  it('is not sent of channels, nor without im:history', async () => {
    const { workspace, heard } = await listening(['message.im'], { scopes: ['commands'] });
    await workspace.message({ user: 'operator', channel: '@operator', text: 'hi' });
    await workspace.message({ user: 'operator', channel: 'ops', text: 'hi' });
    await settled(workspace);
    expect(heard()).toEqual([undefined]);
  });
});

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

  it('a Home that the manifest does not have cannot be opened', async () => {
    const { workspace } = await listening(['app_home_opened'], { appHome: { home_tab_enabled: false } });
    expect(await workspace.home(opening)).toEqual({ ok: false, error: 'home_tab_disabled' });
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

describe('https://docs.slack.dev/apis/events-api: subscriptions', () => {
  it('without one, nothing is told', async () => {
    const { workspace, heard } = await listening([], { unfurlDomains: ['example.com'] });
    const text = '@patchbay https://example.com/';
    await workspace.message({ user: 'operator', channel: 'ops', text });
    await workspace.home({ user: 'operator' });
    await workspace.invite({ user: 'viewer', channel: 'random' });
    await settled(workspace);
    expect(heard()).toEqual([undefined]);
  });
});
