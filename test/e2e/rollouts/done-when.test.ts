/**
 * Patches on a group of servers, in the sandbox's page: approved once, braked in the second wave, resumed by another
 * approver, ended, and requested again for exactly the rest, while the bot is killed twice. Each text is read.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { until } from '../../harness/until.ts';
import { launchBrowser } from '../../sandbox/page/harness/browser.ts';
import { actionIdsOf, messageText } from '../harness/sandbox-people.ts';
import { useSandboxPeople } from '../harness/use-sandbox-people.ts';
import { atPage, cardWith, linesOf, type PagePerson, rolloutCard, threadOf } from './rollout-harness.ts';

const LINE = 'patch group:"Linux servers" severity:critical waves:1,25%,100% brake:2 because CVE-2026-1234';
const TITLE = 'Install missing critical patches on 28 devices';
const ASKED = 'Requested by @operator · Reason: CVE-2026-1234';
const APPROVED = 'Approved by @approver TIME.';
const FROZEN = 'Devices read from TIME on · 28 devices';
const SENT_FIRST = /^1 (accepted|queued), 27 waiting$/;
/** In the second wave; the first is one device. */
const FAILING = ['web-02', 'app-02'];

// The bot starts three times, and each step waits for pages and cards.
vi.setConfig({ testTimeout: 120_000 });

const people = useSandboxPeople();
let browser: Browser;
let person: PagePerson;

beforeAll(async () => {
  browser = await launchBrowser();
  person = await atPage(browser, people, { width: 1280, height: 1000 });
});
afterAll(() => browser.close());

const restart = async () => {
  await people.bot({ do: 'kill' });
  await until(async () => !(await people.state()).bot.running, { what: 'the end of the bot' });
  await people.bot({ do: 'start' });
};
/** Moves the clock in steps until the card has these lines. */
const later = async (step: string, lines: readonly string[], of = 0) => {
  for (let steps = 0; steps < 40; steps += 1) {
    const { lines: seen } = await rolloutCard(people, of);
    if (lines.every((line) => seen.includes(line))) break;
    await people.advance(step);
  }
  return cardWith(people, lines, of);
};
const stateOf = async (of = 0) =>
  (await rolloutCard(people, of)).metadata as { readonly event_payload: Readonly<Record<string, unknown>> };

it('is requested with its plan', async () => {
  await person.goes('operator', 'ops');
  await person.types(`/fleet ${LINE}`);
  await person.latest(`Approval requested: ${TITLE}`).waitFor();
  const { lines } = await cardWith(people, [`⏳ Waiting for approval: ${TITLE}`]);
  expect(lines).toEqual([
    `⏳ Waiting for approval: ${TITLE}`,
    ASKED,
    expect.stringMatching(/^Note: 4 are offline and will run it when they’re back · /),
    'Packages: openssh-server 1:8.9p1-3ubuntu0.10 (19), openssl 3.0.2-0ubuntu1.18 (12)',
    'Severity: critical (28)',
    'CVEs: CVE-2024-6387 (19), CVE-2024-4741 (12), CVE-2024-5535 (12)',
    'Groups: Linux servers (28)',
    'Systems: Ubuntu 22.04 (18), Debian 12 (6), Red Hat Enterprise Linux 9.4 (4)',
    'Plan: 3 waves (1, 6, 21 devices) · stops at 2 failures in a wave · stops after a wave in which no device is verified',
    'Anything not sent within 24 hours of the approval waits for an approver.',
    'About 146 requests to the management service; at least 4 minutes at the permitted rate.',
    'Devices: web-01, web-02, app-02, build-02, app-03, app-04, web-08, build-04 and 20 more',
    'Once approved, each wave is re-checked and sent. What was sent can’t be canceled. The request expires TIME.',
    FROZEN,
    '[Approve] [Deny] [Withdraw] [Show all 28]',
  ]);
  expect((await stateOf()).event_payload).toMatchObject({ state: 'waiting', counts: { waiting: 28 } });
});

it('is approved by another person, who types the number of devices', async () => {
  for (const device of FAILING) await people.world({ do: 'installs-fail', device });
  const presses = async (who: 'operator' | 'approver') => {
    await person.goes(who, 'approvals');
    await person.latest(TITLE).locator('[data-action-id="approve"]').click();
  };
  await presses('operator');
  await person.latest('You can’t approve or deny your own request.').waitFor();
  await presses('approver');
  const other = person.page.locator('dialog[open] form[data-view]');
  await other.locator('input[data-block-id=approve_count]').fill('27');
  await other.locator('[data-submit]').click();
  await other.getByText('That isn’t the number of devices of this request.').waitFor();
  await other.locator('input[data-block-id=approve_count]').fill('28');
  await other.locator('[data-submit]').click();
  await person.latest('Approved. Each wave is re-checked before it’s sent.').waitFor();
  const { lines } = await cardWith(people, [
    `▶️ Running: ${TITLE}`,
    'Wave 1 of 3: 0 of 1 done · stops at 2 failures in a wave',
    // The card of a wave that begins is drawn before its first command was taken, too.
    SENT_FIRST,
  ]);
  expect(lines).toEqual([
    `▶️ Running: ${TITLE}`,
    ASKED,
    APPROVED,
    expect.stringContaining('0 of 28 done'),
    expect.stringMatching(SENT_FIRST),
    'Wave 1 of 3: 0 of 1 done · stops at 2 failures in a wave',
    expect.stringMatching(/^Takes at least \d+ minutes from TIME on$/),
    'Anything not sent by TIME waits for an approver.',
    FROZEN,
    '[Pause] [Stop] [Results]',
  ]);
});

it('goes on after the bot was killed, and brakes in its second wave', async () => {
  await restart();
  const braked = `⚠️ Stopped automatically: ${TITLE}`;
  const { lines } = await later('30s', [braked, '5 verified, 2 failed, 21 waiting']);
  expect(lines).toEqual([
    braked,
    ASKED,
    APPROVED,
    expect.stringContaining('7 of 28 done'),
    '5 verified, 2 failed, 21 waiting',
    'Wave 2 of 3: 6 of 6 done · stops at 2 failures in a wave',
    expect.stringMatching(
      /^Stopped automatically after 2 failures in wave 2 \(\d done\)\. An approver has to resume it, not its requester\. Waiting since TIME\.$/,
    ),
    '⛔ Failed (The installer ended with exit code 1603), 2 devices: web-02, app-02',
    FROZEN,
    '[Resume] [Stop] [Results]',
  ]);
  expect((await stateOf()).event_payload).toMatchObject({
    state: 'braked',
    counts: { waiting: 21, verified: 5, not_verified: 2 },
  });
  const said = await until(async () => {
    const all = await threadOf(people, await rolloutCard(people));
    return all.length >= 2 && all;
  });
  expect(said).toEqual([
    '▶️ Wave 1 of 3 done: 1 verified.',
    expect.stringMatching(
      /^⚠️ Stopped automatically after 2 failures in wave 2 \(\d done\)\. An approver has to resume it, not its requester\.$/,
    ),
  ]);
  expect((await people.writes()).length).toBe(7);
});

it('is resumed by another approver only, also after the bot was killed again', async () => {
  await restart();
  await person.goes('operator', 'approvals');
  const press = async () => {
    await person.latest(TITLE).locator('[data-action-id="control:resume"]').click();
  };
  await press();
  await person.latest('An approver has to let it go on, not its requester.').waitFor();
  await person.goes('approver2', 'approvals');
  await press();
  await person.page.locator('dialog[open] form[data-view] [data-submit]').click();
  await person
    .latest('You resumed the installation of missing critical patches on 28 devices. 21 devices left.')
    .waitFor();
  await cardWith(people, [`▶️ Running: ${TITLE}`]);
});

it('ends once the offline devices are back, with the failed ones by cause', async () => {
  await later('30s', ['22 verified, 2 failed, 4 queued']);
  for (const device of ['app-01', 'web-05', 'web-06', 'app-08'])
    await people.world({ do: 'device-online', device });
  const { lines } = await later('30s', [`⚠️ Partly verified: ${TITLE}`]);
  expect(lines).toEqual([
    `⚠️ Partly verified: ${TITLE}`,
    ASKED,
    APPROVED,
    expect.stringContaining('28 of 28 done'),
    '26 verified, 2 failed',
    '⛔ Failed (The installer ended with exit code 1603), 2 devices: web-02, app-02',
    FROZEN,
    '[Retry (2)] [Results]',
  ]);
  expect((await stateOf()).event_payload).toMatchObject({
    state: 'partly',
    counts: { verified: 26, not_verified: 2 },
  });
  const thread = await until(async () => {
    const all = await threadOf(people, await rolloutCard(people));
    return all.length >= 4 && all;
  });
  expect(thread).toEqual([
    '▶️ Wave 1 of 3 done: 1 verified.',
    expect.stringMatching(/^⚠️ Stopped automatically after 2 failures in wave 2 /),
    '▶️ Wave 2 of 3 done: 4 verified, 2 failed.',
    '▶️ Resumed by @approver2.',
  ]);
  const told = await until(async () =>
    (await people.messages('@operator', 'operator')).filter((one) =>
      messageText(one).includes('Partly verified'),
    ),
  );
  expect(told.map(({ blocks }) => linesOf(blocks))).toEqual([
    [
      `⚠️ Partly verified. Your request: ${TITLE}`,
      APPROVED,
      '26 verified, 2 failed',
      '⛔ Failed (The installer ended with exit code 1603), 2 devices: web-02, app-02',
      '[Retry (2)]',
      expect.stringContaining('Open the request'),
    ],
  ]);
  const writes = await people.writes();
  expect(new Set(writes).size).toBe(28);
  expect(writes).toHaveLength(28);
});

it('is requested again for exactly the devices on which it failed', async () => {
  for (const device of FAILING) await people.world({ do: 'installs-work', device });
  await person.goes('operator', 'approvals');
  await person.latest(`Partly verified: ${TITLE}`).locator('[data-action-id="retry:failed"]').click();
  await person.page.locator('dialog[open] [data-submit]').click();
  const { lines } = await cardWith(
    people,
    ['⏳ Waiting for approval: Install missing critical patches on 2 devices'],
    1,
  );
  expect(lines.filter((line) => FAILING.some((name) => line.includes(name)))).toHaveLength(2);
  expect(lines.join('\n')).not.toMatch(/web-01|app-03/);
  const again = await rolloutCard(people, 1);
  expect(actionIdsOf(again)).toContain('approve');
  await person.goes('approver', 'approvals');
  await person.latest('on 2 devices').locator('[data-action-id="approve"]').click();
  // With those of the hour before they are so many that the number of these is typed.
  const window = person.page.locator('dialog[open] form[data-view]');
  await window.locator('input[data-block-id=approve_count]').fill('2');
  await window.locator('[data-submit]').click();
  await later('30s', ['✅ Verified: Install missing critical patches on 2 devices'], 1);
  expect(await people.writes()).toHaveLength(30);
});
