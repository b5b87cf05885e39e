/** People at the sandbox's page, in a real Chromium: look, request, decide, and make the world fail. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../sandbox/page/harness/browser.ts';
import { stateOf } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';
import { fitsPart } from './phone/layout-checks.ts';
import { createPhoneUser } from './phone/phone-harness.ts';

const SCREENSHOTS = fileURLToPath(new URL('../screenshots/', import.meta.url));

const people = useSandboxPeople();
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') errors.push(line.text());
  });
  page.setDefaultTimeout(40_000);
  await page.goto(people.address);
});
afterAll(() => browser.close());

const picture = (name: string) => page.screenshot({ path: `${SCREENSHOTS}sandbox-${name}.png` });
const open = (channel: string) => page.locator(`[data-channel]`, { hasText: channel }).first().click();
const become = (person: string) =>
  page.locator('[data-person] select, select[data-person]').first().selectOption({ label: person });
const type = async (text: string) => {
  const composer = page.getByRole('combobox', { name: /message/i });
  await composer.fill(text);
  await composer.press('Enter');
};
const messages = () => page.locator('[data-ts]');
const latest = (text: string) => messages().filter({ hasText: text }).last();

describe('the page', () => {
  it('answers a device card, with buttons that work', async () => {
    await open('ops');
    await type('/fleet device web-01');
    const card = latest('Device web-01');
    await card.waitFor();
    for (const words of ['Ubuntu 22.04', 'Linux servers', 'Pending patches']) {
      await expect.poll(() => card.textContent()).toContain(words);
    }
    await picture('device');
    await card.locator('[data-action-id="packages"]').click();
    await latest('Packages for web-01').waitFor();
    await picture('packages');
  });

  it('follows a reboot from the request to the proof', async () => {
    await type('/fleet reboot web-01 because kernel update');
    await latest('Approval requested').waitFor();
    await open('approvals');
    const card = latest('Requested by');
    await card.waitFor();
    await picture('request');
    await become('approver');
    await card.locator('[data-action-id="approve"]').click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await picture('confirm');
    await dialog.locator('[data-submit]').click();
    await card.filter({ hasText: /Accepted|Queued/ }).waitFor();
    await expect.poll(() => card.locator('[data-action-id="approve"]').count()).toBe(0);
    await people.advance('5m');
    await card.filter({ hasText: 'Verified' }).waitFor();
    await picture('verified');
  });

  it('shows a patch that fails, once, and a new device', async () => {
    await people.world({
      do: 'patch-fails',
      device: 'web-02',
      patch: 'openssl',
      reason: 'disk full <!channel>',
    });
    await people.world({ do: 'device-added', name: 'fresh-01' });
    await people.advance('20s');
    await open('patch-alerts');
    const alert = latest('Patch failed on web-02');
    await alert.waitFor();
    await expect.poll(() => alert.textContent()).toContain('disk full <!channel>');
    await expect.poll(() => messages().count()).toBe(1);
    await picture('alert');
    await open('new-devices');
    await latest('fresh-01').waitFor();
    await picture('new-device');
  });

  it('works at the width of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await picture('phone');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });

  it('had no error of its own', () => {
    expect(errors).toEqual([]);
  });
});

const SCREENS = [
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const;

describe('twelve requests', () => {
  beforeEach(() => people.reset());

  it.each(SCREENS)('are decided in one window on %s', async (_what, viewport) => {
    const names = Array.from({ length: 12 }, (_, at) => `web-${String(at + 1).padStart(2, '0')}`);
    for (const name of names) await people.runs('operator', `reboot ${name} because OPS-1 of ${name}`);
    const context = await browser.newContext({ viewport, hasTouch: true, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    await page.goto(people.address);
    const phone = createPhoneUser(page);
    if (viewport.width < 500) await phone.becomes('approver', 'ops');
    else {
      await page.locator('select[data-person]').first().selectOption('approver');
      await page.locator('[data-channel="ops"]').first().click();
    }
    await people.runs('approver', 'approvals');
    const list = page.locator('#messages [data-ephemeral]').filter({ hasText: 'Requests waiting' }).last();
    await list.locator('[data-action-id^="several"]').tap();
    const form = phone.form();
    const boxes = form.locator('label', { hasText: 'Decide this one' }).locator('input');
    await expect.poll(() => boxes.count()).toBe(12);
    await expect.poll(() => form.locator('input:checked').count()).toBe(0);
    // The oldest first, each with what, who, why and until when.
    const rows = names.map((name) => `Reboot ${name}.*Requested by.*OPS-1 of ${name}.*Expires`);
    await expect.poll(() => form.textContent()).toMatch(new RegExp(rows.join('.*'), 's'));
    if (viewport.width < 500) await fitsPart(form);
    await form.locator('label', { hasText: /^\s*Deny\s*$/ }).tap();
    await form.locator('[data-submit]').tap();
    await form.getByText('Mark at least one request.').waitFor();
    for (const box of await boxes.all()) await box.tap();
    await form.locator('[data-submit]').tap();
    await page.locator('#messages [data-ephemeral]').filter({ hasText: 'You denied 12 requests.' }).waitFor();
    expect((await people.posts('approvals')).map(stateOf)).toEqual(names.map(() => 'denied'));
    await context.close();
  });
});
