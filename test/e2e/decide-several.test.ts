/** Twelve requests decided in one window, at the sandbox's page: on a desktop and on a phone. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../sandbox/page/harness/browser.ts';
import { stateOf } from './harness/sandbox-people.ts';
import { useResetPeople } from './harness/use-sandbox-people.ts';
import { fitsPart } from './phone/layout-checks.ts';
import { createPhoneUser } from './phone/phone-harness.ts';

const SCREENS = [
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const;

describe('twelve requests', () => {
  const people = useResetPeople();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

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
