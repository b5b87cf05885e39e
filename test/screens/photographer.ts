/** Takes pictures of places in the sandbox's page, at desktop and phone width. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { addressOf, type Place } from './screen.ts';

export const WIDTHS = {
  /** Narrow enough that the sandbox's panel stays closed. */
  desktop: { width: 1180, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

export type Kind = keyof typeof WIDTHS;

/** A picture grows to fit its content up to this readable height; longer content gets several. */
const TALLEST = 1_600;
/** Part of a picture that is repeated on the next one. */
const OVERLAP = 120;
const QUIET_MS = 300;
const QUIET_LOOKS = 4;
const LOOKS = 60;

/** Writes PNGs of that place, from top to bottom: `BASE-KIND.png`, and for long content `BASE-KIND-2.png` and so on. */
export async function photograph(
  browser: Browser,
  address: string,
  place: Place,
  { kind, file }: { readonly kind: Kind; readonly file: string },
): Promise<void> {
  const viewport = WIDTHS[kind];
  const context = await browser.newContext({
    viewport,
    hasTouch: kind === 'phone',
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    await page.goto(addressOf(address, place));
    await page.locator('body[data-offers=read]').waitFor({ state: 'attached' });
    await page.locator('#scroller[aria-busy=false]').waitFor({ state: 'attached' });
    if (place.at === 'home') await page.locator('[data-home]:not([data-home=""])').waitFor();
    await settled(page);
    await showAll(page, viewport.width, viewport.height);
    for (let part = 1, left = true; left; part += 1) {
      left = await (await panesOf(page)).evaluateAll(scrollTo, { part, overlap: OVERLAP });
      await page.screenshot({ path: `${file}-${kind}${part === 1 ? '' : `-${part}`}.png` });
    }
  } finally {
    await context.close();
  }
}

/** Waits until the page's text has been stable for a while. */
async function settled(page: Page): Promise<void> {
  let before = '';
  for (let same = 0, looks = 0; same < QUIET_LOOKS && looks < LOOKS; looks += 1) {
    const words = await page.evaluate(() => document.body.innerText);
    same = words === before ? same + 1 : 0;
    before = words;
    await pause(QUIET_MS);
  }
}

/** Makes the window tall enough for its scrolling content. */
async function showAll(page: Page, width: number, height: number): Promise<void> {
  let tall: number = height;
  const hiddenNow = async () => (await panesOf(page)).evaluateAll(hiddenHeight);
  for (let hidden = await hiddenNow(); hidden > 0 && tall < TALLEST; ) {
    tall = Math.min(tall + hidden, TALLEST);
    await page.setViewportSize({ width, height: tall });
    await pause(QUIET_MS);
    hidden = await hiddenNow();
  }
}

/** The open form, else the messages and the Home. */
async function panesOf(page: Page): Promise<Locator> {
  const form = page.locator('dialog[open] form:not([hidden]) .view-blocks');
  return (await form.count()) > 0 ? form.first() : page.locator('#scroller, #home');
}

/** Runs in the page: how much of the panes does not fit. */
function hiddenHeight(panes: readonly Element[]): number {
  return Math.max(0, ...panes.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight));
}

/** Runs in the page: scrolls to this part, counted from 1; returns whether more follows. */
function scrollTo(
  panes: readonly Element[],
  { part, overlap }: { readonly part: number; readonly overlap: number },
): boolean {
  const pane = panes.find(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
  if (!pane) return false;
  pane.scrollTop = (part - 1) * (pane.clientHeight - overlap);
  return pane.scrollTop + pane.clientHeight < pane.scrollHeight - 1;
}
