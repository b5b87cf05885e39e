/** Answers that others recorded from the real Slack. Every block is named after where they are. */
import { describe, expect, it } from 'vitest';
import { BOT, OPERATOR, OPS } from '../harness/workspace-harness.ts';
import { bench } from './conformance-harness.ts';

const on = bench();
const text = (length: number) => ({ type: 'mrkdwn', text: 'x'.repeat(length) });
const UNMATCHED = 'failed to match all allowed schemas';

it('https://github.com/metabase/metabase/issues/74943: a text object that does not fit is named before its text', async () => {
  const blocks = [{ type: 'divider' }, { type: 'section', text: text(3_001) }];
  const errors = [
    `${UNMATCHED} [json-pointer:/blocks/1/text]`,
    'must be less than 3001 characters [json-pointer:/blocks/1/text/text]',
  ];
  expect(await on.call('chat.postMessage', { channel: OPS, blocks })).toMatchObject({
    error: 'invalid_blocks',
    errors,
    response_metadata: { messages: errors.map((line) => `[ERROR] ${line}`) },
  });
});

it('https://github.com/mozilla-iam/sso-dashboard-configuration/pull/718: blocks of an attachment are its fault', async () => {
  const fields = [text(1), text(0)];
  const attachments = [{ blocks: [{ type: 'section', fields }] }];
  expect(await on.call('chat.postMessage', { channel: OPS, attachments })).toMatchObject({
    error: 'invalid_attachments',
    response_metadata: {
      messages: [
        `[ERROR] ${UNMATCHED} [json-pointer:/attachments/0/blocks/0/fields/1]`,
        '[ERROR] must be more than 0 characters [json-pointer:/attachments/0/blocks/0/fields/1/text]',
      ],
    },
  });
});

it('https://github.com/F3-Nation/archive-f3-nation-slack-bot/issues/42: problems of a view are in its messages alone', async () => {
  const view = { type: 'home', blocks: [{ type: 'section', text: text(0) }] };
  const refused = await on.call('views.publish', { user_id: OPERATOR, view });
  expect(refused).toMatchObject({
    error: 'invalid_arguments',
    response_metadata: {
      messages: [
        '[ERROR] failed to match all allowed schemas [json-pointer:/view]',
        expect.stringContaining(UNMATCHED),
        expect.any(String),
      ],
    },
  });
  expect(refused).not.toHaveProperty('errors');
});

it.each(['thumbs_up', 'ok_hand_x'])(
  'https://github.com/gammons/slk/issues/65: %s is no emoji to react with',
  async (name) => {
    const { ts: timestamp } = await on.call('chat.postMessage', { channel: OPS, text: 'x' });
    const item = { channel: OPS, timestamp };
    expect(await on.call('reactions.add', { ...item, name })).toMatchObject({ error: 'invalid_name' });
    expect(await on.call('reactions.add', { ...item, name: '+1' })).toMatchObject({ ok: true });
  },
);

describe('https://github.com/slack-ruby/slack-ruby-client, spec/fixtures/slack/web', () => {
  it('429_error.yml: every answer has an id of its own, and is for no cache', async () => {
    const { workspace } = on;
    const authorization = `Bearer ${workspace.botToken}`;
    const ask = () => fetch(`${workspace.apiUrl}auth.test`, { method: 'POST', headers: { authorization } });
    const [one, other] = await Promise.all([ask(), ask()]);
    const idOf = ({ headers }: Response) => headers.get('x-slack-req-id');
    expect(idOf(one)).toMatch(/^[0-9a-f]{32}$/);
    expect(idOf(other)).not.toBe(idOf(one));
    expect(one.headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
    expect(one.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('ansible-collections/community.general, pull request 12032: the word of an error is also in a header', async () => {
    const ask = (authorization: string) =>
      fetch(`${on.workspace.apiUrl}auth.test`, { method: 'POST', headers: { authorization } });
    const [fake, good] = await Promise.all([ask('Bearer xoxb-fake'), ask(`Bearer ${on.workspace.botToken}`)]);
    expect(fake.status).toBe(200);
    expect(fake.headers.get('x-slack-failure')).toBe('invalid_auth');
    expect(good.headers.get('x-slack-failure')).toBeNull();
  });

  it('users_info.yml: what a person has not said is there and empty', async () => {
    for (const id of [OPERATOR, BOT]) {
      const { user } = await on.call('users.info', { user: id });
      expect(user).toMatchObject({
        color: expect.stringMatching(/^[0-9a-f]{6}$/),
        is_email_confirmed: expect.any(Boolean),
        who_can_share_contact_card: 'EVERYONE',
        profile: {
          title: '',
          phone: '',
          skype: '',
          fields: null,
          real_name_normalized: expect.any(String),
          avatar_hash: expect.any(String),
          status_text: '',
          status_text_canonical: '',
          status_emoji: '',
          status_emoji_display_info: [],
          status_expiration: 0,
        },
      });
    }
  });

  it('files_upload_v2_with_blocks.yml: a file tells who has access, and its link has its name', async () => {
    const { client } = on;
    const wanted = await client.files.getUploadURLExternal({ filename: 'a b.txt', length: 1 });
    await fetch(String(wanted.upload_url), { method: 'POST', body: 'x' });
    const files = [{ id: String(wanted.file_id) }];
    expect(await on.call('files.completeUploadExternal', { files })).toMatchObject({
      files: [
        {
          media_display_type: 'unknown',
          file_access: 'visible',
          is_starred: false,
          has_more_shares: false,
          permalink: expect.stringMatching(/\/a%20b\.txt$/),
        },
      ],
    });
  });
});

it('https://docs.slack.dev/reference/methods/team.info: the icon has its sizes', async () => {
  const icon = { image_34: expect.any(String), image_132: expect.any(String), image_default: true };
  expect(await on.call('team.info')).toMatchObject({ team: { icon } });
});

it.each([
  ['```code fence```', [{ type: 'rich_text_preformatted', elements: [{ text: 'code fence' }], border: 0 }]],
  [
    'so:\n• bullet 1\n• bullet 2',
    [
      { type: 'rich_text_section', elements: [{ text: 'so:\n' }] },
      {
        type: 'rich_text_list',
        style: 'bullet',
        indent: 0,
        border: 0,
        elements: [{ elements: [{ text: 'bullet 1' }] }, { elements: [{ text: 'bullet 2' }] }],
      },
    ],
  ],
])('https://github.com/brekkylab/backlot/issues/74: %j is typed', async (typed, elements) => {
  await on.workspace.message({ user: 'operator', channel: 'ops', text: typed });
  expect(await on.call('conversations.history', { channel: OPS, limit: 1 })).toMatchObject({
    messages: [{ text: typed, blocks: [{ type: 'rich_text', elements }] }],
  });
});
