/** Charts and long texts. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageStage } from '../harness/page-harness.ts';
import { botMessage, mrkdwn } from '../samples/messages.ts';

const { control, open } = pageStage();

async function show(block: unknown, look: Parameters<typeof open>[1] = {}): Promise<Page> {
  control().channels.set('ops', [botMessage({ blocks: [block] })]);
  const page = await open('operator/ops', look);
  await page.locator('.content > [data-block]').waitFor();
  return page;
}

const barChart = (
  data: readonly { readonly label: string; readonly value: number }[],
  more: object = {},
) => ({
  type: 'data_visualization',
  title: 'Failures by week',
  chart: {
    type: 'bar',
    series: [{ name: 'Linux', data }],
    axis_config: { categories: data.map(({ label }) => label) },
    ...more,
  },
});
const WEEKS = [4, 9, 6, 12].map((value, at) => ({ label: `Week ${43 + at}`, value }));

/** Runs in the page: chart labels that leave their drawing. */
const CUT_LABELS = `[...document.querySelectorAll('.chart .axis-label')]
  .map((label) => [label.textContent, label.getBoundingClientRect(), label.ownerSVGElement.getBoundingClientRect()])
  .filter(([, { left, bottom }, around]) => left < around.left || bottom > around.bottom)
  .map(([words]) => words)`;

describe('a chart', () => {
  test.each([390, 1280])('has whole labels, however long they are, at a width of %i', async (width) => {
    const labels = ['Engineering laptops', 'Windows servers', ...'abcdefg'].map((name) =>
      name.padEnd(20, '.'),
    );
    const page = await show(barChart(labels.map((label) => ({ label, value: 3 }))), { width });
    await expect.poll(() => page.locator('.chart .axis-label').count()).toBeGreaterThan(labels.length);
    await expect.poll(() => page.evaluate(CUT_LABELS)).toEqual([]);
  });

  test('has a legend, a bar for each value, labels at its axis, and all values for screen readers', async () => {
    const page = await show(barChart(WEEKS));
    const chart = page.locator('.chart');
    await chart
      .getByRole('img', {
        name: 'bar chart: Failures by week. Linux: Week 43 4, Week 44 9, Week 45 6, Week 46 12.',
      })
      .waitFor();
    await expect.poll(() => chart.locator('rect').count()).toBe(4);
    await expect.poll(() => chart.locator('.legend').textContent()).toBe('Linux');
    await expect
      .poll(() => chart.locator('.axis-label').allTextContents())
      .toEqual(expect.arrayContaining(['0', '12.5', 'Week 43', 'Week 46']));
  });

  test('of another kind, or of several series, is shown as such', async () => {
    const page = await show(barChart(WEEKS, { type: 'pie' }));
    await expect.poll(() => page.locator('[data-undrawable=data_visualization]').count()).toBe(1);
  });
});

test('a long text is folded and unfolded', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join('\n');
  const page = await show({ type: 'section', block_id: 's', text: mrkdwn(lines) });
  const fold = page.locator('.fold > :first-child');
  const height = () => fold.evaluate((node) => node.getBoundingClientRect().height);
  const folded = await height();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => height()).toBeGreaterThan(folded * 2);
  await page.getByRole('button', { name: 'Show less' }).waitFor();
});
