/** Blocks as they are drawn, charts, long texts, and state emoji as pictures. */

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SIGN } from '../../../../src/views/kit/message.ts';
import { channelId, NOW } from '../harness/fake-control.ts';
import { pageStage } from '../harness/page-harness.ts';
import { attributes } from '../harness/tabs.ts';
import {
  approvalCard,
  botMessage,
  everyBlock,
  mrkdwn,
  personMessage,
  plain,
  tsBefore,
} from '../samples/messages.ts';

const { control, open, openWith } = pageStage();

describe('blocks', () => {
  test('every kind of block that messages have is drawn', async () => {
    const page = await openWith(botMessage({ blocks: everyBlock }));
    await page.locator('[data-block=table]').waitFor();
    await expect.poll(() => page.locator('.content > [data-block]').count()).toBe(everyBlock.length);
    await expect.poll(() => page.locator('[data-undrawable]').count()).toBe(0);
    await expect.poll(() => page.locator('[data-element]').count()).toBe(2);
    await expect
      .poll(() => page.locator('table td').allTextContents())
      .toEqual(['web-01', '3', 'db-01', '12']);
  });

  test('a block or element of an unknown kind is shown as such, beside its neighbours', async () => {
    const blocks = [
      { type: 'hologram', block_id: 'a' },
      { type: 'constructor', block_id: 'b' },
      { type: 'actions', block_id: 'c', elements: [{ type: 'lever', action_id: 'x' }] },
      { type: 'table', block_id: 'd', rows: 'none' },
      { type: 'actions', block_id: 'f', elements: [{ type: 'checkboxes', action_id: 'y', options: 5 }] },
      { type: 'section', block_id: 'e', text: plain('still here') },
    ];
    const page = await openWith(botMessage({ blocks }));
    await page.getByText('still here').waitFor();
    const kinds = page.locator('[data-undrawable]');
    await expect
      .poll(() => attributes(kinds, 'data-undrawable'))
      .toEqual(['hologram', 'constructor', 'lever', 'table', 'actions']);
    await expect
      .poll(() => page.locator('[data-undrawable=hologram]').textContent())
      .toContain('Can’t show this block: “hologram”');
  });

  test('a plain text keeps its line breaks, as a formatted one does', async () => {
    const words = 'one\n\ntwo';
    const blocks = [
      { type: 'section', block_id: 'a', text: plain(words) },
      { type: 'section', block_id: 'b', text: mrkdwn(words) },
    ];
    const page = await openWith(botMessage({ blocks }));
    const texts = page.locator('.section-text');
    await expect.poll(() => texts.allInnerTexts()).toEqual([words, words]);
  });
});

describe('messages', () => {
  test('show their author, the APP badge, and the time in the zone of the viewer', async () => {
    const ts = `${NOW / 1000 - 600}.000100`;
    control().channels.set('ops', [approvalCard({ ts }), personMessage('approver', 'hello')]);
    const page = await open('operator/ops', { timezoneId: 'Asia/Kolkata' });
    const card = page.locator(`[data-ts="${ts}"]`);
    await expect.poll(() => card.locator('.message-head').textContent()).toMatch(/^PatchbayAPP7:23\sPM$/u);
    const person = page.locator('.message').nth(1);
    await expect.poll(() => person.locator('.author').textContent()).toBe('approver');
    await expect.poll(() => person.locator('.app-badge').count()).toBe(0);
    await expect.poll(() => page.locator('.day').allTextContents()).toEqual(['Today']);
  });

  test('an ephemeral message says so, and is hidden from other people', async () => {
    const page = await openWith(
      personMessage('viewer', 'for all'),
      botMessage({ text: 'for you', ephemeral: true, onlyFor: 'operator' }),
    );
    const secret = page.locator('[data-ephemeral]');
    await expect.poll(() => secret.textContent()).toContain('Only visible to you');
    await page.locator('[data-person]').selectOption('approver');
    await page.locator('[data-person=approver]').waitFor();
    await page.locator('#scroller[aria-busy=false]').waitFor();
    await page.getByText('for all', { exact: true }).waitFor();
    await expect.poll(() => secret.count()).toBe(0);
    await expect.poll(() => page.locator('.message').count()).toBe(1);
    expect(new URL(page.url()).hash).toBe('#approver/ops');
  });

  test('a thread opens beside the channel with its replies, and takes one more', async () => {
    const card = approvalCard();
    const page = await openWith(card, personMessage('approver', 'why now?', { thread_ts: card.ts }));
    await expect.poll(() => page.locator('#messages .message').count()).toBe(1);
    await page.locator(`[data-thread="${card.ts}"]`).click();
    await expect.poll(() => page.locator('#thread .message').count()).toBe(2);
    await page.locator('#thread [data-composer]').fill('because');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => control().posts)
      .toEqual([
        {
          call: 'POST /sandbox/message',
          body: { user: 'operator', channel: 'ops', text: 'because', thread_ts: card.ts },
        },
      ]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#thread').isVisible()).toBe(false);
  });

  test('hostile texts stay texts', async () => {
    const hostile = '<img src=x onerror="document.title=1"> <script>document.title=1</script>';
    const blocks = [
      { type: 'section', block_id: 'a', text: mrkdwn(hostile) },
      { type: 'section', block_id: 'b', text: plain(hostile) },
      {
        type: 'section',
        block_id: 'd',
        text: mrkdwn('&lt;!channel&gt; &amp;amp; <javascript:document.title=1|go>'),
      },
    ];
    const page = await openWith(botMessage({ blocks }), personMessage('viewer', hostile));
    await page.getByText('<!channel> &amp;').waitFor();
    await expect.poll(() => page.locator('#messages :is(img, script, a, .mention)').count()).toBe(0);
    await expect.poll(() => page.getByText('<img src=x onerror="document.title=1">').count()).toBe(3);
    await expect.poll(() => page.title()).toContain('#ops');
  });

  test('only what changed is drawn again, and the pane stays where it was read', async () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      botMessage({ ts: tsBefore(100 - at), text: `line ${at}` }),
    );
    control().channels.set('ops', many);
    const page = await open();
    const pane = page.locator('#scroller');
    const fromEnd = () => pane.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight);
    await expect.poll(fromEnd).toBeLessThan(2);
    await page
      .locator('.message')
      .first()
      .evaluate((node) => node.setAttribute('data-kept', ''));
    control().channels.set('ops', [...many, botMessage({ text: 'the newest' })]);
    control().changed();
    await page.getByText('the newest').waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    await expect.poll(() => page.locator('[data-kept]').count()).toBe(1);
    await pane.evaluate((node) => node.scrollTo(0, 50));
    control().channels.set('ops', [...many, botMessage({ text: 'and another' })]);
    control().changed();
    await page.getByRole('button', { name: 'New messages' }).click();
    await expect.poll(fromEnd).toBeLessThan(2);
  });

  test('a long channel begins with its newest messages and gives the earlier ones on demand', async () => {
    const many = Array.from({ length: 400 }, (_, at) =>
      botMessage({ ts: tsBefore(500 - at), text: `line ${at}` }),
    );
    control().channels.set('ops', many);
    const page = await open();
    await page.getByText('line 399').waitFor();
    await expect.poll(() => page.locator('.message').count()).toBe(100);
    // Scrolling there also reads them, and removes the button once all are there.
    await page.getByRole('button', { name: 'Show earlier messages' }).dispatchEvent('click');
    await expect.poll(() => page.locator('.message').count()).toBeGreaterThanOrEqual(200);
  });
});

describe('channels', () => {
  test('the direct messages with the app are the own ones', async () => {
    control().channels.set('@approver', [botMessage({ text: 'Only for the approver' })]);
    const page = await open('operator/@operator');
    await page.getByText('This is the very beginning of your messages with Patchbay').waitFor();
    await page.locator('[data-person]').selectOption('approver');
    await page.getByText('Only for the approver').waitFor();
    await expect.poll(() => page.locator('[data-channel="@approver"][aria-current]').count()).toBe(1);
  });

  test('a channel that a person may not see says why', async () => {
    control().answer('/sandbox/messages', { ok: false, error: 'not_in_channel' });
    const page = await open('outsider/ops');
    await page.getByText('You can’t view #ops: not_in_channel').waitFor();
  });

  test('a permalink of a message opens it here', async () => {
    const card = approvalCard();
    const link = `https://sandbox.slack.com/archives/${channelId('approvals')}/p${card.ts.replace('.', '')}`;
    control().channels.set('approvals', [card]);
    const page = await openWith(botMessage({ text: `Asked for <${link}|approval>.` }));
    await page.getByRole('link', { name: 'approval', exact: true }).click();
    await page.locator(`.flash[data-ts="${card.ts}"]`).waitFor();
    await expect.poll(() => page.locator('#channel-title').textContent()).toBe('#approvals');
  });
});

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
  const page = await openWith(botMessage({ text: 'card', blocks }));
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
