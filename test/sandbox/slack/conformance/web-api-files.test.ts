/** files.*: https://docs.slack.dev/messaging/working-with-files. */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { BOT, OPERATOR, OPS, RANDOM } from '../harness/workspace-harness.ts';
import {
  ARCHIVED,
  type Args,
  bench,
  type ConformanceBench,
  METHODS,
  refusals,
} from './conformance-harness.ts';

const on = bench();
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
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
