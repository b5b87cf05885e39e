/** What the pages of files.* say of single fields. */
import { expect, it } from 'vitest';
import { BOT, OPERATOR } from '../harness/workspace-harness.ts';
import { bench, METHODS } from './conformance-harness.ts';

const on = bench();
const bytes = new TextEncoder().encode('hello');

async function uploaded(): Promise<string> {
  const wanted = await on.call('files.getUploadURLExternal', { filename: 'a.txt', length: bytes.length });
  await fetch(String(wanted['upload_url']), { method: 'POST', body: bytes });
  return String(wanted['file_id']);
}

const ownerOf = async (file: unknown) => (await on.call('files.info', { file }))['file'];

it(`${METHODS}files.completeUploadExternal: \`user\` is the owner, also of a file that a person adds to a form`, async () => {
  const own = await uploaded();
  const completed = await on.call('files.completeUploadExternal', { files: [{ id: own }] });
  expect(completed).toMatchObject({ files: [{ user: BOT }] });
  const { file } = await on.workspace.upload({ user: 'operator', name: 'b.txt', bytes });
  expect(await ownerOf(file?.id)).toMatchObject({
    user: OPERATOR,
    permalink: expect.stringContaining(`/files/${OPERATOR}/`),
  });
});

it.each([
  ['typescript', true],
  ['typescripts', false],
])(`${METHODS}files.completeUploadExternal: a highlight_type of %s`, async (highlight_type, ok) => {
  const files = [{ id: await uploaded(), highlight_type }];
  expect(await on.call('files.completeUploadExternal', { files })).toMatchObject(
    ok ? { ok } : { ok, error: 'invalid_arguments' },
  );
});
