/**
 * One browser per test file, whose tabs later tests reuse: loading the page's many files is the longer part of a test.
 * A tab is passed on empty, to a test with the same appearance.
 */
import type { RequestListener } from 'node:http';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { listenOnLoopback } from '../../../../src/sandbox/wire/listen.ts';
import { launchBrowser } from './browser.ts';

export type TabAppearance = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly hasTouch?: boolean;
  readonly timezoneId?: string;
};
type Tabs = {
  /** Opens an address in a tab that nothing else in this test uses. */
  readonly open: (address: string, look?: TabAppearance) => Promise<Page>;
  /** Returns a tab before the test ends. */
  readonly close: (page: Page) => Promise<void>;
};

const BLANK = 'about:blank';

/** Registers the hooks. Errors that a page logged fail the test. */
export function tabs(): Tabs {
  let browser: Browser;
  let complaints: string[] = [];
  const free = new Map<string, Page[]>();
  const taken = new Map<Page, string>();
  const close = async (page: Page): Promise<void> => {
    const kind = taken.get(page) ?? '';
    taken.delete(page);
    await leave(page);
    free.set(kind, [...(free.get(kind) ?? []), page]);
  };
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all([...taken.keys()].map(close));
    const found = complaints;
    complaints = [];
    expect(found).toEqual([]);
  });
  return {
    close,
    async open(address, look = {}) {
      const kind = JSON.stringify(look);
      const page = free.get(kind)?.pop() ?? (await (await browser.newContext(contextOf(look))).newPage());
      taken.set(page, kind);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (line) => {
        if (line.type() === 'error') complaints.push(line.text());
      });
      await page.setViewportSize(viewportOf(look));
      await page.goto(address);
      return page;
    },
  };
}

/** Clears what the page and the test left in its tab. */
async function leave(page: Page): Promise<void> {
  await page.evaluate('sessionStorage.clear()');
  await page.goto(BLANK);
  await page.mouse.move(0, 0);
  await page.context().clearPermissions();
  page.removeAllListeners();
}

function viewportOf({ width = 1280, height = 860 }: TabAppearance) {
  return { width, height };
}

function contextOf({ timezoneId = 'Europe/Berlin', ...look }: TabAppearance) {
  const { width: _width, height: _height, ...rest } = look;
  return { viewport: viewportOf(look), locale: 'en-US', timezoneId, ...rest };
}

/** Cache header for the page's files in tests; the sandbox itself forbids caching. */
export const CACHED_FILES = 'max-age=600';

type PageAddress = {
  /** Root, without a slash at its end. */
  readonly url: string;
  /** From now on this answers; earlier requests are still answered by their own listener. */
  readonly answerWith: (listener: RequestListener) => void;
  readonly stop: () => Promise<void>;
};

/**
 * Listens on a free port of 127.0.0.1, once per test file: the browser caches the page's files, while each test has its
 * own answers.
 */
export async function openAddress(): Promise<PageAddress> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const { url, stop } = await listenOnLoopback((server) =>
    server.on('request', (request, response) => answer(request, response)),
  );
  return {
    url,
    answerWith(listener) {
      answer = listener;
    },
    stop,
  };
}

/**
 * The attribute of each element in order, at one moment; null where it is missing. A redraw may come at any time, so tests
 * use `expect.poll`.
 */
export const attributes = (elements: Locator, name: string): Promise<readonly (string | null)[]> =>
  elements.evaluateAll((nodes, attribute) => nodes.map((node) => node.getAttribute(attribute)), name);
