/** Every command at the sandbox's page in a phone-sized window: typed, filled in by touch, and refused. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requiredPermission } from '../../../src/commands/core/reader-rights.ts';
import { registry } from '../../../src/commands/index.ts';
import { launchBrowser } from '../../sandbox/page/harness/browser.ts';
import { CHANGE_ROWS } from '../every-command/changes.ts';
import { createCommandHarness } from '../every-command/command-harness.ts';
import { READ_ROWS } from '../every-command/reads.ts';
import { SETTING_ROWS } from '../every-command/settings.ts';
import { type PersonName, type SandboxPeople, startSandboxPeople } from '../harness/sandbox-people.ts';
import { COMMAND_USES, type FormOpening } from './command-uses.ts';
import { fitsPart, layoutProblems } from './layout-checks.ts';
import { createPhoneUser, type PhoneUser } from './phone-harness.ts';

const ROWS = { ...READ_ROWS, ...CHANGE_ROWS, ...SETTING_ROWS };
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  // Sliding parts would be in the way.
  reducedMotion: 'reduce',
  locale: 'en-US',
  timezoneId: 'Europe/Berlin',
} as const;

let people: SandboxPeople;
let browser: Browser;
let page: Page;
let phone: PhoneUser;
const errors: string[] = [];

beforeAll(async () => {
  [people, browser] = await Promise.all([startSandboxPeople(), launchBrowser()]);
  page = await (await browser.newContext(PHONE)).newPage();
  page.setDefaultTimeout(40_000);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') errors.push(line.text());
  });
  // A waiting request, a finished command, and alerts.
  await people.runs('operator', 'reboot web-01 because before it all');
  await people.runs('operator', 'scan web-02');
  const scan = await people.card('ops', ({ text }) => text.includes('web-02'));
  await people.becomes(scan, 'verified');
  for (const device of ['web-01', 'build-04']) await people.world({ do: 'patch-fails', device });
  await people.advance('20s');
  await people.card('patch-alerts', ({ text }) => text.includes('build-04'));
  await page.goto(people.address);
  await page.locator('body[data-offers=read]').waitFor();
  phone = createPhoneUser(page);
});
/** What a test that failed left open would cover the page for all others. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (let open = 0; open < 3; open += 1) await page.keyboard.press('Escape');
  await page.reload();
  at = '';
});
afterAll(async () => {
  await browser?.close();
  await people?.stop();
});

/** The current place is not tapped again. */
let at = '';
const goes = async (who: PersonName, channel = 'ops'): Promise<void> => {
  const place = `${who}/${channel}`;
  if (at !== place) await phone.becomes(who, channel);
  at = place;
};

/** Waits for an answer with these words, which must fit. */
const shows = async (words: readonly string[]): Promise<void> => {
  await fitsPart(await phone.reads(...words));
};

const opens = async (name: string, how: FormOpening): Promise<void> => {
  if ('typed' in how) return phone.types(how.typed, 'button');
  if ('shortcut' in how) {
    await page.locator('#composer [data-shortcuts]').tap();
    return page.getByRole('menuitem', { name: how.shortcut }).tap();
  }
  await phone.types(`help ${name}`);
  return (await phone.reads(name)).locator('[data-action-id="try"]').tap();
};

/** Ends the pause, so that the next command is not refused, and waits for its answer. */
const resumes = async (): Promise<void> => {
  await phone.types('pause off');
  await phone.reads('Changes resumed');
};

const deedOf = (name: string) => {
  const [action, row] = [COMMAND_USES[name], ROWS[name]];
  if (action === undefined || row === undefined) throw new Error(`${name} is not in the tables`);
  return { deed: action, row };
};

const PEOPLE: readonly PersonName[] = ['viewer', 'operator', 'approver', 'admin'];
const commands = registry.all();
const formed = commands.flatMap(({ name, form }) => (form === undefined ? [] : [name]));
/** Grouped by person, so that the page switches to each person once. */
const names = PEOPLE.flatMap((who) =>
  commands.map(({ name }) => name).filter((name) => ROWS[name]?.who === who),
);

it('no command is missing from the tables, and no form', () => {
  expect(Object.keys(COMMAND_USES).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
  expect(names).toHaveLength(commands.length);
  const filled = Object.entries(COMMAND_USES).flatMap(([name, { form }]) =>
    form === undefined ? [] : [name],
  );
  expect(filled.toSorted()).toEqual(formed.toSorted());
});

describe.each(names)('%s', (name) => {
  it('is answered, and the answer fits', async () => {
    const { deed, row } = deedOf(name);
    const { line = row.slash } = deed;
    await goes(row.who);
    await phone.types(
      typeof line === 'string' ? line : await line(createCommandHarness(people, row.who, 'slash')),
    );
    await shows(deed.shows);
    if (name === 'pause') await resumes();
  });

  if (!formed.includes(name)) return;
  it('has a form that is filled in by touch', async () => {
    const { deed, row } = deedOf(name);
    if (deed.form === undefined) throw new Error(`the form of ${name} is not in the table`);
    const { open = { typed: name }, entries } = deed.form;
    await goes(row.who);
    await opens(name, open);
    await phone.form().waitFor();
    await fitsPart(phone.form());
    await phone.fillsIn(entries);
    await shows(deed.form.shows);
    await phone.closes();
    if (name === 'pause') await resumes();
  });
});

describe('a card', () => {
  const cards = names.flatMap((name) =>
    [COMMAND_USES[name]?.card ?? [], COMMAND_USES[name]?.form?.card ?? []].flat(),
  );

  it.each(cards)('stands for all in #$in, with $holds, and fits', async ({ in: channel, holds }) => {
    await goes('approver', channel);
    await fitsPart(await phone.sees(...holds));
  });

  it('is approved by touch', async () => {
    await goes('approver', 'approvals');
    const card = await phone.sees('web-07', 'Approve');
    const ts = await card.getAttribute('data-ts');
    await card.locator('[data-action-id="approve"]').tap();
    await fitsPart(phone.form());
    await phone.form().locator('[data-submit]').tap();
    const approved = page.locator(`[data-ts="${ts}"]`);
    await expect.poll(() => approved.locator('[data-action-id="approve"]').count()).toBe(0);
    await expect.poll(() => approved.textContent()).toMatch(/Accepted|Queued/);
    await fitsPart(approved);
  });
});

describe('somebody without the right is told why, and whom to ask:', () => {
  it.each(commands.map(({ name }) => name))('who has no role, %s', async (name) => {
    await goes('outsider', 'random');
    await phone.types(name, 'button');
    await shows(['role (you have no role)', 'Ask @']);
  });

  const more = commands.filter((command) => requiredPermission(command) !== 'read');
  it.each(more.map(({ name }) => name))('who may only look, %s', async (name) => {
    await goes('viewer');
    await phone.types(name, 'button');
    await shows(['role (you’re a viewer)', 'Ask @']);
  });
});

it('layout problems are found', async () => {
  const other = await page.context().newPage();
  await other.setContent(`<div id="part">
    <p style="width: 900px">wide</p>
    <p style="width: 60px; overflow: hidden; white-space: nowrap">words that are cut</p>
    <div style="overflow-x: auto"><p style="width: 900px">scrolls</p></div>
    <button style="height: 12px; padding: 0">small</button>
    <div style="position: relative"><button style="height: 40px">covered</button><i style="position: absolute; inset: 0"></i></div>
  </div>`);
  const found = await layoutProblems(other.locator('#part'));
  await other.close();
  expect(found).toEqual([
    expect.stringMatching(/^the page is \d+ px wider/),
    'outside: wide',
    'cut: words that are cut',
    'only 12 px high: small',
    'cannot be tapped: covered',
  ]);
});

it('the page had no error of its own', () => {
  expect(errors).toEqual([]);
});
