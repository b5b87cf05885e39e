/** The file input: files are uploaded when chosen, and the form holds their ids. */
import { expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { plain, scanForm } from './samples/messages.ts';

const { control, open } = pageStage();

async function openForm(element: Record<string, unknown> = {}) {
  const block = {
    type: 'input',
    block_id: 'proof',
    label: plain('Proof'),
    element: { type: 'file_input', action_id: 'a', ...element },
  };
  control().views.set('operator', [{ ...scanForm, blocks: [block] }]);
  const page = await open();
  await page.locator('dialog[open]').waitFor();
  const give = (name: string) =>
    page.getByLabel('Proof').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from('{}') });
  return { page, give };
}

test('a file that the workspace took is listed, and sent with the form', async () => {
  control().answer('/sandbox/upload', { ok: true, file: { id: 'F1', name: 'log.json' } });
  const { page, give } = await openForm();
  await give('log.json');
  await page.getByText('log.json').waitFor();
  await page.getByRole('button', { name: 'Scan', exact: true }).click();
  await expect
    .poll(() => control().posts.at(-1))
    .toMatchObject({ call: 'POST /sandbox/submit', body: { values: { proof: { a: ['F1'] } } } });
  await page.getByRole('button', { name: 'Remove log.json' }).click();
  await expect.poll(() => page.locator('.file-list li').count()).toBe(0);
});

test.each([
  {
    given: 'log.json',
    element: {},
    says: 'Couldn’t upload log.json: no_files_here',
  },
  {
    given: 'log.json',
    element: { filetypes: ['png'] },
    says: 'log.json isn’t an allowed file type. Allowed: png.',
  },
])('a rejected file is reported at the field: $says', async ({ given, element, says }) => {
  control().answer('/sandbox/upload', { ok: false, error: 'no_files_here' });
  const { page, give } = await openForm(element);
  await give(given);
  await page.getByRole('alert').getByText(says).waitFor();
  await expect.poll(() => page.locator('.file-list li').count()).toBe(0);
});
