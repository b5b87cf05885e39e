/** files.*: https://docs.slack.dev/messaging/working-with-files. */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { clientOf, OPERATOR, OPS, RANDOM, section, startWorkspace } from '../harness/workspace-harness.ts';
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
const seen = (channel = 'ops') => on.workspace.messages({ channel, user: 'operator' }) ?? [];
const bytes = (text: string) => new TextEncoder().encode(text);

async function begun({ call }: ConformanceBench, length = 5, args: Args = {}) {
  const answer = await call('files.getUploadURLExternal', { filename: 'report.csv', length, ...args });
  return { id: String(answer['file_id']), url: String(answer['upload_url']) };
}

async function uploaded(it: ConformanceBench, text = 'a,b,c', args: Args = {}): Promise<string> {
  const { id, url } = await begun(it, text.length, args);
  await fetch(url, { method: 'POST', body: bytes(text) });
  return id;
}

const complete = (id: string, args: Args = {}) =>
  on.call('files.completeUploadExternal', { files: [{ id, title: 'Report' }], ...args });

const file = async (id: string) => (await on.call('files.info', { file: id }))['file'];

describe('refusals', () => {
  const files = async (it: ConformanceBench) => [{ id: await uploaded(it) }];
  refusals(
    on,
    [
      ['files.getUploadURLExternal', 'an empty file', { filename: 'a', length: 0 }, 'missing_argument'],
      [
        'files.getUploadURLExternal',
        'a length that is none',
        { filename: 'a', length: 'x' },
        'invalid_arguments',
      ],
      ['files.getUploadURLExternal', 'no name', { length: 1 }, 'invalid_arguments'],
      [
        'files.getUploadURLExternal',
        'a huge file',
        { filename: 'a', length: 2 ** 25 },
        'file_upload_size_restricted',
      ],
      [
        'files.getUploadURLExternal',
        'a large snippet',
        { filename: 'a', length: 2 ** 21, snippet_type: 'python' },
        'snippet_too_large',
      ],
      [
        'files.getUploadURLExternal',
        'a long description',
        { filename: 'a', length: 1, alt_txt: 'x'.repeat(1_001) },
        'alt_txt_too_large',
      ],
      ['files.completeUploadExternal', 'no files', {}, 'invalid_arguments'],
      ['files.completeUploadExternal', 'an unknown file', { files: [{ id: 'F1' }] }, 'file_not_found'],
      [
        'files.completeUploadExternal',
        'a file without its bytes',
        async (it) => ({ files: [{ id: (await begun(it)).id }] }),
        'file_not_found',
      ],
      [
        'files.completeUploadExternal',
        'an unknown channel_id',
        async (it) => ({ files: await files(it), channel_id: 'C0NOBODY001' }),
        'channel_not_found',
      ],
      [
        'files.completeUploadExternal',
        'a person as channel_id',
        async (it) => ({ files: await files(it), channel_id: OPERATOR }),
        'invalid_arguments',
      ],
      [
        'files.completeUploadExternal',
        'an unknown channel of several',
        async (it) => ({ files: await files(it), channels: `${OPS},C1` }),
        'invalid_channel',
      ],
      [
        'files.completeUploadExternal',
        'a channel without the bot',
        async (it) => ({ files: await files(it), channel_id: RANDOM }),
        'not_in_channel',
      ],
      [
        'files.completeUploadExternal',
        'an archived channel',
        async (it) => ({ files: await files(it), channel_id: ARCHIVED }),
        'posting_to_channel_denied',
      ],
      [
        'files.completeUploadExternal',
        'more than 100 channels',
        async (it) => ({ files: await files(it), channels: Array(101).fill(OPS).join(',') }),
        'channels_limit_exceeded',
      ],
      [
        'files.completeUploadExternal',
        'bad blocks',
        async (it) => ({ files: await files(it), channel_id: OPS, blocks: [{}] }),
        'invalid_blocks',
      ],
      ['files.info', 'an unknown file', { file: 'F1' }, 'file_not_found'],
      ['files.info', 'an unfinished file', async (it) => ({ file: await uploaded(it) }), 'file_not_found'],
    ],
    error,
  );
});

describe(`${METHODS}files.getUploadURLExternal`, () => {
  it.each([
    ['raw bytes', () => bytes('a,b,c')],
    ['a form with a file', () => formOf(new File(['a,b,c'], 'report.csv'))],
    ['a form with text', () => formOf('a,b,c')],
  ])('takes %s', async (_how, body) => {
    const { id, url } = await begun(on);
    const response = await fetch(url, { method: 'POST', body: body() });
    expect([response.status, await response.text()]).toEqual([200, 'OK - 5']);
    await complete(id, { channel_id: OPS });
    const file = on.workspace.file({ user: 'operator', id });
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe('a,b,c');
  });

  it.each([
    ['fewer bytes than announced', 6, () => bytes('a,b,c'), 400],
    ['more bytes than announced', 4, () => bytes('a,b,c'), 400],
    ['a form without a file', 5, () => new FormData(), 400],
  ])('answers %s with a failure', async (_what, length, body, status) => {
    const { id, url } = await begun(on, length);
    expect((await fetch(url, { method: 'POST', body: body() })).status).toBe(status);
    error(await complete(id, { channel_id: OPS }), 'file_not_found');
  });

  it('does not know other addresses, and writes the secret one nowhere', async () => {
    const { url } = await begun(on);
    const other = `${url.slice(0, -4)}0000`;
    expect((await fetch(other, { method: 'POST', body: bytes('x') })).status).toBe(404);
    expect(on.wire.journal('slack').at(-1)?.path).toBe('/upload/v1/[masked]');
  });
});

describe(`${METHODS}files.completeUploadExternal`, () => {
  it('shows the file in a channel, with its comment', async () => {
    const id = await uploaded(on);
    const answer = await complete(id, { channel_id: OPS, initial_comment: 'https://a.example' });
    expect(answer).toMatchObject({
      ok: true,
      files: [{ id, title: 'Report', name: 'report.csv', mimetype: '', size: 5, channels: [], shares: {} }],
    });
    expect(await file(id)).toMatchObject({ mimetype: 'text/csv', channels: [OPS] });
    const shown = { id, name: 'report.csv', title: 'Report', mimetype: 'text/csv', size: 5, altText: null };
    expect(seen()).toMatchObject([{ text: '<https://a.example>', bot: true, files: [shown] }]);
    const { messages } = await on.call('conversations.history', { channel: OPS });
    const uploading = { upload: true, display_as_bot: false };
    expect(messages).toMatchObject([{ files: [{ id, filetype: 'csv' }], ...uploading }]);
  });

  it('shows it in a thread, in a direct message, or nowhere', async () => {
    const thread_ts = await posted(on);
    await complete(await uploaded(on), { channel_id: OPS, thread_ts });
    await complete(await uploaded(on), { channels: OPERATOR });
    const hidden = await uploaded(on);
    expect(await complete(hidden)).toMatchObject({ ok: true });
    expect(seen()).toMatchObject([{ text: 'hi' }, { thread_ts, files: [{ title: 'Report' }] }]);
    expect(seen('@operator')).toMatchObject([{ files: [{ title: 'Report' }] }]);
    expect(on.workspace.file({ user: 'operator', id: hidden })).toBeNull();
  });

  it('takes blocks where there is no comment', async () => {
    await complete(await uploaded(on), { channel_id: OPS, blocks: [section('blocks')] });
    await complete(await uploaded(on), { channel_id: OPS, blocks: [section()], initial_comment: 'comment' });
    expect(seen()).toMatchObject([
      { blocks: [{ text: { text: 'blocks' } }] },
      { text: 'comment', blocks: [] },
    ]);
  });

  it('https://docs.slack.dev/reference/objects/file-object: says in which messages it is seen', async () => {
    const thread_ts = await posted(on);
    const id = await uploaded(on);
    await complete(id, { channels: `${OPS},${OPERATOR}` });
    const [, ops] = seen();
    const share = {
      ts: ops?.ts,
      channel_name: 'ops',
      team_id: 'T0SANDBOX01',
      reply_users: [],
      reply_count: 0,
    };
    expect(await file(id)).toMatchObject({
      shares: { public: { [OPS]: [share] }, private: {} },
      external_type: '',
      has_rich_preview: false,
    });
    const inThread = await uploaded(on);
    await complete(inThread, { channel_id: OPS, thread_ts });
    const [, , reply] = seen();
    const counted = { reply_users_count: 1, reply_count: 1, latest_reply: reply?.ts };
    expect(await file(inThread)).toMatchObject({
      permalink_public: expect.stringContaining(`https://slack-files.com/T0SANDBOX01-${inThread}-`),
      shares: { public: { [OPS]: [{ thread_ts, ...counted }] } },
    });
    const hidden = await uploaded(on);
    await complete(hidden);
    expect(await file(hidden)).toMatchObject({ shares: {}, channels: [], ims: [] });
  });

  it('https://docs.slack.dev/messaging/working-with-files: a text file is a snippet', async () => {
    const id = await uploaded(on, 'hello', { filename: 'hello.txt' });
    await complete(id, { channel_id: OPS });
    const share = { source: 'UNKNOWN', is_silent_share: false };
    expect(await file(id)).toMatchObject({
      mode: 'snippet',
      editable: true,
      shares: { public: { [OPS]: [share] } },
    });
  });

  it('can be called once', async () => {
    const id = await uploaded(on);
    expect(await complete(id, { channel_id: OPS })).toMatchObject({ ok: true });
    error(await complete(id, { channel_id: OPS }), 'file_not_found');
    expect(seen()).toHaveLength(1);
  });
});

it('https://docs.slack.dev/tools/node-slack-sdk/web-api: files.uploadV2 goes all the way', async () => {
  await on.client.files.uploadV2({
    channel_id: OPS,
    initial_comment: 'Two',
    file_uploads: [
      { file: Buffer.from('one'), filename: 'one.txt', title: 'One' },
      { file: Buffer.from('\u0000\u00ff two'), filename: 'two.png', alt_text: 'a picture' },
    ],
  });
  expect(seen()).toMatchObject([
    {
      text: 'Two',
      files: [{ title: 'One' }, { name: 'two.png', mimetype: 'image/png', altText: 'a picture' }],
    },
  ]);
});

describe('https://docs.slack.dev/reference/objects/file-object', () => {
  it('gives the content to the bot with its token, and to nobody else', async () => {
    const id = await uploaded(on);
    await complete(id, { channel_id: OPS });
    const { file } = await on.client.files.info({ file: id });
    const authorization = `Bearer ${on.workspace.botToken}`;
    const ways = { [file?.url_private ?? '']: null, [file?.url_private_download ?? '']: 'attachment' };
    for (const [address, disposition] of Object.entries(ways)) {
      const read = await fetch(address, { headers: { authorization } });
      expect(await read.text()).toBe('a,b,c');
      expect(read.headers.get('content-disposition')).toBe(disposition);
      expect((await fetch(address)).status).toBe(403);
    }
  });

  it('keeps the content from a bot without files:read', async () => {
    const { workspace } = await startWorkspace({ scopes: ['files:write'] });
    const authorization = `Bearer ${workspace.botToken}`;
    const client = clientOf(workspace);
    const sent = { filename: 'x.txt', length: 1 };
    const { file_id = '', upload_url = '' } = await client.files.getUploadURLExternal(sent);
    await fetch(upload_url, { method: 'POST', body: bytes('x') });
    const { files = [] } = await client.files.completeUploadExternal({ files: [{ id: file_id }] });
    const response = await fetch(files[0]?.url_private ?? '', { headers: { authorization } });
    expect(response.status).toBe(403);
  });

  it('shows people only what was shared where they read', async () => {
    const id = await uploaded(on);
    await complete(id, { channels: OPERATOR });
    expect(on.workspace.file({ user: 'operator', id })).toMatchObject({ id, size: 5 });
    expect(on.workspace.file({ user: 'viewer', id })).toBeNull();
    on.workspace.reset();
    expect(on.workspace.file({ user: 'operator', id })).toBeNull();
  });
});

function formOf(part: File | string): FormData {
  const form = new FormData();
  form.append('body', part);
  return form;
}
