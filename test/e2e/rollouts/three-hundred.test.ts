/** About three hundred devices in one request, from the line that is typed to the file of results, on a phone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { until } from '../../harness/until.ts';
import { launchBrowser } from '../../sandbox/page/harness/browser.ts';
import { useSandboxPeople } from '../harness/use-sandbox-people.ts';
import { fitsPart } from '../phone/layout-checks.ts';
import { createPhoneUser, type PhoneUser } from '../phone/phone-harness.ts';
import { atPage, cardWith, rolloutCard } from './rollout-harness.ts';

const PHONE = { width: 390, height: 844 };
/** Of the group "Linux servers" in a fleet of this size. */
const FLEET = 1_200;
const DEVICES = 303;
const ONLINE = 274;
const TITLE = `Reboot ${DEVICES} devices`;

// Some hundred devices answer, one after the other.
vi.setConfig({ testTimeout: 180_000 });

const people = useSandboxPeople({ devices: FLEET });
let browser: Browser;
let page: Page;
let phone: PhoneUser;

beforeAll(async () => {
  browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: PHONE,
    hasTouch: true,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  page = await context.newPage();
  page.setDefaultTimeout(40_000);
  await page.goto(people.address);
  phone = createPhoneUser(page);
});
afterAll(() => browser.close());

it('are requested, and approved by typing their number', async () => {
  await phone.becomes('operator');
  await phone.types('reboot group:"Linux servers" because kernel update');
  await fitsPart(await phone.reads(`Approval requested: ${TITLE}`));
  await phone.becomes('approver', 'approvals');
  const card = await phone.sees(TITLE);
  await fitsPart(card);
  await card.locator('[data-action-id="approve"]').tap();
  await fitsPart(phone.form());
  await phone.fillsIn({ approve_count: String(DEVICES) });
  await cardWith(people, [`▶️ Running: ${TITLE}`]);
});

it('are each sent one command, in waves', async () => {
  const counts = `${ONLINE} verified, ${DEVICES - ONLINE} queued`;
  for (let steps = 0; steps < 60; steps += 1) {
    if ((await rolloutCard(people)).lines.includes(counts)) break;
    await people.advance('1m');
  }
  const { lines } = await cardWith(people, [counts]);
  expect(lines).toContain('Wave 3 of 3: 198 of 227 done · stops when 10% of a wave’s finished devices fail');
  const writes = await people.writes();
  expect(writes).toHaveLength(DEVICES);
  expect(new Set(writes).size).toBe(DEVICES);
});

it('are listed in pages by state, and as a file', async () => {
  await page.reload();
  await phone.becomes('approver', 'approvals');
  const card = await phone.sees(TITLE);
  await fitsPart(card);
  await card.locator('[data-action-id="results"]').tap();
  const results = await phone.reads(`${DEVICES} devices, page 1 of`);
  await fitsPart(results);
  await results.locator('[data-action-id="page:next"]').tap();
  const second = await phone.reads(`${DEVICES} devices, page 2 of`);
  await second.locator('[data-action-id="page:open"]').tap();
  const open = await phone.reads(`In progress: ${DEVICES - ONLINE} devices`);
  await open.locator('[data-action-id="export"]').tap();
  await phone.reads(`with ${DEVICES - ONLINE} rows`);
  const file = await until(async () =>
    (await people.messages('@approver', 'approver')).flatMap(({ files }) => files ?? []).at(-1),
  );
  const csv = await (await fetch(`${people.address}/sandbox/file?user=approver&id=${file.id}`)).text();
  const rows = csv.trim().split('\r\n');
  expect(rows).toHaveLength(DEVICES - ONLINE + 1);
  expect(rows.slice(1).every((row) => row.includes(',queued,'))).toBe(true);
});

it('are one card at the width of a desk, too', async () => {
  const desk = await atPage(browser, people, { width: 1280, height: 900 });
  await desk.goes('viewer', 'approvals');
  const card = desk.latest(TITLE);
  await card.waitFor();
  await expect.poll(() => card.textContent()).toContain(`${ONLINE} of ${DEVICES} done`);
  await desk.close();
});
