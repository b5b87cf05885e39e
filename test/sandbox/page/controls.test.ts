/** No dead control: each visible one is used once and must have an effect. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '../../harness/until.ts';
import { pageStage } from './harness/page-harness.ts';
import { botMessage, personMessage, plain, tsBefore } from './samples/messages.ts';

const { control, open, close } = pageStage();

/** Everything that can be pressed, chosen or typed into. */
const CONTROLS = 'button, a[href], select, input, textarea, summary';
/** Parts that change on their own. */
const LIVELY = '#clock, [data-now], [data-bot], .log';

/** Counts real changes; the focus alone is no visible effect. */
const WATCH = `{
  document.activeElement?.blur();
  window.happened = 0;
  const isLively = (node) => (node instanceof Element ? node : node.parentElement)?.closest('${LIVELY}');
  const isSame = ({ type, target, attributeName, oldValue }) =>
    type === 'attributes' && target.getAttribute(attributeName) === oldValue;
  new MutationObserver((changes) => {
    window.happened += changes.filter((change) => !isLively(change.target) && !isSame(change)).length;
  }).observe(document, { subtree: true, childList: true, attributeOldValue: true, characterData: true });
}`;

/** Resolves once nothing has changed for some frames: the page's first reads are rendered. */
const SETTLED = `new Promise((resolve) => {
  let last = -1;
  let quiet = 0;
  const look = () => {
    quiet = window.happened === last ? quiet + 1 : 0;
    last = window.happened;
    if (quiet > 8) resolve(true);
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Starts counting; unread messages elsewhere are the last read of each round, of which there may be two at the start. */
async function watch(page: Page): Promise<void> {
  const rounds = () => control().asked.filter((path) => path.includes('channel=random&after')).length;
  await until(() => rounds() > 0);
  await page.evaluate(WATCH);
  let asked = -1;
  while (asked !== control().asked.length) {
    asked = control().asked.length;
    await page.evaluate(SETTLED);
  }
}

function furnish(): void {
  const parent = botMessage({
    ts: tsBefore(9),
    reactions: [{ name: 'eyes', users: ['U0VIEWER'] }],
    files: [{ id: 'F1', name: 'devices.csv', size: 12 }],
    blocks: [
      {
        type: 'actions',
        block_id: 'a',
        elements: [{ type: 'button', action_id: 'scan', text: plain('Scan') }],
      },
    ],
  });
  const reply = personMessage('viewer', 'a reply', { ts: tsBefore(8), thread_ts: parent.ts });
  control().channels.set('ops', [parent, reply]);
}

/** Visible controls, by a number that survives redraws of their neighbors. */
async function mark(page: Page, within: string): Promise<readonly string[]> {
  return page.locator(within).evaluate((root, selector) => {
    const seen = [...root.querySelectorAll(selector)].filter((node) => node.checkVisibility());
    return seen.map((node, at) => {
      node.setAttribute('data-control', `${at}`);
      return `[data-control="${at}"]`;
    });
  }, CONTROLS);
}

async function use(control: Locator): Promise<void> {
  const { tag, type } = await control.evaluate((node) => ({
    tag: node.tagName,
    type: node.getAttribute('type'),
  }));
  if (tag === 'SELECT') {
    const other = await control.locator('option:not(:checked)').first().getAttribute('value');
    await control.selectOption(other);
  } else if (tag === 'TEXTAREA' || (tag === 'INPUT' && type !== 'checkbox' && type !== 'radio')) {
    await control.fill(type === 'number' ? '3' : 'web');
    await expect.poll(() => control.inputValue()).not.toBe('');
  } else await control.click({ timeout: 3_000 });
}

/** The state of the page: its changes, address, posts, downloads, ticks and texts. */
async function traces(page: Page): Promise<string> {
  const values = await page
    .locator('input, textarea, select')
    .evaluateAll((nodes) =>
      nodes.map((node) =>
        'checked' in node ? [node.checked, 'value' in node && node.value] : 'value' in node && node.value,
      ),
    );
  const happened = await page.evaluate('window.happened');
  return JSON.stringify([happened, page.url(), control().posts.length, values]);
}

/** Uses each control of a place; where one may lead away, each starts on a fresh page. */
async function useAll(within: string, begin: () => Promise<Page>, isSteady: boolean): Promise<void> {
  let page = await begin();
  await watch(page);
  const count = (await mark(page, within)).length;
  expect(count).toBeGreaterThan(0);
  const dead: string[] = [];
  for (let at = 0; at < count; at += 1) {
    await watch(page);
    const [selector = ''] = (await mark(page, within)).slice(at, at + 1);
    const used = page.locator(`${within} ${selector}`);
    const name = await used.evaluate((node) => node.outerHTML.slice(0, 160));
    const download = name.includes('download=') ? page.waitForEvent('download') : undefined;
    const before = await traces(page);
    await use(used);
    const came = download ? Boolean(await download) : await becomesOther(page, before);
    if (!came) dead.push(name);
    if (isSteady) await page.keyboard.press('Escape');
    else {
      await close(page);
      page = await begin();
    }
  }
  expect(dead).toEqual([]);
}

async function becomesOther(page: Page, before: string): Promise<boolean> {
  return until(async () => (await traces(page)) !== before, { timeoutMs: 2_000 }).catch(() => false);
}

/** Each place starts on a fresh page; links to the current place do nothing, so the page starts elsewhere. */
const places: readonly (readonly [string, string, string, (page: Page) => Promise<void>])[] = [
  ['the head', 'viewer/ops', '.pane > .pane-head', async () => undefined],
  ['the messages', 'viewer/ops', '#messages', async (page) => page.locator('.message').first().hover()],
  [
    'the composer',
    'viewer/ops',
    '#composer',
    async (page) => page.locator('#composer textarea').fill('hello'),
  ],
  [
    'the thread',
    'viewer/ops',
    '#thread',
    async (page) => {
      await page.locator('.thread-bar').click();
      await page.locator('#thread .message').nth(1).waitFor();
      await page.locator('#thread textarea').fill('hello');
    },
  ],
  ['the sidebar', 'viewer/@viewer/nowhere', '#sidebar', async () => undefined],
  ['the tabs of the app', 'viewer/@viewer/nowhere', '#tabs', async () => undefined],
  [
    'the menu of a message',
    'viewer/ops',
    '.actions-menu',
    async (page) => page.locator('[data-more]').first().click(),
  ],
  ['the lightning', 'viewer/ops', '.actions-menu', async (page) => page.locator('[data-shortcuts]').click()],
];

describe('every control does something:', () => {
  test.each(places)('%s', { timeout: 90_000 }, async (_name, route, within, prepare) => {
    furnish();
    await useAll(
      within,
      async () => {
        const page = await open(route);
        await page.context().grantPermissions(['clipboard-write']);
        if (route.endsWith('ops')) await page.locator('.message').first().waitFor();
        await prepare(page);
        await page.locator(within).waitFor();
        return page;
      },
      false,
    );
  });

  test('the outside world', { timeout: 90_000 }, async () => {
    await useAll('#outside-content', () => open('viewer/ops'), true);
  });

  test('finds a control that does nothing', async () => {
    const page = await open('viewer/ops');
    await page.evaluate(`document.querySelector('#composer').append(document.createElement('button'))`);
    await watch(page);
    const before = await traces(page);
    await use(page.locator('#composer > button'));
    expect(await becomesOther(page, before)).toBe(false);
  });
});
