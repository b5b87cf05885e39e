/** Pictures in blocks that are files of the workspace. */
import { describe, expect, it } from 'vitest';
import { OPERATOR, OPS } from '../harness/workspace-harness.ts';
import { bench } from './conformance-harness.ts';

const on = bench();

async function uploaded(filename: string): Promise<Record<string, unknown>> {
  const begun = await on.call('files.getUploadURLExternal', { filename, length: 1 });
  await fetch(String(begun['upload_url']), { method: 'POST', body: new Uint8Array(1) });
  await on.call('files.completeUploadExternal', { files: [{ id: begun['file_id'] }] });
  const { file } = await on.call('files.info', { file: begun['file_id'] });
  return Object(file);
}

const picture = (slack_file: unknown) => ({ type: 'image', alt_text: 'A kitten', slack_file });
const post = (slack_file: unknown) =>
  on.call('chat.postMessage', { channel: OPS, text: 'x', blocks: [picture(slack_file)] });
const refused = {
  ok: false,
  error: 'invalid_blocks',
  errors: [expect.stringMatching(/^invalid slack file/)],
};

// docs.slack.dev/reference/block-kit/composition-objects/slack-file-object
describe('a picture that is a file', () => {
  it.each(['png', 'jpg', 'jpeg', 'gif'])(
    'may be a %s, named by its id or either of its addresses',
    async (type) => {
      const { id, url_private, permalink } = await uploaded(`kitten.${type}`);
      const sources = [{ id }, { url: url_private }, { url: permalink }];
      expect(await Promise.all(sources.map(post))).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    },
  );

  it('is refused where the file is no picture, in the words of the real one', async () => {
    const { id } = await uploaded('kitten.csv');
    // slack-uploads-example, and a bot's notes of 2026-09-05
    const message = (source: string) =>
      `invalid slack file [json-pointer:/blocks/0/slack_file.${source}/slack_file]`;
    expect(await post({ id })).toMatchObject({ ...refused, errors: [message('id')] });
    const url = 'https://files.slack.com/files-pri/T0123456-F0123456/xyz.png';
    expect(await post({ url })).toMatchObject({ ...refused, errors: [message('url')] });
  });

  it.each([{ id: 'F0123456789' }, { url: 'https://files.slack.com/files-pri/T0123456-F0123456/xyz.png' }])(
    'is refused where there is no such file: %j',
    async (slack_file) => expect(await post(slack_file)).toMatchObject(refused),
  );

  it('is judged in the accessory of a Home as well', async () => {
    const accessory = picture({ id: 'F0123456789' });
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 's' }, accessory }];
    const view = { type: 'home', blocks };
    expect(await on.call('views.publish', { user_id: OPERATOR, view })).toMatchObject({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: {
        messages: [
          '[ERROR] invalid slack file [json-pointer:view/blocks/0/accessory/slack_file.id/slack_file]',
        ],
      },
    });
  });

  // Only “the user posting these blocks must have access to this file”.
  it('is seen by those who see the blocks, though it is shared nowhere', async () => {
    const { id } = await uploaded('kitten.png');
    const { id: other } = await uploaded('other.png');
    const read = (user: string, file: unknown) => on.workspace.file({ user, id: String(file) }) !== null;
    expect(read('operator2', id)).toBe(false);
    const attachments = [{ blocks: [picture({ id })] }];
    expect(await on.call('chat.postMessage', { channel: 'C0SECRET001', attachments })).toMatchObject({
      ok: true,
    });
    const view = { type: 'home', blocks: [picture({ id: other })] };
    await on.call('views.publish', { user_id: OPERATOR, view });
    expect([read('operator2', id), read('operator', id)]).toEqual([true, false]);
    expect([read('operator2', other), read('operator', other)]).toEqual([false, true]);
  });
});
