import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pageStage, photograph } from './harness/page-harness.ts';
import {
  approvalCard,
  botMessage,
  everyBlock,
  personMessage,
  scanForm,
  tsBefore,
} from './samples/messages.ts';

const { control, open } = pageStage();

/** By how much the page is wider than the window. */
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

function furnish(): void {
  control().channels.set('ops', [
    personMessage('operator', 'Morning! <@U0APPROVER> have a look at <#C0APPROVALS|approvals> please', {
      ts: tsBefore(1500),
    }),
    personMessage('operator', 'I will reboot *web-01* later', { ts: tsBefore(1499) }),
    approvalCard({ ts: tsBefore(30) }),
    botMessage({
      ts: tsBefore(4),
      ephemeral: true,
      text: 'Nothing is named `web-99`. The nearest are `web-01`, `web-02` and `web-09`. Nothing has changed.',
    }),
  ]);
  control().channels.set('random', [
    botMessage({ blocks: everyBlock }),
    botMessage({ blocks: [{ type: 'hologram' }] }),
  ]);
}

test.each(['light', 'dark'] as const)('the workspace in %s colours', async (colorScheme) => {
  furnish();
  const page = await open('operator/ops', { colorScheme });
  await page.locator('.ephemeral').waitFor();
  await photograph(page, colorScheme);
  await page.locator('[data-channel=random]').click();
  await page.locator('table').waitFor();
  await photograph(page, `${colorScheme}-blocks`);
  control().views.set('operator', [scanForm]);
  control().changed();
  await page.locator('dialog[open]').waitFor();
  await photograph(page, `${colorScheme}-modal`);
  await expect.poll(() => overflow(page)).toBe(0);
});

test('on a phone nothing is wider than the window, and the channels are behind a button', async () => {
  furnish();
  const page = await open('operator/ops', { width: 390, height: 844, hasTouch: true });
  await page.locator('.ephemeral').waitFor();
  await photograph(page, 'phone');
  await expect.poll(() => overflow(page)).toBe(0);
  const link = page.locator('[data-channel=random]');
  await expect.poll(() => link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Channels and people' }).click();
  await photograph(page, 'phone-channels');
  await link.click();
  await page.locator('table').waitFor();
  await expect.poll(() => link.isVisible()).toBe(false);
  await photograph(page, 'phone-blocks');
  await expect.poll(() => overflow(page)).toBe(0);
});

test.each([1280, 390])('a word without end is broken, in a window of %d', async (width) => {
  const word = 'x'.repeat(400);
  const parts = [{ type: 'rich_text_section', elements: [{ type: 'text', text: word }] }];
  control().channels.set('ops', [
    personMessage('operator', word, { blocks: [{ type: 'rich_text', block_id: 'r', elements: parts }] }),
  ]);
  const page = await open('operator/ops', { width });
  await page.getByText(word).waitFor();
  await expect.poll(() => page.evaluate(hidden)).toBe(0);
});

/** How much of the messages is hidden. */
const hidden = `(() => {
  const pane = document.querySelector('#messages .content');
  return pane.scrollWidth - pane.clientWidth;
})()`;
