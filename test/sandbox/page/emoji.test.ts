/** Emoji names: Slack's, as the page shows them in messages, reactions and Markdown. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';

const { open } = pageStage();
const NAMES = new URL('../../fixtures/slack/emoji.txt', import.meta.url);

function charactersOf(page: Page, names: readonly string[]): Promise<readonly (string | null)[]> {
  return page.evaluate(`import('/page/text/emoji.ts').then(({ emojiCharacter }) =>
    ${JSON.stringify(names)}.map((name) => emojiCharacter(name)))`);
}

test('1,576 of Slack’s names become the characters that Slack shows', async () => {
  const lines = readFileSync(NAMES, 'utf8').trim().split('\n');
  const pairs = lines.map((line) => line.split(' '));
  expect(pairs.length).toBe(1576);
  const page = await open();
  const found = await charactersOf(
    page,
    pairs.map(([name = '']) => name),
  );
  expect(pairs.map(([name], at) => [name, found[at]])).toEqual(pairs);
});

test('flags, tones and the names of keys are found; what Slack does not have is not', async () => {
  const page = await open();
  const names = [
    'flag-de',
    'flag-zz',
    'wave::skin-tone-3',
    'male-detective::skin-tone-6',
    'dog::skin-tone-2',
  ];
  const more = ['+1', '-1', '100', '8ball', 'hash', 'alert', 'no_such_emoji', 'constructor', ''];
  expect(await charactersOf(page, [...names, ...more])).toEqual([
    ...['🇩🇪', null, '👋🏼', '🕵🏿‍♂️', '🐶'],
    ...['👍️', '👎️', '💯', '🎱', '#️⃣', '🚨', null, null, null],
  ]);
});
