/** Newer types of blocks: what they show, and their controls that need no bot. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageStage, photograph } from '../harness/page-harness.ts';
import { formFillings, formWith } from '../samples/form-fillings.ts';
import { botMessage, scanForm } from '../samples/messages.ts';
import { alerts, cards, charts, tables, texts } from '../samples/newer-blocks.ts';

const { control, open } = pageStage();

/** One message per block, since Slack takes at most one table and two charts in each. */
async function show(blocks: readonly unknown[], look: Parameters<typeof open>[1] = {}): Promise<Page> {
  control().channels.set(
    'ops',
    blocks.map((block) => botMessage({ blocks: [block] })),
  );
  const page = await open('operator/ops', look);
  await page
    .locator('.content > [data-block]')
    .nth(blocks.length - 1)
    .waitFor();
  return page;
}

const every = [...texts, ...tables, ...cards, ...charts];

test('all of them are drawn, in a modal too', async () => {
  const page = await show(every);
  await expect.poll(() => page.locator('[data-undrawable]').allTextContents()).toEqual([]);
  control().views.set('operator', [{ ...scanForm, blocks: alerts }]);
  control().changed();
  await page.locator('dialog .alert-error').waitFor();
  await expect.poll(() => page.locator('dialog [data-block=alert]').count()).toBe(alerts.length);
  await expect.poll(() => page.locator('[data-undrawable]').count()).toBe(0);
});

test('the Home draws tables, containers and charts too', async () => {
  const blocks = [...tables, ...cards, ...charts];
  control().homes.set('operator', { id: 'V9', type: 'home', blocks });
  const page = await open('operator/@operator/home');
  await expect.poll(() => page.locator('#home .chart').count()).toBe(charts.length);
  await expect.poll(() => page.locator('#home .data-table').count()).toBe(1);
  await expect.poll(() => page.locator('#home [data-undrawable]').count()).toBe(0);
});

test('headers of a higher level are larger, and headings of that level', async () => {
  const header = (level: number) => ({
    type: 'header',
    text: { type: 'plain_text', text: 'Patches' },
    level,
  });
  const page = await show([1, 2, 3, 4].map(header));
  const sizes = await page
    .locator('.header-block')
    .evaluateAll((headers) => headers.map((each) => Number.parseFloat(getComputedStyle(each).fontSize)));
  expect(sizes).toEqual([...new Set(sizes)].toSorted((one, other) => other - one));
  expect(sizes).toHaveLength(4);
  const levels = [1, 2, 3, 4].map((level) =>
    page.locator('#messages').getByRole('heading', { level, name: 'Patches' }).count(),
  );
  expect(await Promise.all(levels)).toEqual([1, 1, 1, 1]);
});

// docs.slack.dev/reference/block-kit/blocks/video-block
test('a video has a tooltip, and the icon of its provider', async () => {
  const icon = 'https://a.example/icon.png';
  const page = await show([
    {
      type: 'video',
      title: { type: 'plain_text', text: 'Use Slack.' },
      video_url: 'https://a.example/v',
      thumbnail_url: 'https://a.example/t.png',
      alt_text: 'How to use Slack?',
      provider_name: 'YouTube',
      provider_icon_url: icon,
    },
  ]);
  await page.getByTitle('How to use Slack?').waitFor();
  await expect.poll(() => page.locator('.video-provider').getByTitle(icon).count()).toBe(1);
});

test('a card has danger on the left and its primary button furthest to the right', async () => {
  const button = (text: string, style?: string) => ({
    type: 'button',
    text: { type: 'plain_text', text },
    action_id: text,
    ...(style === undefined ? {} : { style }),
  });
  const actions = [button('Approve', 'primary'), button('Wait'), button('Reject', 'danger')];
  const page = await show([{ type: 'card', body: { type: 'plain_text', text: 'Reboot' }, actions }]);
  const buttons = page.locator('.card .button');
  await expect.poll(() => buttons.allTextContents()).toEqual(['Reject', 'Wait', 'Approve']);
  const edges = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
  const [reject = 0, wait = 0, approve = 0] = edges;
  expect(wait - reject).toBeGreaterThan(approve - wait);
});

test('a task without its title has its details on top, and its icon', async () => {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text: 'Two of three' }] };
  const details = { type: 'rich_text', elements: [section] };
  const icon = { type: 'icon', name: 'rocket' };
  const task = { type: 'task_card', task_id: 't', title: 'Install', status: 'complete', details, icon };
  const page = await show([{ ...task, hide_title: true }]);
  await expect.poll(() => page.locator('.task-line').textContent()).toBe('🚀Two of three');
  await expect.poll(() => page.locator('.task').textContent()).toBe('🚀Two of three');
});

describe('a data table', () => {
  const column = (page: Page) => page.locator('.data-table tbody th').allTextContents();

  test('is read page by page', async () => {
    const page = await show(tables);
    await expect.poll(() => column(page)).toEqual(['web-10', 'web-2', 'db-01']);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => column(page)).toEqual(['mail-01']);
    await expect.poll(() => page.locator('.data-table-foot').textContent()).toBe('4–4 of 4');
    await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
  });

  // docs.slack.dev/reference/block-kit/blocks/data-table-block: alphabetically, and by value if all cells are numbers
  test('is sorted by a press on a head: up, down, not at all', async () => {
    const page = await show(tables);
    const head = page.getByRole('button', { name: 'Device', exact: true });
    await head.click();
    await expect.poll(() => column(page)).toEqual(['db-01', 'mail-01', 'web-10']);
    await head.click();
    await expect.poll(() => column(page)).toEqual(['web-2', 'web-10', 'mail-01']);
    await page.getByRole('button', { name: 'Failing' }).click();
    await expect.poll(() => column(page)).toEqual(['db-01', 'web-10', 'mail-01']);
    await head.click();
    await head.click();
    await head.click();
    await expect.poll(() => column(page)).toEqual(['web-10', 'web-2', 'db-01']);
  });
});

test('a column with numbers and text is sorted as text', async () => {
  const text = (words: string) => ({ type: 'raw_text', text: words });
  const number = (value: number) => ({ type: 'raw_number', value, text: String(value) });
  const rows = [text('Build'), number(9), number(100), text('20b')].map((cell) => [cell]);
  const page = await show([{ type: 'data_table', caption: 'Builds', rows }]);
  await page.getByRole('button', { name: 'Build' }).click();
  await expect.poll(() => page.getByRole('rowheader').allTextContents()).toEqual(['100', '20b', '9']);
});

// docs.slack.dev/reference/block-kit/blocks/data-table-block, `row_header_column_index`
test('the first column names the rows of a data table that does not say which', async () => {
  const text = (words: string) => ({ type: 'raw_text', text: words });
  const rows = [
    [text('Device'), text('Group')],
    [text('web-01'), text('Linux')],
  ];
  const page = await show([{ type: 'data_table', caption: 'Devices', rows }]);
  await expect.poll(() => page.getByRole('rowheader').allTextContents()).toEqual(['web-01']);
});

// docs.slack.dev/reference/block-kit/block-elements/feedback-buttons-element
test('a feedback button is read out by its accessibility label', async () => {
  const side = (text: string, accessibility_label?: string) => ({
    text: { type: 'plain_text', text },
    value: text,
    ...(accessibility_label === undefined ? {} : { accessibility_label }),
  });
  const feedback = {
    type: 'feedback_buttons',
    action_id: 'f',
    positive_button: side('Good', 'Mark this response as good'),
    negative_button: side('Bad'),
  };
  const page = await show([{ type: 'context_actions', elements: [feedback] }]);
  const buttons = page.getByRole('group', { name: 'Feedback' }).getByRole('button');
  const names = () => buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  await expect.poll(names).toEqual(['Mark this response as good', 'Bad']);
});

/** Runs in the page: chart labels that leave their drawing. */
const CUT_LABELS = `[...document.querySelectorAll('.chart-bar .axis-label')]
  .map((label) => [label.textContent, label.getBoundingClientRect(), label.ownerSVGElement.getBoundingClientRect()])
  .filter(([, { left, bottom }, around]) => left < around.left || bottom > around.bottom)
  .map(([words]) => words)`;

describe('a chart', () => {
  test('shows twelve series in twelve colors', async () => {
    const segments = Array.from({ length: 12 }, (_, at) => ({ label: `s${at}`, value: 1 }));
    const page = await show([
      { type: 'data_visualization', title: 'Many', chart: { type: 'pie', segments } },
    ]);
    const colors = await page
      .locator('.legend-patch')
      .evaluateAll((patches) => patches.map((patch) => getComputedStyle(patch).backgroundColor));
    expect(new Set(colors).size).toBe(12);
    expect(colors).not.toContain('rgba(0, 0, 0, 0)');
  });

  test.each([390, 1280])('has whole labels, however long they are, at a width of %i', async (width) => {
    const categories = ['Engineering laptops', 'Windows servers', ...'abcdefg'].map((name) =>
      name.padEnd(20, '.'),
    );
    const data = categories.map((label) => ({ label, value: 3 }));
    const drawn = { type: 'bar', series: [{ name: 'Devices', data }], axis_config: { categories } };
    const page = await show([{ type: 'data_visualization', title: 'Long', chart: drawn }], { width });
    await expect
      .poll(() => page.locator('.chart-bar .axis-label').count())
      .toBeGreaterThan(categories.length);
    await expect.poll(() => page.evaluate(CUT_LABELS)).toEqual([]);
  });

  test('has all its values for screen readers', async () => {
    const page = await show(charts);
    await page
      .getByRole('img', { name: 'pie chart: Failures by system. Linux 31, Windows 26, macOS 4.' })
      .waitFor();
    await page.getByRole('img', { name: /^bar chart: .*Linux: Week 43 4, Week 44 9/ }).waitFor();
  });

  test('has a legend, a bar for each value, and labels at both axes', async () => {
    const page = await show(charts);
    const bar = page.locator('.chart-bar');
    await expect.poll(() => bar.locator('rect').count()).toBe(8);
    await expect.poll(() => bar.locator('.legend li').allTextContents()).toEqual(['Linux', 'Windows']);
    await expect
      .poll(() => bar.locator('.axis-label').allTextContents())
      .toEqual(expect.arrayContaining(['0', 'Week 43', 'Week', 'Failures']));
    await expect
      .poll(() => page.locator('.chart-pie .legend li').first().textContent())
      .toBe('Linux · 31 (51%)');
  });
});

test('a container and a long text are folded and unfolded', async () => {
  const page = await show([...cards, ...texts]);
  const inside = page.getByText('Four devices of');
  const subtitle = page.getByText('22:00 to 23:00');
  await expect.poll(() => subtitle.isVisible()).toBe(true);
  await page.getByText('Maintenance tonight').click();
  await expect.poll(() => inside.isVisible()).toBe(false);
  await expect.poll(() => subtitle.isVisible()).toBe(false);
  await page.getByText('Maintenance tonight').click();
  await expect.poll(() => inside.isVisible()).toBe(true);
  const fold = page.locator('.fold > :first-child');
  const height = () => fold.evaluate((node) => node.getBoundingClientRect().height);
  const folded = await height();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => height()).toBeGreaterThan(folded * 2);
  await page.getByRole('button', { name: 'Show less' }).waitFor();
});

test('an icon button for others is not shown', async () => {
  const page = await show(cards);
  await expect.poll(() => page.locator('[data-action-id=delete]').isVisible()).toBe(true);
  await expect.poll(() => page.locator('[data-action-id=secret]').isVisible()).toBe(false);
});

test('Markdown has its headings, lists in lists, tasks and tables', async () => {
  const page = await show(texts);
  const block = page.locator('[data-block=markdown]');
  await expect.poll(() => block.getByRole('heading').allTextContents()).toEqual(['One', 'Three']);
  await expect
    .poll(() => block.locator('ol > li > ul > li').allTextContents())
    .toEqual(['inner one', 'inner two']);
  await expect.poll(() => block.locator('input:checked').count()).toBe(1);
  await expect.poll(() => block.locator('td').allTextContents()).toEqual(['web-01', '3', 'web-02 | b', '12']);
  await expect
    .poll(() => block.getByRole('link').allTextContents())
    .toEqual(['a picture', 'https://example.com/y']);
});

test.each([
  { name: 'light', look: { width: 1280, height: 3600 } },
  { name: 'dark', look: { width: 1280, height: 3600, colorScheme: 'dark' as const } },
  { name: 'phone', look: { width: 390, height: 4200, hasTouch: true } },
])('nothing is wider than its window: $name', async ({ name, look }) => {
  const page = await show(every, look);
  await photograph(page, `newer-${name}`);
  const wider = () => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  await expect.poll(() => wider()).toBe(0);
  control().views.set('operator', [
    { ...formWith(formFillings), id: 'V1', blocks: [...alerts, ...formWith(formFillings).blocks] },
  ]);
  control().changed();
  await page.locator('dialog[open]').waitFor();
  await page.setViewportSize({ width: look.width, height: 900 });
  await photograph(page, `newer-${name}-modal`);
  await expect.poll(() => wider()).toBe(0);
});
