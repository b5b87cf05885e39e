/** One browser per test file, one control server and one fresh window per test. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type FakeControl, startFakeControl } from './fake-control.ts';

const SCREENSHOTS = fileURLToPath(new URL('../../screenshots/', import.meta.url));

export type Look = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly hasTouch?: boolean;
  readonly timezoneId?: string;
};
export type Stage = {
  readonly control: () => FakeControl;
  /** Opens the page at `#person/channel` and waits until it has been drawn. */
  readonly open: (route?: string, look?: Look) => Promise<Page>;
};

/** Registers the hooks. After each test, whatever the page complained about fails the test. */
export function stage(): Stage {
  let browser: Browser;
  let control: FakeControl;
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    complaints = [];
    control = await startFakeControl();
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    await control.stop();
    expect(complaints).toEqual([]);
  });
  return {
    control: () => control,
    async open(route = 'operator/ops', look = {}) {
      const context = await browser.newContext(contextOf(look));
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (line) => {
        if (line.type() === 'error') complaints.push(line.text());
      });
      await page.goto(`${control.url}#${route}`);
      await page.locator('[data-channel][aria-current]').waitFor({ state: 'attached' });
      await page.locator('#scroller[aria-busy=false]').waitFor({ state: 'attached' });
      await page.locator('body[data-offers=read]').waitFor({ state: 'attached' });
      return page;
    },
  };
}

function contextOf({ width = 1280, height = 860, timezoneId = 'Europe/Berlin', ...look }: Look) {
  return { viewport: { width, height }, locale: 'en-US', timezoneId, ...look };
}

/** Saves a picture for people to look at; the folder is not kept in git. */
export async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}page-${name}.png` });
}
