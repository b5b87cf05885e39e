import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SIGN } from '../../../src/views/kit/signs.ts';
import { pageStage } from './harness/page-harness.ts';
import { botMessage, plain } from './samples/messages.ts';

const { control, open } = pageStage();

const SIGNS = Object.values(SIGN);

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = (text: string) => ({
  type: 'actions',
  elements: [{ type: 'button', action_id: 'scan', text: plain(text) }],
});
const richText = (...elements: readonly object[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});
const table = (text: string) => ({ type: 'table', rows: [[{ type: 'raw_text', text }]] });

/** Opens #ops with one message of these blocks and returns its content. */
async function showMessage(...blocks: readonly object[]): Promise<Locator> {
  control().channels.set('ops', [botMessage({ text: 'card', blocks })]);
  const page = await open();
  return page.locator('#messages .content').last();
}

/** What a person would paste after selecting the whole node. */
const marked = (node: Locator) =>
  node.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    return getSelection()?.toString();
  });

/** Whether the picture has shapes of its own and its character is invisible, so that no font is involved. */
const isPainted = async (page: Page, picture: Locator) => {
  await picture.locator('svg').first().waitFor();
  const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
  const shapes = await picture.locator('svg > *').count();
  const opacity = await page.evaluate(
    (text) => (text === null ? null : getComputedStyle(text).opacity),
    await picture.locator('.emoji-text').elementHandle(),
  );
  return width > 10 && height > 10 && shapes > 0 && opacity === '0';
};

test.each(SIGNS)('%s is a picture in every block, with its character as name', async (sign) => {
  const words = `${sign} State`;
  const node = await showMessage(
    section(`*${words}*`),
    richText({ type: 'text', text: words }),
    table(words),
    button(words),
  );
  const pictures = node.getByRole('img', { name: sign, exact: true });
  await expect.poll(() => pictures.count()).toBe(4);
  for (const picture of await pictures.all())
    await expect.poll(() => isPainted(node.page(), picture)).toBe(true);
  await expect.poll(() => node.locator('.section').textContent()).toBe(words);
  await node.getByRole('button', { name: words }).waitFor();
});

test('copied text has the characters, on the same line as their words', async () => {
  const words = SIGNS.map((sign) => `${sign} State`).join(' ');
  const node = await showMessage(section(words));
  await expect.poll(() => marked(node)).toBe(words);
});

test('a sign given by its name is the same picture', async () => {
  const node = await showMessage(section(':warning: Paused'), richText({ type: 'emoji', name: 'no_entry' }));
  await node.getByRole('img', { name: '⚠️', exact: true }).waitFor();
  await node.locator('.emoji').nth(1).waitFor();
});

test('other characters stay text', async () => {
  const words = '🎉 and ▶ and a triangle ⚠ without their selector';
  const node = await showMessage(section(words));
  await expect.poll(() => node.textContent()).toBe(words);
  await expect.poll(() => node.locator('.emoji').count()).toBe(0);
});

test('names of emoji are found with flags and tones; what Slack does not have is not', async () => {
  const page = await open();
  const names = ['flag-de', 'flag-zz', 'wave::skin-tone-3', 'dog::skin-tone-2', '+1', '100', 'hash', 'alert'];
  const found = await page.evaluate(`import('/page/text/emoji.ts').then(({ emojiCharacter }) =>
    ${JSON.stringify([...names, 'no_such_emoji', 'constructor', ''])}.map((name) => emojiCharacter(name)))`);
  expect(found).toEqual(['🇩🇪', null, '👋🏼', '🐶', '👍️', '💯', '#️⃣', '🚨', null, null, null]);
});
