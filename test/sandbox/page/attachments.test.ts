/** Secondary attachments (docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments). */
import { expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { botMessage } from './samples/messages.ts';

const { control, open } = pageStage();

async function show(...attachments: readonly unknown[]) {
  control().channels.set('ops', [botMessage({ attachments })]);
  const page = await open();
  await page.locator('.attachment').first().waitFor();
  return page;
}

const field = (words: string, short: boolean) => ({
  title: `${words} title`,
  value: `${words} value`,
  short,
});

test('author, title, fields, picture and footer are shown, and the pretext above them', async () => {
  const page = await show({
    color: '#36a64f',
    pretext: 'Text above',
    author_name: 'Bobby',
    author_link: 'http://a.example/bobby/',
    author_icon: 'https://a.example/16.png',
    title: 'Title',
    title_link: 'https://b.example/',
    text: 'Some `text`',
    fields: [field('Long', false), field('Left', true), field('Right', true)],
    thumb_url: 'http://a.example/thumb.png',
    footer: 'Footer',
    ts: 123456789,
  });
  const attachment = page.locator('.attachment');
  await page.getByText('Text above').waitFor();
  await expect.poll(() => attachment.innerText()).not.toContain('Text above');
  await expect
    .poll(() =>
      attachment.getByRole('link').evaluateAll((all) => all.map((each) => each.getAttribute('href'))),
    )
    .toEqual(['http://a.example/bobby/', 'https://b.example/']);
  const footer = attachment.locator('.attachment-footer');
  await expect.poll(() => footer.innerText()).toMatch(/^Footer \| Nov 29, 1973 at 10:33\sPM$/);
  const places = await attachment.locator('.field').evaluateAll((all) =>
    all.map((each) => {
      const { left, top } = each.getBoundingClientRect();
      return { words: each.textContent, left, top };
    }),
  );
  const [long, left, right] = places;
  expect(places.map(({ words }) => words)).toEqual([
    'Long titleLong value',
    'Left titleLeft value',
    'Right titleRight value',
  ]);
  expect(left?.top).toBeGreaterThan(long?.top ?? 0);
  expect(right).toMatchObject({ top: left?.top });
  expect(right?.left).toBeGreaterThan(left?.left ?? 0);
  await attachment.getByRole('img', { name: 'Thumbnail' }).waitFor();
});

test('the border is green, yellow or red by name, any color by number, and gray without one', async () => {
  const colors = ['good', 'warning', 'danger', '#439FE0', undefined];
  const page = await show(...colors.map((color) => ({ text: 'x', color })));
  const borders = await page
    .locator('.attachment')
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).borderLeftColor));
  expect(borders.slice(0, 4)).toEqual([
    'rgb(46, 184, 134)',
    'rgb(218, 160, 56)',
    'rgb(163, 2, 0)',
    'rgb(67, 159, 224)',
  ]);
  expect(new Set(borders).size).toBe(5);
});

test('the fallback is shown where nothing else is, and no address becomes a script', async () => {
  const page = await show(
    { fallback: 'Plain' },
    { fallback: 'Hidden', title: 'T', title_link: 'javascript:alert(1)' },
  );
  await expect.poll(() => page.locator('.attachment').allInnerTexts()).toEqual(['Plain', 'T']);
  await expect.poll(() => page.locator('.attachment a').count()).toBe(0);
});

// @slack/types 3.2, MessageAttachment: “700+ characters or 5+ line breaks”
test('a long text is folded, and unfolded by a press', async () => {
  const lines = (count: number) => Array.from({ length: count }, (_each, at) => `line ${at}`).join('\n');
  const page = await show(
    { text: lines(5) },
    { text: 'x'.repeat(699) },
    { text: lines(6) },
    { text: 'word '.repeat(140) },
  );
  const folds = page.locator('.attachment').getByRole('button', { name: 'Show more' });
  await expect.poll(() => folds.count()).toBe(2);
  const sixLines = page.locator('.attachment').nth(2);
  const height = async () => (await sixLines.boundingBox())?.height ?? 0;
  const folded = await height();
  await folds.first().click();
  await expect.poll(height).toBeGreaterThan(folded);
});
