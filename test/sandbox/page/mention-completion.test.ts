/** Completion of names in a message. */
import { expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { personMessage } from './samples/messages.ts';

const { control, open } = pageStage();

test('people, groups and the bot are offered after @, and Enter takes the first', async () => {
  const page = await open();
  const field = page.locator('#composer [data-composer]');
  await field.pressSequentially('hello @');
  await expect.poll(() => page.locator('[data-completion] b').allTextContents()).toContain('@patchbay');
  await field.pressSequentially('app');
  await expect.poll(() => page.locator('[data-completion] b').first().textContent()).toBe('@approver');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('hello @approver ');
  await field.pressSequentially('look');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => control().posts)
    .toEqual([
      {
        call: 'POST /sandbox/message',
        body: { user: 'operator', channel: 'ops', text: 'hello @approver look' },
      },
    ]);
});

test('channels are offered after #, and the rest of the line stays', async () => {
  const page = await open();
  const field = page.locator('#composer [data-composer]');
  await field.fill('see  please');
  for (const _ of 'please ') await field.press('ArrowLeft');
  await field.pressSequentially('#ran');
  await page.locator('[data-completion="#random"]').click();
  await expect.poll(() => field.inputValue()).toBe('see #random please');
});

test('a private channel is in the sidebar and after # for its members only', async () => {
  for (const [who, count] of [
    ['operator2', 1],
    ['operator', 0],
  ] as const) {
    const page = await open(`${who}/ops`);
    await expect.poll(() => page.locator('[data-channel="secret-team"]').count()).toBe(count);
    await page.locator('#composer [data-composer]').pressSequentially('see #');
    await expect.poll(() => page.locator('[data-completion="#random"]').count()).toBe(1);
    await expect.poll(() => page.locator('[data-completion="#secret-team"]').count()).toBe(count);
  }
});

test('nothing is offered where no name is typed', async () => {
  const page = await open();
  const field = page.locator('#composer [data-composer]');
  for (const line of ['write to a@app', 'number 1#', '@nobody', '@viewer']) {
    await field.fill('@');
    await page.locator('[data-completion]').first().waitFor();
    await field.fill(line);
    await expect.poll(() => page.locator('[data-completion]').count()).toBe(0);
  }
});

test('a reply in a thread has them too', async () => {
  control().channels.set('ops', [personMessage('viewer', 'who is on call?')]);
  const page = await open();
  await page.locator('[data-reply]').click();
  await page.locator('#thread [data-composer]').pressSequentially('@view');
  await expect.poll(() => page.locator('#thread [data-completion] b').allTextContents()).toEqual(['@viewer']);
});
