/** Contrast of texts (WCAG 2.2, 1.4.3) and size of touch targets (2.5.5). */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import {
  approvalCard,
  botMessage,
  everyBlock,
  personMessage,
  scanForm,
  tsBefore,
} from './samples/messages.ts';

const { control, open } = pageStage();

const FINGER_PX = 44;

/** Runs in the page: each visible text with too little contrast to its background, with the ratio. */
const FAINT_TEXTS = `(() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const over = ([r, g, b, a = 1], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const behind = (node) => {
    if (!node) return numbers(getComputedStyle(document.body).backgroundColor);
    const colour = numbers(getComputedStyle(node).backgroundColor);
    return colour.length === 3 || colour[3] === 1 ? colour.slice(0, 3) : over(colour, behind(node.parentElement));
  };
  const light = (colour) => colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const faint = [];
  for (const node of document.querySelectorAll('body *')) {
    const words = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data.trim()).join('');
    if (words === '' || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (node.closest('.visually-hidden, option, optgroup, noscript, datalist')) continue;
    const style = getComputedStyle(node);
    const ground = behind(node);
    const [a, b] = [light(over(numbers(style.color), ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(words.slice(0, 40) + ' ' + ratio.toFixed(2));
  }
  return faint;
})()`;

/**
 * Runs in the page: targets that are too small. A link inside a text, or a control with a label, counts with its size.
 */
const SMALL_TARGETS = `[...document.querySelectorAll('button, a[href], select, input, textarea, summary')]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest('.content a, .notice, label'))
  .map((node) => [(node.closest('.picker-box') ?? node).getBoundingClientRect(), node.outerHTML.slice(0, 120)])
  .filter(([box]) => box.height > 0 && box.height < ${FINGER_PX} - 0.5)
  .map(([box, html]) => box.height + ' ' + html)`;

function furnish(): void {
  const parent = personMessage('viewer', 'a *question* for <@U0OPERATOR>, see `web-01`', {
    ts: tsBefore(20),
  });
  control().channels.set('ops', [
    parent,
    personMessage('approver', 'an answer', { ts: tsBefore(19), thread_ts: parent.ts }),
    approvalCard({ ts: tsBefore(10), reactions: [{ name: 'eyes', users: ['U0OPERATOR'] }] }),
    botMessage({
      ts: tsBefore(5),
      ephemeral: true,
      text: 'Only for *you*',
      files: [{ id: 'F1', name: 'devices.csv', size: 12 }],
    }),
  ]);
  control().channels.set('approvals', [botMessage({ ts: tsBefore(1), blocks: everyBlock })]);
  control().channels.set('random', [personMessage('viewer', '<!here> hm', { ts: tsBefore(-1) })]);
}

const sides: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  ['a channel', 'operator/ops', async () => undefined],
  ['a thread', 'operator/ops', async (page) => page.locator('.thread-bar').click()],
  ['a menu', 'operator/ops', async (page) => page.locator('[data-more]').first().click()],
  ['every block', 'operator/approvals', async (page) => page.locator('table').waitFor()],
  [
    'a form',
    'operator/ops',
    async (page) => {
      control().views.set('operator', [scanForm]);
      control().changed();
      await page.locator('dialog[open]').waitFor();
    },
  ],
  ['what the app can do', 'operator/@operator/about', async () => undefined],
];

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test.each(sides)('every text of %s can be read', async (_name, route, prepare) => {
    furnish();
    const page = await open(route, { colorScheme });
    if (route.endsWith('ops')) await page.locator('.ephemeral').waitFor();
    await prepare(page);
    await expect.poll(() => page.evaluate(FAINT_TEXTS)).toEqual([]);
  });
});

describe('on a phone', () => {
  const phone = { width: 390, height: 844, hasTouch: true };
  const places: typeof sides = [
    ...sides,
    ['the sidebar', 'operator/ops', async (page) => page.locator('#menu-button').click()],
    ['the outside world', 'operator/ops', async (page) => page.locator('#outside-button').click()],
  ];
  test.each(places)(
    'everything in %s is large enough for a finger, and fits',
    async (_name, route, prepare) => {
      furnish();
      const page = await open(route, phone);
      if (route.endsWith('ops')) await page.locator('.ephemeral').waitFor();
      await prepare(page);
      await expect.poll(() => page.evaluate(SMALL_TARGETS)).toEqual([]);
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
        .toBe(0);
    },
  );
});

test.each([1280, 390])('a word without end is broken, in a window of %d', async (width) => {
  const word = 'x'.repeat(400);
  const parts = [{ type: 'rich_text_section', elements: [{ type: 'text', text: word }] }];
  control().channels.set('ops', [
    personMessage('operator', word, { blocks: [{ type: 'rich_text', block_id: 'r', elements: parts }] }),
  ]);
  const page = await open('operator/ops', { width });
  await page.getByText(word).waitFor();
  const content = page.locator('#messages .content');
  await expect.poll(() => content.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
});

test('on a phone the channels are behind a button', async () => {
  const page = await open('operator/ops', { width: 390, height: 844, hasTouch: true });
  const link = page.locator('[data-channel=random]');
  await expect.poll(() => link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Channels and people' }).click();
  await link.click();
  await expect.poll(() => link.isVisible()).toBe(false);
});
